"""Self-play and reviews on Ray actors."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ray_cluster import kill, local_cluster

import tengen
import tengen.ray
from tengen.ray import GamePool, ReviewedGame
from tengen.ray._review import _Actor as Reviewer
from tengen.ray._review import positions_of
from tengen.ray._reviewed import Judged, rows_of
from tengen.ray.worker import seed_of

RECORD = "(;SZ[5]KM[0.5];B[bb]C[Near the corner.];W[ba];B[aa];W[ca];B[ee];W[cb];B[];W[bc])"
OPTIONS: dict[str, Any] = {"num_games": 3, "size": 3, "simulations": 4, "seed": 2}


def judge() -> Any:
    """A network that knows nothing. Workers cannot import this file; what is defined inside a function is pickled."""

    def evaluate(leaves: Any) -> tuple[Any, Any]:
        return np.zeros(leaves.mask.shape, np.float32), leaves.planes[..., 0].mean((1, 2)) / 2

    return evaluate


@pytest.fixture(scope="module")
def local_ray() -> Iterator[Any]:
    with local_cluster(cpus=2) as ray:
        yield ray


def key(played: tengen.PlayedGame) -> tuple[Any, ...]:
    return played.number, tuple(played.game.moves), played.policy.tobytes(), played.values.tobytes()


def here(games: int, seed: int = 2) -> set[tuple[Any, ...]]:
    """What a pool with these options plays, played without Ray."""
    found: set[tuple[Any, ...]] = set()
    for task in range(games // 3):
        options = {**OPTIONS, "seed": seed_of(seed, task)}
        for played in tengen.selfplay(judge(), games=3, **options):
            found.add((played.number + 3 * task, *key(played)[1:]))
    return found


def test_the_cluster_says_what_it_has(local_ray: Any) -> None:
    found = tengen.ray.resources()
    assert (found.machines, found.processors) == (1, 2)
    assert str(found).startswith("1 machine with ") and "of 2 processors" in str(found)


def test_games_are_those_that_are_played_without_ray_whoever_is_lost(
    local_ray: Any, caplog: pytest.LogCaptureFixture
) -> None:
    results: list[tengen.PlayedGame] = []
    with caplog.at_level(logging.INFO, "tengen.ray"), GamePool(judge(), num_workers=2, **OPTIONS) as pool:
        for played in pool.play(18):
            results.append(played)
            if len(results) == 4:
                kill(local_ray, pool.workers[0])
        assert pool.replaced == 1
    assert {key(played) for played in results} == here(18)
    assert len(results) == 18
    assert caplog.messages[0].startswith("2 workers on 1 machine with ")
    with pytest.raises(RuntimeError, match="closed"):
        pool.play(1)


def test_weights_are_made_to_networks_where_they_are_used(local_ray: Any) -> None:
    def make(weight: float) -> Any:
        def evaluate(leaves: Any) -> tuple[Any, Any]:
            # Liking one action above all, the pass or another, shows in what is played.
            logits = np.zeros(leaves.mask.shape, np.float32)
            logits[:, -1] = weight
            return logits, np.zeros(len(leaves.mask), np.float32)

        return evaluate

    options = {**OPTIONS, "noise": False, "stop_when_decided": False}
    with GamePool(50.0, make=make, num_workers=1, **options) as pool:
        assert all(played.game.moves == ["pass", "pass"] for played in pool.play(3))
        assert pool.broadcast(-50.0) == pool.version == 1
        after = list(pool.play(3))
        assert all(played.version == 1 and played.game.moves[0] != "pass" for played in after)
        # Games of a pool are numbered, and each has a number of its own.
        assert sorted(played.number for played in after) == [3, 4, 5]


def test_selfplay_is_that_of_the_package_elsewhere(local_ray: Any) -> None:
    played = list(tengen.ray.selfplay(judge(), games=6, num_workers=1, **OPTIONS))
    assert {key(one) for one in played} == here(6)
    assert all(one.version == 0 for one in played)
    assert list(tengen.ray.selfplay(judge(), games=0)) == []


def test_mistakes_are_named_before_anything_is_started() -> None:
    with pytest.raises(ValueError, match="method is 'gumbel' or 'puct'"):
        tengen.ray.selfplay(judge(), method="minimax")
    with pytest.raises(TypeError, match="evaluate is a Net or a function"):
        GamePool(None)
    with pytest.raises(ValueError, match="games_per_task is a whole number, 1 or more, not 0"):
        GamePool(judge(), games_per_task=0)
    with pytest.raises(ValueError, match="there are no game records in"):
        tengen.ray.review([])


def test_a_worker_that_sends_nothing_counts_as_lost(local_ray: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.ray._tasks.LOOK_EVERY", 0.2)

    def make(weights: Any) -> Any:
        import time

        time.sleep(60)

    with GamePool(0, make=make, num_workers=1, max_losses=0, task_timeout=1.0, **OPTIONS) as pool:
        with pytest.raises(RuntimeError, match=r"lost 1 times over games 0 to 2: no answer in 1 seconds"):
            next(pool.play(3))


def test_what_a_network_raises_reaches_the_caller(local_ray: Any) -> None:
    def evaluate(leaves: Any) -> Any:
        raise ZeroDivisionError("no network")

    with pytest.raises(ZeroDivisionError, match="no network"):
        list(tengen.ray.selfplay(evaluate, games=1, num_workers=1, **OPTIONS))


def test_rows_say_what_each_move_lost() -> None:
    game = ReviewedGame("here.sgf", 0, RECORD)
    judged = [Judged(0.5 + number / 20, float(number), 9, "C3", ["C3", "C4"]) for number in range(9)]
    rows = rows_of(game, judged)
    assert [row["color"] for row in rows[:2]] == ["black", "white"]
    # Black's lead grows by one with each move: Black loses nothing, and White a point.
    assert [row["lost_points"] for row in rows] == [0, 1] * 4
    assert (rows[1]["win_rate"], rows[1]["win_rate_after"], rows[1]["lead"]) == (0.45, 0.4, -1.0)
    game.rows = rows
    root = tengen.sgf.loads(game.sgf)[0]
    line = root.main_line()
    assert line[2].get("V") == "2.0"
    assert line[2].get("SBKV") == "60.0"
    assert line[1].comment == "Near the corner."
    assert line[2].comment == "B5 loses 1.0 points: C3 was better (45% to win before, 40% after)."
    better = line[1].children[1]
    assert (better.move, better.children[0].move) == (("white", "C3"), ("black", "C4"))
    # Read back, the record has the moves that it had.
    assert [node.move for node in line] == [node.move for node in tengen.sgf.loads(RECORD)[0].main_line()]


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "records"
    folder.mkdir()
    (folder / "one.sgf").write_text(RECORD)
    (folder / "two.sgf").write_text(RECORD + "(;SZ[4];B[aa])(;SZ[4])")
    (folder / "empty.sgf").write_text("no game at all")
    return folder


def test_collections_are_reviewed(local_ray: Any, records: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    options: dict[str, Any] = {"visits": 20, "net": "none", "num_workers": 2, "positions_per_task": 4}
    games = {(Path(game.file).name, game.game): game for game in tengen.ray.review(records, folder=out, **options)}
    assert set(games) == {("one.sgf", 0), ("two.sgf", 0), ("two.sgf", 1), ("two.sgf", 2), ("empty.sgf", 0)}
    assert games["empty.sgf", 0].error
    assert [len(games["two.sgf", game].rows) for game in range(3)] == [8, 1, 0]
    one, two = games["one.sgf", 0], games["two.sgf", 0]
    # The same game gets the same words, whoever analysed it.
    assert [row["lead"] for row in one.rows] == [row["lead"] for row in two.rows]
    actor = Reviewer("none", 20, 0)
    judged = actor.do(RECORD, 0, 9)
    assert rows_of(one, judged) == one.rows
    assert len(positions_of(tengen.sgf.loads(RECORD)[0])) == 9
    assert [row["played"] for row in one.rows][:2] == ["B4", "B5"]
    assert all(row["visits"] >= 20 for row in one.rows)
    files = sorted(path.name for path in out.glob("*.sgf"))
    assert len(files) == 3 and files[0].startswith("one-0-")
    assert (out / files[0]).read_text() == one.sgf

    # What is there is not analysed again, and half a line of a program that was killed is no harm.
    before = (out / "rows.jsonl").read_text()
    last = before.rstrip("\n").rindex("\n") + 1
    (out / "rows.jsonl").write_text(before[: last + 30])
    again = {(Path(game.file).name, game.game): game for game in tengen.ray.review(records, folder=out, **options)}
    assert {place: game.rows for place, game in again.items()} == {place: game.rows for place, game in games.items()}
    keys = [json.loads(line)["key"] for line in before.splitlines()]
    assert all(key in (out / "rows.jsonl").read_text() for key in keys)
    assert json.loads(before.splitlines()[0])["rows"] in [game.rows for game in games.values()]


def test_a_review_that_finds_no_room_says_so(local_ray: Any, records: Path) -> None:
    options: dict[str, Any] = {"ray_options": {"num_cpus": 99}, "start_timeout": 1, "num_workers": 1}
    with pytest.raises(RuntimeError, match=r"Each asks for 99 CPU; the cluster has \S+ of 2 CPU free"):
        next(tengen.ray.review(records / "one.sgf", net="none", **options))


def test_files_are_named_in_every_way(local_ray: Any, records: Path) -> None:
    pattern = os.fspath(records / "t*.sgf")
    games = list(tengen.ray.review([pattern, records / "one.sgf"], net="none", visits=1, num_workers=1))
    assert sorted(Path(game.file).name for game in games) == ["one.sgf", "two.sgf", "two.sgf", "two.sgf"]
    assert repr(sorted(games, key=lambda game: (game.file, game.game))[0]).endswith("one.sgf: 8 moves>")
