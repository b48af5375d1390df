"""The snippets that readers copy work, and print what they say."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SNIPPET = re.compile(r"^```(?:py|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"^print\(.*\)   # (.*)$", re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", "python/README.md", "docs/env/vector.md", "docs/net.md"])
def test_snippets(page: str) -> None:
    snippets = SNIPPET.findall((ROOT / page).read_text(encoding="utf-8"))
    assert snippets
    for snippet in snippets:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(snippet, page, "exec"), {})
        assert printed.getvalue().splitlines() == COMMENT.findall(snippet)
