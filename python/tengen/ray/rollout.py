"""What a worker of a pool hands back: so many steps of so many games, as few bytes as they can be rebuilt from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tengen.vector import VectorEnv

__all__ = ["Frame", "Rollout"]


class Frame(NamedTuple):
    """One step of all games of a rollout: what was seen, what was done, and what came of it."""

    observation: Any
    """What the players to move saw before the step; None without planes."""
    legal_action_mask: npt.NDArray[np.bool_]
    """What they were allowed to do."""
    to_move: npt.NDArray[np.uint8]
    """Who they were: 0 for Black, 1 for White."""
    actions: npt.NDArray[np.int16]
    """What they did."""
    rewards: npt.NDArray[np.float32]
    """What Black and White got for it, one row for each game."""
    terminated: npt.NDArray[np.bool_]
    """Which games this ended. The next frame shows the first position of a new one."""


@dataclass(frozen=True, eq=False)
class Rollout:
    """So many steps of so many games, played by one worker.

    Observations are not in it: 128 steps of 256 games on 9x9 are 64 kB of actions and about 30 kB for where they began,
    but 45 MB of planes. `replay` makes them again, exactly, and as whatever planes are wanted.
    """

    worker: int
    """Which worker played it."""
    index: int
    """Which of the worker's rollouts it is, counted from 0."""
    seed: int
    """The seed of the worker's environment."""
    version: int
    """How often weights had been broadcast when it was played."""
    options: dict[str, Any]
    """The options of the environment."""
    start: bytes
    """A snapshot of the environment before the first step, with games that began in earlier rollouts."""
    actions: npt.NDArray[np.int16]
    """The actions: a row for each step, a column for each game."""
    end_steps: npt.NDArray[np.int32]
    """In which steps games ended, in order."""
    end_envs: npt.NDArray[np.int32]
    """Which games these were."""
    black_rewards: npt.NDArray[np.float32]
    """What each of these brought Black: 1, -1, or 0 for a draw."""
    scores: npt.NDArray[np.float32]
    """By how many points Black won each of these; less than 0 where White did."""
    seconds: float
    """How long the worker took."""

    @property
    def steps(self) -> int:
        """How many moves were made in all games together."""
        return int(self.actions.size)

    @property
    def games(self) -> int:
        """How many games ended."""
        return len(self.end_steps)

    @property
    def wins(self) -> tuple[int, int]:
        """How many of the games that ended were won by Black, and by White."""
        return int((self.black_rewards > 0).sum()), int((self.black_rewards < 0).sum())

    @property
    def nbytes(self) -> int:
        """How many bytes the arrays and the snapshot take."""
        arrays = (self.actions, self.end_steps, self.end_envs, self.black_rewards, self.scores)
        return len(self.start) + sum(array.nbytes for array in arrays)

    def environment(self, **options: Any) -> VectorEnv:
        """The environment as it was before the first step, with other planes if `options` say so.

        The boards, rules and the number of games are those of the snapshot.
        """
        of_all: dict[str, Any] = {**self.options, "seed": self.seed, **options}
        env = VectorEnv(**of_all)
        env.restore(self.start)
        return env

    def replay(self, **options: Any) -> Iterator[Frame]:
        """Plays the rollout again and yields every step of it.

        `options` are those of `VectorEnv`, such as `observation='tactical'` or `dtype='float32'`. The arrays of a frame
        are its own, and stay as they are when the next one is made.
        """
        env = self.environment(**{"num_buffers": 0, **options})
        observation, info = env.show()
        for actions in self.actions:
            mask, to_move = info["legal_action_mask"], info["to_move"]
            after, rewards, terminated, _, info = env.step(actions)
            yield Frame(observation, mask, to_move, actions, rewards, terminated)
            observation = after

    def __repr__(self) -> str:
        rows, columns = self.actions.shape
        return f"<Rollout {self.index} of worker {self.worker}: {rows} steps of {columns} games, {self.games} ended>"
