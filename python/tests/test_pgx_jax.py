"""States of `tengen.pgx` as pytrees, in compiled functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tengen.pgx

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install jax")

import tengen.pgx.jax  # noqa: E402
from test_pgx import FIELDS  # noqa: E402


def same(compiled: Any, state: tengen.pgx.State) -> None:
    for name in FIELDS:
        ours, theirs = np.asarray(getattr(compiled, name)), getattr(state, name)
        assert ours.dtype == theirs.dtype, name
        np.testing.assert_array_equal(ours, theirs, err_msg=name)


@pytest.mark.parametrize(("name", "options"), [("go_3x3", {}), ("go_5x4", {"komi": 6, "history_length": 3})])
def test_compiled_games_are_those_of_numpy(name: str, options: dict[str, Any]) -> None:
    plain, env = tengen.pgx.make(name, **options), tengen.pgx.jax.make(name, **options)
    init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
    keys = jax.random.split(jax.random.PRNGKey(3), 16)
    state, compiled = plain.init(keys), init(keys)
    same(compiled, state)
    dice = np.random.default_rng(1)
    for _ in range(60):
        # Illegal actions now and then.
        drawn = dice.integers(plain.num_actions, size=16)
        legal = tengen.pgx.act_randomly(int(dice.integers(99)), state.legal_action_mask)
        actions = np.where(dice.random(16) < 0.02, drawn, legal)
        state, compiled = plain.step(state, actions), step(compiled, actions)
        same(compiled, state)
        player = jax.vmap(env.observe)(compiled, 1 - compiled.current_player)
        np.testing.assert_array_equal(player, plain.observe(state, 1 - state.current_player))
    assert state.terminated.all()


def test_one_game_branches_under_any_mapping() -> None:
    env, plain = tengen.pgx.jax.make("go_3x3"), tengen.pgx.make("go_3x3")
    root = env.step(env.init(jax.random.PRNGKey(0)), 4)
    branches = jax.jit(jax.vmap(env.step, (None, 0)))(root, np.arange(9))
    for action in (0, 4, 8):
        after = plain.step(plain.step(plain.init(jax.random.PRNGKey(0)), 4), action)
        same(jax.tree.map(lambda field, action=action: field[action], branches), after)
    twice = jax.vmap(jax.vmap(env.step, (None, 0)), (None, 0))(root, np.arange(8).reshape(2, 4) // 4 * 8)
    assert twice.observation.shape == (2, 4, 3, 3, 17)
    assert root.replace(terminated=True).terminated


def test_the_model_says_the_same_of_both_kinds_of_state() -> None:
    env, plain = tengen.pgx.jax.make("go_5x5"), tengen.pgx.make("go_5x5")
    key = jax.random.PRNGKey(5)
    compiled, state = env.step(env.init(key), 12), plain.step(plain.init(key), 12)
    ours, theirs = tengen.pgx.jax.make_baseline_model(env)(compiled), tengen.pgx.make_baseline_model("go_5x5")(state)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-6)
    with pytest.raises(ValueError, match="this model is for go_9x9, not for go_5x5"):
        tengen.pgx.make_baseline_model("go_9x9_v0")(state)


def test_games_without_a_length_are_refused() -> None:
    env = tengen.pgx.make("go_3x3")
    env._options["max_moves"] = None
    with pytest.raises(ValueError, match="games need a length"):
        tengen.pgx.jax.Go(env)
