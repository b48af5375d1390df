"""tengen.pgx and the real Pgx, step by step through random games."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import tengen.pgx

jax = pytest.importorskip("jax")
pgx_go = pytest.importorskip("pgx.go")


@dataclasses.dataclass
class Tally:
    games: int = 0
    steps: int = 0
    illegal: int = 0
    repetitions: int = 0


def functions(env: Any) -> tuple[Any, Any, Any]:
    return (
        jax.jit(jax.vmap(env.init)),
        jax.jit(jax.vmap(env.step)),
        jax.jit(jax.vmap(lambda state, player: env._observe(state, player))),
    )


def choose(rng: np.random.Generator, mask: np.ndarray, pass_weight: float, illegal: float) -> np.ndarray:
    """A legal action for each game, now and then an illegal one; passes are as likely as their weight makes them."""
    noise = rng.random(mask.shape)
    noise[:, -1] *= pass_weight
    actions = np.argmax(np.where(mask, noise, -1.0), axis=1)
    anything = rng.integers(0, mask.shape[1], len(mask))
    return np.where(rng.random(len(mask)) < illegal, anything, actions).astype(np.int32)


def same(ours: tengen.pgx.State, theirs: Any, what: str) -> None:
    for name in (
        "current_player",
        "rewards",
        "terminated",
        "truncated",
        "legal_action_mask",
        "observation",
        "_step_count",
        "_player_order",
    ):
        mine, other = getattr(ours, name), np.asarray(getattr(theirs, name))
        assert mine.shape == other.shape and mine.dtype == other.dtype, (what, name)
        np.testing.assert_array_equal(mine, other, err_msg=f"{name} {what}")


def compare(
    size: int, games: int, seed: int, tally: Tally, *, pass_weight: float = 0.9, illegal: float = 0.002, **options: Any
) -> None:
    real, ours = pgx_go.Go(size=size, **options), tengen.pgx.Go(size=size, **options)
    init, step, observe = functions(real)
    rng = np.random.default_rng(seed)
    keys = jax.random.split(jax.random.PRNGKey(seed), games)
    theirs, mine = init(keys), ours.init(np.asarray(keys))
    same(mine, theirs, "at the start")
    # Two steps behind the last end, since a game that is over must stay as it is.
    behind = 0
    while behind < 2:
        behind += bool(mine.terminated.all())
        mask = mine.legal_action_mask
        actions = choose(rng, mask, pass_weight, illegal)
        running = ~mine.terminated
        tally.steps += int(running.sum())
        tally.illegal += int((running & ~mask[np.arange(games), actions]).sum())
        theirs, mine = step(theirs, actions), ours.step(mine, actions)
        same(mine, theirs, f"after {actions.tolist()}")
        tally.repetitions += int((running & np.asarray(theirs._x.is_psk)).sum())
        for player in (0, 1):
            players = np.full(games, player, np.int32)
            np.testing.assert_array_equal(ours.observe(mine, player), np.asarray(observe(theirs, players)))
    tally.games += games


@pytest.mark.parametrize(
    ("size", "games", "options"),
    [
        (2, 512, {"komi": 0.5, "pass_weight": 0.5}),
        (3, 1024, {"komi": 0, "pass_weight": 0.3, "illegal": 0.0}),
        (3, 512, {"komi": -1.75, "pass_weight": 0.9}),
        (3, 512, {"komi": 9, "pass_weight": 0.3, "illegal": 0.05}),
        (4, 1024, {"komi": 2, "pass_weight": 0.2}),
        (5, 1024, {"komi": 7, "pass_weight": 0.5}),
        (5, 512, {"komi": -3.5}),
        (5, 256, {"history_length": 3, "max_terminal_steps": 17}),
        (7, 256, {"komi": 9, "pass_weight": 0.3}),
        (9, 512, {"pass_weight": 0.2}),
        (9, 256, {"komi": 7, "pass_weight": 0.99, "illegal": 0.01}),
        (19, 16, {"pass_weight": 0.1, "illegal": 0.0005}),
    ],
)
def test_random_games_are_the_same(size: int, games: int, options: dict[str, Any]) -> None:
    tally = Tally()
    compare(size, games, 100 * size + games, tally, **options)
    print(size, options, tally)
    if size in (3, 4):
        assert tally.repetitions > 0, "small boards repeat often"


def test_ties_and_integer_komi() -> None:
    tally = Tally()
    for komi in (1, 2, 25):
        compare(3, 512, komi, tally, komi=komi, pass_weight=0.99)


def test_the_same_key_seats_the_players_alike() -> None:
    real, ours = pgx_go.Go(size=3), tengen.pgx.Go(size=3)
    init = jax.jit(jax.vmap(real.init))
    for seed in range(20):
        keys = jax.random.split(jax.random.PRNGKey(seed), 100)
        seats = np.asarray(init(keys)._player_order)
        for key in (keys, np.asarray(keys), jax.random.split(jax.random.key(seed), 100)):
            np.testing.assert_array_equal(ours.init(key)._player_order, seats)
        np.testing.assert_array_equal(ours.init(seed, batch_size=100)._player_order, seats)
        assert ours.init(seed).current_player == np.asarray(real.init(jax.random.PRNGKey(seed)).current_player)
        assert ours.init(jax.random.key(seed)).current_player == ours.init(seed).current_player


def test_auto_reset_is_the_same() -> None:
    experimental = pytest.importorskip("pgx.experimental")
    real, ours = pgx_go.Go(size=4, komi=1), tengen.pgx.Go(size=4, komi=1)
    their_step = jax.jit(jax.vmap(experimental.auto_reset(real.step, real.init)))
    our_step = tengen.pgx.auto_reset(ours.step, ours.init)
    rng = np.random.default_rng(4)
    keys = jax.random.split(jax.random.PRNGKey(4), 64)
    theirs, mine = jax.jit(jax.vmap(real.init))(keys), ours.init(keys)
    ends = 0
    kept = []
    for number in range(400):
        actions = choose(rng, mine.legal_action_mask, 0.4, 0.005)
        keys = jax.random.split(jax.random.PRNGKey(1000 + number), 64)
        if number % 97 == 5:
            kept.append((mine, theirs))
        theirs, mine = their_step(theirs, actions, keys), our_step(mine, actions, keys)
        same(mine, theirs, f"after step {number}")
        ends += int(mine.terminated.sum())
    assert ends > 500
    for mine, theirs in kept:
        for number in range(30):
            actions = choose(rng, mine.legal_action_mask, 0.4, 0.005)
            keys = jax.random.split(jax.random.PRNGKey(number), 64)
            theirs, mine = their_step(theirs, actions, keys), our_step(mine, actions, keys)
            same(mine, theirs, f"after step {number} from a state that was kept")


def test_branches_are_the_same() -> None:
    real, ours = pgx_go.Go(size=4, komi=1), tengen.pgx.Go(size=4, komi=1)
    init, step, _ = functions(real)
    rng = np.random.default_rng(5)
    keys = jax.random.split(jax.random.PRNGKey(5), 32)
    states = [(ours.init(keys), init(keys))]
    for number in range(1500):
        mine, theirs = states[rng.integers(max(0, len(states) - 12), len(states))]
        if rng.random() < 0.02:
            stopped = rng.random(32) < 0.3
            mine, theirs = mine.replace(truncated=stopped), theirs.replace(truncated=jax.numpy.asarray(stopped))
        actions = choose(rng, mine.legal_action_mask, 0.4, 0.01)
        mine, theirs = ours.step(mine, actions), step(theirs, actions)
        same(mine, theirs, f"at branch {number}")
        if mine.terminated.all():
            mine, theirs = ours.init(keys), init(keys)
        states.append((mine, theirs))
        del states[:-40]
