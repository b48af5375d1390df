"""The notebooks run from their first cell to their last."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))

SMALLER = {
    "ROUNDS, GAMES, SIMULATIONS, MATCHES = 8, 64, 24, 20": "ROUNDS, GAMES, SIMULATIONS, MATCHES = 2, 4, 4, 2",
    "VISITS = 200": "VISITS = 20",
    "VISITS, MOVES = 50, 20": "VISITS, MOVES = 8, 6",
}


def test_there_are_three() -> None:
    assert NAMES == ["alphazero", "play", "review"]


@pytest.mark.parametrize("name", NAMES)
def test_cells_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    book = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    names: dict[str, Any] = {"__name__": "__main__"}
    smaller, last = 0, None
    for cell in book["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "what a cell printed is not kept"
        text = "".join(cell["source"])
        for much, little in SMALLER.items():
            smaller += text.count(much)
            text = text.replace(much, little)
        exec(compile(text, f"{name}.ipynb", "exec"), names)
        last = text.splitlines()[-1]
    # The sizes for tests were found where they are set.
    assert smaller == 1
    # What the last line names is shown as a picture.
    assert last is not None and re.fullmatch(r"[a-z]+(\[-1\])?", last)
    assert eval(last, names)._repr_svg_().startswith("<svg")
    assert capsys.readouterr().out
