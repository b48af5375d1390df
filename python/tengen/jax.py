"""Steps inside of compiled functions of JAX: `jit`, `scan`, `fori_loop`, on processors.

>>> from tengen.jax import Stepper  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from tengen._native import xla_step
from tengen.vector import VectorEnv

__all__ = ["Stepper", "TimeStep"]

try:
    _jax: Any = import_module("jax")
except ImportError as error:
    raise ImportError("this needs JAX: pip install jax") from error

_TARGET = "tengen_step"


class TimeStep(NamedTuple):
    """What a step shows of all games."""

    observation: Any
    """What the players to move see, as the environment has it; None without planes."""
    legal_action_mask: Any
    """What they may do."""
    rewards: Any
    """What Black and White got, a row for each game."""
    terminated: Any
    """Which games this step ended."""
    to_move: Any
    """0 for Black, 1 for White."""
    moves: Any
    """How many moves were played."""
    score: Any
    """Black's points less White's where the step ended a game, not a number elsewhere."""


class Stepper:
    """The games of a `VectorEnv`, to be stepped inside of compiled functions.

    >>> import jax, tengen
    >>> from tengen.jax import Stepper
    >>> stepper = Stepper(tengen.VectorEnv(8, 5, seed=1, autoreset="same-step", dtype="float32"))
    >>> @jax.jit
    ... def play(handle, shown, key):
    ...     def move(carry, key):
    ...         handle, shown = carry
    ...         actions = jax.random.categorical(key, jax.numpy.where(shown.legal_action_mask, 0.0, -jax.numpy.inf))
    ...         handle, shown = stepper.step(handle, actions)
    ...         return (handle, shown), shown.rewards
    ...     return jax.lax.scan(move, (handle, shown), jax.random.split(key, 100))
    >>> (handle, shown), rewards = play(*stepper.init(), jax.random.key(1))
    >>> rewards.shape
    (100, 8, 2)

    A step is a call of native code from the compiled program: no Python, no copies. The games are not in the arrays but
    in the environment. The handle stands for them, so that steps come in order: each is good for one step, and an older
    one is refused, since games cannot be branched that way. `vmap` does not apply, because a batch is one already. An
    illegal action of an environment with `illegal='error'` raises JAX's error, which names game and reason. JAX returns
    before a program is done: call `jax.block_until_ready` before you use the environment otherwise.
    """

    def __init__(self, env: VectorEnv) -> None:
        self.env = env
        _register()
        games, actions = env.num_envs, env.num_actions
        shape = _jax.ShapeDtypeStruct
        self._results: list[Any] = [
            shape((2,), np.uint32),
            shape((games, actions), np.bool_),
            shape((games, 2), np.float32),
            shape((games,), np.bool_),
            shape((games,), np.uint8),
            shape((games,), np.int32),
            shape((games,), np.float32),
        ]
        self._is_bool = env.observation_dtype == np.bool_
        if env.observation_shape is not None:
            # Truth values come as bytes of 0 and 1.
            kind = np.uint8 if self._is_bool else env.observation_dtype
            self._results.append(shape((games, *env.observation_shape), kind))

    def init(self) -> tuple[Any, TimeStep]:
        """A handle for the games as they are, and what they look like. Use the last one that was made."""
        observation, info = self.env.show()
        games = self.env.num_envs
        handle = np.array([self.env._batch.xla_register(), 0], np.uint32)
        planes = None if observation is None else _jax.numpy.array(observation)
        shown = TimeStep(
            planes,
            _jax.numpy.array(info["legal_action_mask"]),
            _jax.numpy.zeros((games, 2), np.float32),
            _jax.numpy.zeros(games, np.bool_),
            _jax.numpy.array(info["to_move"]),
            _jax.numpy.array(info["moves"]),
            _jax.numpy.full(games, np.nan, np.float32),
        )
        return _jax.numpy.array(handle), shown

    def step(self, handle: Any, actions: Any) -> tuple[Any, TimeStep]:
        """Takes an action in every game: a new handle, and what the games look like. It may be compiled."""
        call = _jax.ffi.ffi_call(_TARGET, self._results, has_side_effect=True)
        following, mask, rewards, terminated, to_move, moves, score, *planes = call(
            handle, _jax.numpy.asarray(actions).astype(np.int32)
        )
        observation = planes[0] if planes else None
        if observation is not None and self._is_bool:
            observation = observation.astype(np.bool_)
        return following, TimeStep(observation, mask, rewards, terminated, to_move, moves, score)


_registered: list[bool] = []


def _register() -> None:
    """Tells JAX where the native function is, once."""
    if not _registered:
        _jax.ffi.register_ffi_target(_TARGET, _jax.ffi.pycapsule(xla_step()), platform="cpu")
        _registered.append(True)
