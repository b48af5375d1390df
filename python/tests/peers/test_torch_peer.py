"""PyTorch learns from our positions, and its example of AlphaZero runs."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tengen

torch = pytest.importorskip("torch")

EXAMPLE = Path(__file__).parents[2] / "examples" / "alphazero_torch.py"


def run(*arguments: str) -> str:
    """What the example prints as a script."""
    environment = {**os.environ, "PYTHONPATH": str(Path(tengen.__file__).parents[1])}
    command = [sys.executable, str(EXAMPLE), *arguments]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_example_explains_itself() -> None:
    assert run("--help").startswith("usage:")


def test_alphazero_plays_learns_and_ends_with_a_table() -> None:
    out = run("--minutes", "0.02", "--games", "4", "--simulations", "4", "--matches", "2")
    assert "games, " in out and "loss" in out and "rollouts@100" in out


def test_a_data_loader_gives_the_batches(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for number in range(5):
        game = tengen.Game(5, komi=0.5, rules="chinese")
        while len(game.turns) < 20:
            game.play(int(rng.choice(np.flatnonzero(game.legal_mask()[:-1]))))
        game.resign("white")
        (tmp_path / f"{number}.sgf").write_text(game.to_sgf())
    positions = tengen.Positions(tmp_path, batch_size=4, passes=1, fewest_moves=5, held_out=0.0)
    loaded = [batch["planes"] for batch in torch.utils.data.DataLoader(positions.torch(), batch_size=None)]
    assert len(loaded) == 5
    for one, other in zip(loaded, positions, strict=True):
        np.testing.assert_array_equal(one.numpy(), other.planes)
    again = pickle.loads(pickle.dumps(positions.torch()))
    assert len(list(again)) == 5
