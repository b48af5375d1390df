"""Games in parts, of which some step while a program thinks about others."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from tengen._arguments import whole
from tengen._native import IllegalMoveError
from tengen.vector import Step, VectorEnv

__all__ = ["AsyncEnv"]


class AsyncEnv:
    """Games in parts: `recv` returns the part that is ready first, `send` lets it go on.

    >>> import tengen
    >>> env = tengen.AsyncEnv(tengen.VectorEnv(1024, 9, seed=1, num_threads=1), batch_size=256)
    >>> env.async_reset()
    >>> for _ in range(20):
    ...     obs, rewards, terminated, truncated, info = env.recv()
    ...     actions = info["legal_action_mask"].argmax(1)
    ...     env.send(actions, info["env_id"])
    >>> obs.shape, len(env)
    ((256, 9, 9, 17), 1024)

    The games are copies of those of an environment, with its options. `info["env_id"]` has their numbers, and `send`
    takes them back: always those of one whole part, since all games of a part take the same time. The games are the
    same as in the environment, whichever part is ready first.

    - env: the games; each part steps on `num_threads` threads of its own
    - batch_size: how many games a part has, which divides the number of games
    """

    def __init__(self, env: VectorEnv, batch_size: SupportsIndex) -> None:
        self.batch_size = whole("batch_size", batch_size, 1, env.num_envs)
        self.num_envs = env.num_envs
        if self.num_envs % self.batch_size:
            raise ValueError(f"batch_size divides the number of games, {self.num_envs}, and {self.batch_size} does not")
        starts = range(0, self.num_envs, self.batch_size)
        self._parts = [env[start : start + self.batch_size] for start in starts]
        self._ids = [np.arange(start, start + self.batch_size, dtype=np.int32) for start in starts]
        # Parts that step, or have stepped and were not received.
        self._sent = [False] * len(self._parts)
        self._ready: SimpleQueue[tuple[int, Future[Step]]] = SimpleQueue()
        self._executor = ThreadPoolExecutor(min(len(self._parts), os.cpu_count() or 1), "tengen-part")

    def async_reset(self) -> None:
        """Starts all games over. What they look like is received, part by part."""
        if any(self._sent):
            raise RuntimeError("parts are under way: call recv() until all were received")
        for part, env in enumerate(self._parts):
            self._begin(part, _reset, env)

    def recv(self) -> Step:
        """Waits for the part that is ready first: observation, rewards, terminated, truncated and info of its games.

        An illegal action raises `tengen.IllegalMoveError`, whose `game` is the number of the game among all. Then
        nothing has changed in the part, and other actions can be sent to it.
        """
        if not any(self._sent):
            raise RuntimeError("nothing is under way: call async_reset() or send() before recv()")
        part, done = self._ready.get()
        self._sent[part] = False
        try:
            observation, rewards, terminated, truncated, info = done.result()
        except IllegalMoveError as error:
            raise _among_all(error, int(self._ids[part][0])) from None
        return observation, rewards, terminated, truncated, {**info, "env_id": self._ids[part]}

    def send(self, actions: npt.ArrayLike, env_id: npt.ArrayLike) -> None:
        """Begins a step of the part with these games, and returns at once."""
        ids: npt.NDArray[Any] = np.asarray(env_id)
        first = int(ids[0]) if ids.ndim == 1 and len(ids) and ids.dtype.kind in "iu" else -1
        part = first // self.batch_size
        if not 0 <= part < len(self._parts) or not np.array_equal(ids, self._ids[part]):
            raise ValueError("env_id is `info['env_id']` of a part that was received, whole and in its order")
        if self._sent[part]:
            raise RuntimeError(f"games {ids[0]} to {ids[-1]} are under way: call recv() first")
        # A copy, since the caller may fill the array again while the step is under way.
        self._begin(part, self._parts[part].step, np.array(actions))

    def _begin(self, part: int, work: Any, *arguments: Any) -> None:
        self._sent[part] = True
        done: Future[Step] = self._executor.submit(work, *arguments)
        done.add_done_callback(lambda done: self._ready.put((part, done)))

    def __len__(self) -> int:
        return self.num_envs

    def close(self) -> None:
        """Waits for what is under way, and lets the threads go."""
        self._executor.shutdown(wait=True)

    def __enter__(self) -> AsyncEnv:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<AsyncEnv: {len(self._parts)} parts of {self.batch_size} games>"


def _reset(env: VectorEnv) -> Step:
    observation, info = env.reset()
    games = env.num_envs
    nothing, over = np.zeros((games, 2), np.float32), np.zeros(games, np.bool_)
    return observation, nothing, over, over.copy(), info


def _among_all(error: IllegalMoveError, first: int) -> IllegalMoveError:
    """The same refusal with the number of the game among all games, not among those of its part."""
    game = error.game + first
    moved = IllegalMoveError(str(error).replace(f"game {error.game}:", f"game {game}:", 1))
    moved.reason, moved.move, moved.game = error.reason, error.move, game
    return moved
