"""The snippets that readers copy work, and print what they say."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest
from ray_cluster import local_cluster

ROOT = Path(__file__).resolve().parents[2]
SNIPPET = re.compile(r"^```(?:py|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"^print\(.*\)   # (.*)$", re.MULTILINE)

# Run elsewhere: with packages that are too large for every run in `peers`, and a bot by the tests of the command.
ELSEWHERE = ["docs/env/stable-baselines.md", "docs/env/torchrl.md", "docs/tutorials/bots.md"]
# From the first snippet to the last they are one program.
TUTORIALS = ["docs/tutorials/agents.md"]
# What the snippets of a page need besides NumPy: a module, and the package that has it.
NEEDS = {
    "docs/env/from-mctx.md": ("jax", "jax"),
    "docs/env/gymnasium.md": ("gymnasium", "gymnasium"),
    "docs/env/jax.md": ("jax", "jax"),
    "docs/env/openspiel.md": ("pyspiel", "open_spiel"),
    "docs/env/pettingzoo.md": ("pettingzoo", "pettingzoo"),
    "docs/env/pgx.md": ("jax", "jax"),
    "docs/env/ray.md": ("ray", "ray"),
}
# They write files into the folder that they are run in, or read those that a reader has.
IN_A_FOLDER = ["docs/env/pgx.md", "docs/env/ray.md", "docs/solver.md"]
# A cluster has more workers and more time than a test.
SMALLER = [
    ("num_shards=8, num_workers=100", "num_shards=2, num_workers=1"),
    ("num_workers=8", "num_workers=1"),
    ("RolloutPool(8", "RolloutPool(1"),
    ("games=1000", "games=2"),
    ("games=512", "games=2"),
    ("num_games=64", "num_games=2"),
    ("simulations=64", "simulations=2"),
    ("visits=200", "visits=2"),
    ("num_envs=256", "num_envs=4"),
    ("steps=128", "steps=4"),
    ("range(100_000)", "range(2)"),
    ("range(100)", "range(2)"),
    ("% 100 == 99", "% 2 == 1"),
    ("sample(256)", "sample(8)"),
]


def pages() -> list[str]:
    """All pages with snippets."""
    files = [ROOT / "README.md", ROOT / "python/README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = [str(file.relative_to(ROOT)) for file in files if SNIPPET.search(file.read_text(encoding="utf-8"))]
    assert set(ELSEWHERE) < set(found)
    return [page for page in found if page not in ELSEWHERE]


def run(page: str) -> None:
    """Runs the snippets of a page where it stands."""
    snippets = SNIPPET.findall((ROOT / page).read_text(encoding="utf-8"))
    names: dict[str, object] = {"__name__": "__main__"}
    for snippet in snippets:
        smaller = snippet
        if page == "docs/env/ray.md":
            for large, small in SMALLER:
                smaller = smaller.replace(large, small)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(smaller, page, "exec"), names if page in TUTORIALS else dict(names))
        if said := COMMENT.findall(snippet):
            assert printed.getvalue().splitlines() == said


@pytest.mark.parametrize("page", pages())
def test_snippets(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page in NEEDS:
        module, package = NEEDS[page]
        pytest.importorskip(module, reason=f"{module} is not installed: pip install {package}")
    monkeypatch.chdir(tmp_path if page in IN_A_FOLDER else ROOT)
    if page == "docs/env/ray.md":
        (tmp_path / "games").mkdir()
        (tmp_path / "games/short.sgf").write_text("(;SZ[9];B[ee];W[gc];B[cc])")
        with local_cluster(cpus=4):
            run(page)
        assert (tmp_path / "reviewed/rows.jsonl").is_file()
    else:
        run(page)
