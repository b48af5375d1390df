"""mctx searches the states of `tengen.pgx` as it does those of Pgx."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
mctx = pytest.importorskip("mctx")
go = pytest.importorskip("pgx.go")

import tengen.pgx.jax  # noqa: E402

jnp: Any = jax.numpy
GAMES = 4


def judged(state: Any) -> tuple[Any, Any]:
    """Something that depends on the board: all moves alike, and who has more stones."""
    stones = state.observation[..., 0].sum((1, 2)) * 1.0 - state.observation[..., 1].sum((1, 2))
    return jnp.where(state.legal_action_mask, 0.0, jnp.finfo(jnp.float32).min), stones / 9


def searched(env: Any) -> Any:
    """What mctx finds after two moves."""
    init, step = jax.vmap(env.init), jax.vmap(env.step)

    def recurrent(params: Any, key: Any, action: Any, state: Any) -> Any:
        del params, key
        player = state.current_player
        state = step(state, action)
        logits, value = judged(state)
        return mctx.RecurrentFnOutput(
            reward=state.rewards[jnp.arange(GAMES), player],
            discount=jnp.where(state.terminated, 0.0, -1.0),
            prior_logits=logits,
            value=jnp.where(state.terminated, 0.0, value),
        ), state

    @jax.jit
    def search(key: Any) -> Any:
        state = init(jax.random.split(key, GAMES))
        for action in (4, 1):
            state = step(state, jnp.full(GAMES, action))
        logits, value = judged(state)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        return mctx.gumbel_muzero_policy(None, key, root, recurrent, 24, ~state.legal_action_mask)

    return search(jax.random.PRNGKey(2))


def test_mctx_finds_the_same() -> None:
    ours, theirs = searched(tengen.pgx.jax.make("go_3x3")), searched(go.Go(size=3))
    np.testing.assert_array_equal(ours.action, theirs.action)
    np.testing.assert_allclose(ours.action_weights, theirs.action_weights, atol=1e-6)
    np.testing.assert_array_equal(ours.search_tree.children_visits, theirs.search_tree.children_visits)
