"""What runs inside each actor of a pool. Nothing here knows Ray, so that tests run it without."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.vector import VectorEnv

__all__ = ["Act", "Played", "Policy", "Worker", "seed_of"]

Act = Callable[[Any, npt.NDArray[np.bool_], np.random.Generator], npt.ArrayLike]
Policy = Callable[[Any], Act]


def seed_of(seed: int, worker: int) -> int:
    """The seed of a worker's environment, from the seed of the pool.

    >>> seed_of(1, 0) != seed_of(1, 1) != seed_of(2, 0)
    True
    """
    return int(np.random.SeedSequence(seed, spawn_key=(worker,)).generate_state(1, np.uint64)[0])


@dataclass(frozen=True, eq=False)
class Played:
    """What a worker sends back: the parts of a `Rollout` that the pool does not know yet, and where it stopped."""

    actions: npt.NDArray[np.int16]
    end_steps: npt.NDArray[np.int32]
    end_envs: npt.NDArray[np.int32]
    black_rewards: npt.NDArray[np.float32]
    scores: npt.NDArray[np.float32]
    seconds: float
    end: bytes


class Worker:
    """An environment and a policy. What it plays depends on its arguments alone, not on what it played before."""

    def __init__(self, options: dict[str, Any], policy: Policy | None) -> None:
        self._env = VectorEnv(**options)
        self._env.reset()
        self._policy = policy
        self._act: Act | None = None
        self._version: int | None = None
        self._stopped_at: bytes | None = None

    def knows(self, version: int) -> bool:
        """Whether the policy has the weights of this version."""
        return self._version == version

    def learn(self, version: int, weights: Any) -> None:
        """Makes the policy play with these weights."""
        self._act = None if self._policy is None else self._policy(weights)
        self._version = version

    def play(self, start: bytes, steps: int, seed: tuple[int, int, int]) -> Played:
        """Plays so many steps from a snapshot. The seed is the pool's, the worker's number and that of the rollout."""
        began = time.perf_counter()
        env, act = self._env, self._act
        # Restoring takes as long as dozens of steps, and nearly always the environment is there already.
        if start != self._stopped_at:
            env.restore(start)
        self._stopped_at = None
        pool, worker, index = seed
        rng = np.random.default_rng(np.random.SeedSequence(pool, spawn_key=(worker, index)))
        observation, info = env.show()
        actions = np.empty((steps, env.num_envs), np.int16)
        ends: list[tuple[Any, ...]] = []
        for step in range(steps):
            taken = env.sample() if act is None else act(observation, info["legal_action_mask"], rng)
            observation, rewards, terminated, _, info = env.step(taken)
            actions[step] = taken
            if terminated.any():
                which = np.flatnonzero(terminated)
                ends.append((np.full(len(which), step), which, rewards[which, 0], info["score"][which]))
        columns: list[list[Any]] = [[end[column] for end in ends] for column in range(4)]
        joined: list[npt.NDArray[Any]] = [np.concatenate([np.zeros(0), *column]) for column in columns]
        end_steps, end_envs, black_rewards, scores = joined
        self._stopped_at = env.snapshot()
        return Played(
            actions,
            end_steps.astype(np.int32),
            end_envs.astype(np.int32),
            black_rewards.astype(np.float32),
            scores.astype(np.float32),
            time.perf_counter() - began,
            self._stopped_at,
        )
