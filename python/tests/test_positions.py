"""Positions to learn from."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen

CONFIG = """
[network]
blocks = 1
channels = 16
[self_play]
boards = [{ size = "4" }, { size = "3x5" }]
full_visits = 6
full_share = 1.0
[generation]
games = 6
[until]
generations = 1
"""


def records(folder: Path, count: int = 5) -> Path:
    """Games that were counted, and one that was resigned."""
    rng = np.random.default_rng(1)
    for number in range(count):
        game = tengen.Game(5, komi=0.5, rules="chinese")
        while not game.is_over and len(game.turns) < 20:
            game.play(int(rng.choice(np.flatnonzero(game.legal_mask()[:-1]))))
        if number == 0:
            game.resign("white")
        else:
            game.play(None)
            game.play(None)
        (folder / f"{number}.sgf").write_text(game.to_sgf())
    return folder


OPTIONS: dict[str, Any] = {"fewest_moves": 5, "held_out": 0.0}


def test_records_become_arrays_with_all_targets(tmp_path: Path) -> None:
    positions = tengen.Positions(records(tmp_path), batch_size=8, passes=2, seed=3, **OPTIONS)
    assert (positions.num_games, positions.num_positions, positions.size, len(positions)) == (5, 20, (5, 5), 2)
    batches = list(positions)
    assert len(batches) == 4
    for batch in batches:
        assert batch.planes.shape == (8, 5, 5, 23)
        assert batch.planes.dtype == np.float32
        assert batch.globals.shape == (8, 8)
        known = ~np.isnan(batch.policy[:, 0])
        np.testing.assert_allclose(batch.policy[known].sum(1), 1)
        assert not batch.policy[known][~batch.mask[known]].any()
        assert set(np.unique(batch.win_draw_loss)) <= {0.0, 1.0}
        counted = ~np.isnan(batch.lead)
        won = batch.win_draw_loss[counted, 0] == 1
        np.testing.assert_array_equal(won, batch.lead[counted] > 0)
        # A network sees them as they are.
        tengen.Net.random(1, 16).evaluate_planes(batch.planes, batch.globals)
    # The same number and seed give the same batch.
    for one, other in zip(positions.batch(3), batches[3], strict=True):
        np.testing.assert_array_equal(one, other)
    other = tengen.Positions(tmp_path, batch_size=8, passes=2, seed=4, **OPTIONS)
    assert any((one.planes != two.planes).any() for one, two in zip(batches, other, strict=True))


def test_boards_are_turned_unless_they_are_not_to_be(tmp_path: Path) -> None:
    folder = records(tmp_path, 1)
    options = {**OPTIONS, "positions": 20, "batch_size": 20, "passes": 1}
    (still,) = tengen.Positions(folder, augment=False, **options)
    game = tengen.Game.from_sgf((folder / "0.sgf").read_text())
    boards = set()
    again = tengen.Game(5, komi=0.5, rules="chinese")
    for turn in game.turns:
        own = 1 if again.to_move == "black" else 2
        boards.add((again.stones == own).tobytes())
        again.play(turn.move)
    for planes in still.planes:
        assert (planes[:, :, 1] == 1).tobytes() in boards
    (turned,) = tengen.Positions(folder, **options)
    assert any((planes[:, :, 1] == 1).tobytes() not in boards for planes in turned.planes)


def test_games_of_a_run_become_arrays(tmp_path: Path) -> None:
    run = tengen.Run(CONFIG, tmp_path / "run", threads=1)
    while not run.is_complete:
        run.advance()
    del run
    positions = tengen.Positions(tmp_path / "run", batch_size=16, passes=1, layout="channels-first", dtype="uint8")
    assert positions.num_games == 6
    # Boards of 4x4 and of 3x5 lie in one frame.
    assert positions.size in ((4, 5), (4, 4), (3, 5))
    batches = list(positions)
    assert len(batches) == positions.num_positions // 16
    width, height = positions.size
    for batch in batches:
        assert batch.planes.shape == (16, 23, height, width)
        assert batch.planes.dtype == np.uint8
        np.testing.assert_allclose(batch.policy.sum(1), 1, atol=1e-4)
        assert not np.isnan(batch.lead).any()
        assert not batch.ownership[batch.planes[:, 0] == 0].any()
    with pytest.raises(TypeError, match="sizes is an option for game records"):
        tengen.Positions(tmp_path / "run", sizes=["9"])


def test_positions_are_pickled(tmp_path: Path) -> None:
    positions = tengen.Positions(records(tmp_path), batch_size=4, passes=1, **OPTIONS)
    again = pickle.loads(pickle.dumps(positions))
    assert repr(again) == repr(positions) == "<Positions: 20 of 5 games, batches of 4>"
    for one, other in zip(positions, again, strict=True):
        np.testing.assert_array_equal(one.planes, other.planes)


def test_workers_share_the_batches(tmp_path: Path) -> None:
    positions = tengen.Positions(records(tmp_path), batch_size=4, passes=1, **OPTIONS)
    alone = list(positions)
    parts = [list(positions.batches(worker, 2)) for worker in range(2)]
    assert [len(part) for part in parts] == [3, 2]
    np.testing.assert_array_equal(parts[1][0].planes, alone[1].planes)


def test_mistakes_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nowhere"):
        tengen.Positions(tmp_path / "nowhere.sgf")
    with pytest.raises(TypeError, match="source is a file, a folder"):
        tengen.Positions(3)  # type: ignore[arg-type]
    folder = records(tmp_path)
    with pytest.raises(ValueError, match="unknown field `colour`"):
        tengen.Positions(folder, colour="blue")
    with pytest.raises(TypeError, match="a tutor teaches in a run"):
        tengen.Positions(folder, tutor="baseline")
    with pytest.raises(ValueError, match="no game is left to learn from"):
        tengen.Positions(folder, sizes=["19"])
    with pytest.raises(ValueError, match="a pass has 20 positions, and no batch of 64"):
        list(tengen.Positions(folder, batch_size=64, passes=1, **OPTIONS))
    with pytest.raises(ValueError, match="search_share is a number from 0 to 1, not 2"):
        tengen.Positions(folder, search_share=2, **OPTIONS)
