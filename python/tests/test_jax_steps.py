"""Steps inside of compiled functions of JAX."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest

import tengen

jax = pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
jnp: Any = jax.numpy

import tengen.jax  # noqa: E402
from tengen.jax import Stepper  # noqa: E402


def made(**options: Any) -> tengen.VectorEnv:
    return tengen.VectorEnv(**{"num_envs": 6, "size": 5, "seed": 3, "autoreset": "same-step", **options})


def play(stepper: Stepper, steps: int, key: Any) -> Any:
    """Random legal moves inside of one compiled function, and all that was seen."""

    @jax.jit
    def run(handle: Any, shown: Any, key: Any) -> Any:
        def move(carry: Any, key: Any) -> Any:
            handle, shown = carry
            actions = jax.random.categorical(key, jnp.where(shown.legal_action_mask, 0.0, -jnp.inf))
            handle, shown = stepper.step(handle, actions)
            return (handle, shown), (actions, shown)

        return jax.lax.scan(move, (handle, shown), jax.random.split(key, steps))

    return run(*stepper.init(), key)


@pytest.mark.parametrize(
    "options",
    [{}, {"dtype": "float32"}, {"dtype": "uint8", "observation": "tactical"}, {"observation": None, "num_threads": 2}],
)
def test_a_scan_shows_what_steps_show_one_by_one(options: dict[str, Any]) -> None:
    env, twin = made(**options), made(**options)
    env.reset(seed=1)
    twin.reset(seed=1)
    (handle, last), (actions, shown) = play(Stepper(env), 120, jax.random.key(4))
    assert handle.tolist()[1] == 120
    ended = 0
    for step in range(120):
        observation, rewards, terminated, _, info = twin.step(np.asarray(actions[step]))
        if observation is not None:
            np.testing.assert_array_equal(shown.observation[step], observation)
            assert shown.observation.dtype == observation.dtype
        np.testing.assert_array_equal(shown.rewards[step], rewards)
        np.testing.assert_array_equal(shown.terminated[step], terminated)
        np.testing.assert_array_equal(shown.legal_action_mask[step], info["legal_action_mask"])
        np.testing.assert_array_equal(shown.to_move[step], info["to_move"])
        np.testing.assert_array_equal(shown.moves[step], info["moves"])
        np.testing.assert_array_equal(shown.score[step], info["score"])
        ended += int(terminated.sum())
    assert ended > 6
    # JAX returns before a program is done; the arrays above were waited for.
    assert env.snapshot() == twin.snapshot()
    np.testing.assert_array_equal(last.to_move, env.show()[1]["to_move"])


def test_each_handle_is_good_for_one_step() -> None:
    env = made()
    env.reset()
    stepper = Stepper(env)
    step = jax.jit(stepper.step)
    handle, _ = stepper.init()
    following, _ = step(handle, jnp.arange(6))
    with pytest.raises(Exception, match="that of step 0, and the games have gone on to step 1"):
        jax.block_until_ready(step(handle, jnp.arange(6)))
    _, shown = step(following, jnp.arange(6) + 6)
    assert shown.moves.tolist() == [2] * 6


def test_an_illegal_action_is_named_and_changes_nothing() -> None:
    env = made()
    env.reset()
    stepper = Stepper(env)
    step = jax.jit(stepper.step)
    handle, _ = jax.block_until_ready(step(stepper.init()[0], jnp.arange(6)))
    before = env.snapshot()
    with pytest.raises(Exception, match="game 2: .*occupied"):
        jax.block_until_ready(step(handle, jnp.array([7, 7, 2, 7, 7, 7])))
    assert env.snapshot() == before
    # Nothing has happened, so that the handle is still good.
    _, shown = step(handle, jnp.full(6, 7))
    assert shown.moves.tolist() == [2] * 6


def test_an_environment_that_is_gone_is_missed() -> None:
    env = made()
    env.reset()
    stepper = Stepper(env)
    step = jax.jit(stepper.step)
    handle, _ = stepper.init()
    _ = step(handle, jnp.arange(6))
    stale = np.array([handle[0] + 1000, 0], np.uint32)
    with pytest.raises(Exception, match="the environment of this handle is gone"):
        jax.block_until_ready(step(stale, jnp.arange(6)))
    with pytest.raises(NotImplementedError, match="vmap"):
        jax.vmap(stepper.step)(jnp.zeros((2, 2), jnp.uint32), jnp.zeros((2, 6), jnp.int32))


def test_two_environments_are_stepped_side_by_side() -> None:
    first, second = Stepper(made()), Stepper(made())
    for stepper in (first, second):
        stepper.env.reset()

    @jax.jit
    def both(one: Any, other: Any) -> Any:
        return first.step(one, jnp.zeros(6, jnp.int32)), second.step(other, jnp.full(6, 25))

    (_, one), (_, other) = both(first.init()[0], second.init()[0])
    assert not np.asarray(one.legal_action_mask)[:, 0].any()
    assert np.asarray(other.legal_action_mask)[:, 0].all()


def test_the_example_of_its_docstring_holds() -> None:
    assert doctest.testmod(tengen.jax).failed == 0
