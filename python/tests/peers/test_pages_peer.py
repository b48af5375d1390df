"""The snippets of pages whose packages are too large for every run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[3] / "docs/env"


@pytest.mark.parametrize(
    ("page", "module"), [("stable-baselines", "stable_baselines3"), ("torchrl", "torchrl")]
)
def test_snippets(page: str, module: str) -> None:
    pytest.importorskip(module)
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(compile(snippet.replace("200_000", "4_096"), page, "exec"), names)
    assert "model" in names or "rolled" in names
