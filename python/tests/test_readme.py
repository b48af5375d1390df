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


PAGES = ["README.md", "python/README.md", "docs/net.md"]
PAGES += [f"docs/env/{name}.md" for name in ("vector", "search", "positions", "jax", "from-mctx", "from-openspiel")]
PAGES += ["docs/env/envpool.md", "docs/env/pgx.md"]


# From the first snippet to the last they are one program.
TUTORIALS = ["docs/tutorials/agents.md"]


@pytest.mark.parametrize("page", PAGES + TUTORIALS)
def test_snippets(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page in ("docs/env/from-mctx.md", "docs/env/jax.md", "docs/env/pgx.md"):
        pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
    # Files are named as they are seen from the root; the page about Pgx only writes one.
    monkeypatch.chdir(tmp_path if page == "docs/env/pgx.md" else ROOT)
    snippets = SNIPPET.findall((ROOT / page).read_text(encoding="utf-8"))
    assert snippets
    names: dict[str, object] = {}
    for snippet in snippets:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(snippet, page, "exec"), names if page in TUTORIALS else {})
        assert printed.getvalue().splitlines() == COMMENT.findall(snippet)
