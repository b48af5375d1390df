"""A replay buffer in shards, on Ray actors."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from ray_cluster import kill, local_cluster

import tengen
from tengen.ray import ShardedReplay
from tengen.ray._replay import _Ring

OPTIONS: dict[str, Any] = {"num_games": 3, "num_workers": 1, "size": 3, "simulations": 4, "noise": False, "seed": 2}


def maker() -> Callable[[float], Any]:
    """Makes networks that like the pass as much as a weight says. Workers cannot import this file; what is defined
    inside a function is pickled."""

    def make(weight: float) -> Any:
        def evaluate(leaves: Any) -> tuple[Any, Any]:
            logits = np.zeros(leaves.mask.shape, np.float32)
            logits[:, -1] = weight
            return logits, np.zeros(len(leaves.mask), np.float32)

        return evaluate

    return make


@pytest.fixture(scope="module")
def local_ray() -> Iterator[Any]:
    with local_cluster(cpus=2) as ray:
        yield ray


def until(done: Callable[[], bool]) -> None:
    """Waits for what happens elsewhere."""
    deadline = time.monotonic() + 120
    while not done():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.05)


def test_a_ring_keeps_the_newest_positions() -> None:
    ring = _Ring(50)
    played = list(tengen.selfplay(tengen.Net.random(1, 16, seed=1), games=12, size=3, simulations=2, seed=1))
    positions = [game.positions(dtype="uint8") for game in played]
    for rows in positions:
        ring.add(rows)
    assert ring.added == sum(map(len, played)) > len(ring) == 50
    newest = np.concatenate([rows.planes for rows in positions])[-50:]
    drawn = ring.draw(500, np.random.default_rng(1))
    assert {rows.tobytes() for rows in drawn.planes} == {rows.tobytes() for rows in newest}
    # All arrays of a row are of one position.
    known = {
        planes.tobytes() + mask.tobytes() for rows in positions for planes, mask in zip(rows.planes, rows.mask)
    }
    assert all(planes.tobytes() + mask.tobytes() in known for planes, mask in zip(drawn.planes, drawn.mask))


def test_a_game_longer_than_a_ring_leaves_its_end() -> None:
    (played,) = tengen.selfplay(tengen.Net.random(1, 16, seed=1), games=1, size=3, simulations=2, seed=1)
    positions = played.positions(dtype="uint8")
    ring = _Ring(2)
    ring.add(positions)
    drawn = ring.draw(100, np.random.default_rng(1))
    assert {rows.tobytes() for rows in drawn.planes} == {rows.tobytes() for rows in positions.planes[-2:]}


def test_a_learner_draws_from_all_shards_and_broadcasts(local_ray: Any) -> None:
    with ShardedReplay(50.0, make=maker(), num_shards=2, capacity=40, least=4, **OPTIONS) as replay:
        assert repr(replay) == "<ShardedReplay: 2 shards with 1 workers each>"
        for _ in range(4):
            batch = replay.sample(16)
            assert batch.planes.shape == (16, 3, 3, 17) and batch.planes.dtype == np.float32
            assert batch.policy.shape == (16, 10) and np.allclose(batch.policy.sum(1), 1, atol=1e-5)
        assert replay.sample(5, dtype="uint8").planes.dtype == np.uint8
        assert replay.broadcast(-50.0) == replay.version == 1
        until(lambda: all(shard.version == 1 and shard.kept == 40 for shard in replay.state()))
        # Two passes end a game at once, and networks that do not like them play on.
        until(lambda: max(int(replay.sample(16).planes[..., :2].sum()) for _ in range(2)) > 0)
        assert all(shard.positions >= 40 and shard.games > 0 for shard in replay.state())
    with pytest.raises(RuntimeError, match="closed"):
        replay.sample(1)


def test_a_shard_that_is_lost_is_replaced(local_ray: Any) -> None:
    with ShardedReplay(0.0, make=maker(), num_shards=1, capacity=40, **OPTIONS) as replay:
        replay.sample(4)
        kill(local_ray, replay.workers[0])
        assert len(replay.sample(4).value) == len(replay.sample(4).value) == 4
        assert replay.replaced == 1


def test_what_a_network_raises_reaches_the_learner(local_ray: Any) -> None:
    def evaluate(leaves: Any) -> Any:
        raise ZeroDivisionError("no network")

    with ShardedReplay(evaluate, num_shards=1, **OPTIONS) as replay:
        with pytest.raises(ZeroDivisionError, match="no network"):
            replay.sample(4)


def test_mistakes_are_named_before_anything_is_started() -> None:
    with pytest.raises(ValueError, match="num_shards is a whole number, 1 or more, not 0"):
        ShardedReplay(maker()(0.0), num_shards=0)
    with pytest.raises(ValueError, match=r"a shard of 10 positions never has 20 \(least\)"):
        ShardedReplay(maker()(0.0), capacity=10, least=20)
    with pytest.raises(ValueError, match="method is 'gumbel' or 'puct'"):
        ShardedReplay(maker()(0.0), method="minimax")
