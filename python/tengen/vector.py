"""Many games in lockstep, to learn from."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Literal, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from tengen._arguments import (
    actions_of,
    choice,
    counts,
    indices_of,
    integer,
    marks,
    off_board,
    players_of,
    seed_of_games,
    whole,
)
from tengen._native import Batch, Game, IllegalMoveError, Rules, plane_names, turned_actions
from tengen.buffers import Buffers, aligned_zeros

__all__ = ["Buffers", "VectorEnv", "turn_observation", "turn_policy"]

Observation = npt.NDArray[Any]
Info = dict[str, Any]
Size = SupportsIndex | tuple[SupportsIndex, SupportsIndex] | str
Step = tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Info]


class VectorEnv:
    """Many games of Go in lockstep: exact legal masks, planes and rewards, stepped on all cores.

    >>> import tengen
    >>> env = tengen.VectorEnv(num_envs=64, size=9, komi=7.5, seed=1)
    >>> obs, info = env.reset()
    >>> obs.shape, obs.dtype, info["legal_action_mask"].shape
    ((64, 9, 9, 17), dtype('bool'), (64, 82))
    >>> for _ in range(100):
    ...     obs, rewards, terminated, truncated, info = env.step(env.sample())
    >>> rewards.shape, int(info["moves"][0])
    ((64, 2), 100)

    An action is a point, counted from the top left row by row, or the number behind the last point for a pass. Rewards
    are those of Black and of White: 1 and -1 at the end of a game, 0 for both in a draw and before. Observations are as
    the player to move sees them, whose number is `info["to_move"]` (0 for Black, 1 for White).

    Arguments:

    - num_envs: how many games
    - size: 9, or (columns, rows), or '13x9', or a list with one of these for each game. Smaller boards lie in the top
      left corner of the largest: everything else there is illegal and 0
    - komi: a number, or one for each game, or None for what is customary on the board
    - rules: a name such as 'chinese' or 'pgx', or `tengen.Rules`
    - max_moves: 'auto' ends and counts a game after two moves a point unless the rules say otherwise, a number says
      when, None never
    - observation: 'agz' for the 17 planes of AlphaGo Zero, 'tactical' for liberties, ko, captures and ladders, or None
    - layout: 'channels-last' for (rows, columns, planes), 'channels-first' for (planes, rows, columns)
    - dtype: bool, uint8 or float32, of the observation
    - autoreset: 'next-step', 'same-step' or 'disabled', as Gymnasium names what becomes of games that have ended
    - illegal: 'error' refuses an illegal action, naming game and reason, and changes nothing; with 'loses' its player
      loses
    - packed: masks as bits, too, in `info["packed_mask"]`
    - num_threads: how many threads step the games; None for one on each core
    - num_buffers: arrays are handed out without a copy and filled again so many steps later; 0 makes new ones every
      time. They begin at multiples of 64 bytes, so that other libraries always take them as they are

    Games are changed by one call at a time: a call from another thread waits, and between `send` and `recv` all others
    are refused.
    """

    def __init__(
        self,
        num_envs: SupportsIndex = 1024,
        size: Size | Sequence[Size] = 9,
        komi: float | Sequence[float] | npt.NDArray[np.floating[Any]] | None = None,
        rules: str | Rules = "tromp-taylor",
        seed: SupportsIndex = 0,
        observation: Literal["agz", "tactical"] | None = "agz",
        *,
        max_moves: int | str | None = "auto",
        layout: Literal["channels-last", "channels-first"] = "channels-last",
        dtype: npt.DTypeLike = np.bool_,
        autoreset: Literal["next-step", "same-step", "disabled"] = "next-step",
        illegal: Literal["error", "loses"] = "error",
        packed: bool = False,
        num_threads: SupportsIndex | None = None,
        num_buffers: SupportsIndex = 2,
    ) -> None:
        games_wanted = whole("num_envs", num_envs, 1)
        threads = 0 if num_threads is None else whole("num_threads", num_threads, 1)
        self._dtype: np.dtype[Any] = np.dtype(dtype)
        if self._dtype not in [np.dtype(kind) for kind in (np.bool_, np.uint8, np.float32)]:
            raise ValueError(f"dtype is bool, uint8 or float32, not {self._dtype}")
        rules_of_all = _with_length(rules, max_moves)
        sizes = _one_each(size, games_wanted, "size", is_one=_is_one_size)
        komis = _one_each(komi, games_wanted, "komi", is_one=lambda komi: komi is None or np.ndim(komi) == 0)
        with_komi: dict[float | None, Rules] = {None: rules_of_all}
        for one in komis:
            if one not in with_komi:
                with_komi[one] = Rules(rules_of_all, komi=float(one))
        self._options: dict[str, Any] = {
            "autoreset": choice("autoreset", autoreset, ["next-step", "same-step", "disabled"]),
            "illegal": choice("illegal", illegal, ["error", "loses"]),
            "observation": choice("observation", observation, ["agz", "tactical", None]),
            "layout": choice("layout", layout, ["channels-last", "channels-first"]),
            "seed": seed_of_games(seed),
            "num_threads": threads,
        }
        games = [(size, with_komi[komi]) for size, komi in zip(sizes, komis, strict=True)]
        self._packed = packed
        self._num_buffers = whole("num_buffers", num_buffers, 0)
        self._start(Batch(games, self._options))

    @classmethod
    def from_games(cls, games: Sequence[Game], **options: Any) -> VectorEnv:
        """An environment that begins with copies of these games, as far as they are; a reset goes back to their starts.

        >>> import tengen
        >>> game = tengen.Game(9, handicap=2)
        >>> env = tengen.VectorEnv.from_games([game] * 8, seed=1)
        >>> obs, info = env.show()
        >>> info["to_move"].tolist()
        [1, 1, 1, 1, 1, 1, 1, 1]

        Size, komi, rules and length are those of the games; all other options are those of the class.
        """
        env = cls(1, 1, **options)
        env._start(Batch.of_games(list(games), env._options))
        return env

    def _start(self, batch: Batch) -> None:
        self._batch = batch
        # Whatever changes or shows the games does it under this lock, and when no step is under way.
        self._lock = threading.Lock()
        self._pending: Future[Step] | None = None
        self._ring = [self.buffers() for _ in range(self._num_buffers)]
        self._turn = 0
        self._executor: ThreadPoolExecutor | None = None
        self._executor_process = 0

    @property
    def num_envs(self) -> int:
        """How many games there are."""
        return self._batch.num_envs

    @property
    def num_actions(self) -> int:
        """How many actions there are: a pass, which is the last one, and a play on each point of the frame."""
        return self._batch.num_actions

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the frame, which is as large as the largest board."""
        return self._batch.size

    @property
    def num_threads(self) -> int:
        """How many threads step the games."""
        return self._batch.num_threads

    @property
    def observation_shape(self) -> tuple[int, ...] | None:
        """The shape of the observation of one game, or None without planes."""
        shape = self._batch.observation_shape
        return None if shape is None else tuple(shape)

    @property
    def observation_dtype(self) -> np.dtype[Any]:
        """The type of the values of an observation."""
        return self._dtype

    @property
    def plane_names(self) -> list[str]:
        """What each plane of an observation shows."""
        observation = self._options["observation"]
        return [] if observation is None else plane_names(observation)

    def buffers(self) -> Buffers:
        """New arrays for `out=`."""
        return Buffers(
            self.num_envs,
            self.num_actions,
            self.observation_shape,
            self._dtype,
            keep_final=self._options["autoreset"] == "same-step" and self.observation_shape is not None,
            packed=self._packed,
        )

    def _next_buffers(self, out: Buffers | None) -> Buffers:
        """The arrays for a step: those of the caller, or the next ones, which `_use_up` then counts as handed out."""
        if out is not None:
            return _checked_buffers(out)
        if not self._ring:
            return self.buffers()
        return self._ring[(self._turn + 1) % len(self._ring)]

    def _use_up(self, out: Buffers | None) -> None:
        if out is None and self._ring:
            self._turn = (self._turn + 1) % len(self._ring)

    def reset(
        self,
        *,
        seed: SupportsIndex | None = None,
        mask: npt.ArrayLike | None = None,
        out: Buffers | None = None,
    ) -> tuple[Any, Info]:
        """Starts all games over, or those where `mask` is true. A seed gives every game a new random generator."""
        which = marks(mask, self.num_envs)
        new_seed = None if seed is None else seed_of_games(seed)
        with self._lock:
            self._refuse_if_sent()
            buffers = self._next_buffers(out)
            self._batch.reset(which, buffers.outputs)
            self._use_up(out)
            if new_seed is not None:
                self._batch.seed(new_seed)
        return buffers.observation, dict(buffers.info)

    def step(
        self,
        actions: npt.ArrayLike,
        *,
        mask: npt.ArrayLike | None = None,
        out: Buffers | None = None,
    ) -> Step:
        """Takes one action in every game, or in those where `mask` is true while the others wait.

        Returns observation, rewards, terminated, truncated and info. The arrays are filled again when `num_buffers`
        more steps were made. An action that is illegal raises `tengen.IllegalMoveError`, which names game, action and
        reason, and then nothing has changed in any game, nor in any array.
        """
        taken, written = actions_of(actions, self.num_envs)
        which = marks(mask, self.num_envs)
        with self._lock:
            self._refuse_if_sent()
            return self._step(taken, written, which, out)

    def _step(
        self,
        actions: npt.NDArray[np.int32],
        written: npt.NDArray[Any] | None,
        which: npt.NDArray[np.bool_] | None,
        out: Buffers | None,
    ) -> Step:
        buffers = self._next_buffers(out)
        try:
            self._batch.step(actions, which, buffers.outputs)
        except IllegalMoveError as error:
            if written is None or written[error.game] == actions[error.game]:
                raise
            raise off_board(error.game, int(written[error.game]), self.num_actions) from None
        self._use_up(out)
        return (
            buffers.observation,
            buffers.rewards,
            buffers.terminated,
            buffers.truncated,
            dict(buffers.info),
        )

    def sample(self, *, out: npt.NDArray[np.int32] | None = None) -> npt.NDArray[np.int32]:
        """Draws a legal action for every game, all equally likely, from the games' own random generators.

        The array is a new one unless `out` is given: int32, one value for each game, in one piece.
        """
        drawn: Any = aligned_zeros((self.num_envs,), np.int32) if out is None else out
        if not _is_in_one_piece(drawn, np.int32):
            raise TypeError(f"out is an array of int32 in one piece, not {_described(out)}")
        if drawn.shape != (self.num_envs,):
            raise ValueError(f"out has the shape {drawn.shape} instead of ({self.num_envs},)")
        with self._lock:
            self._refuse_if_sent()
            self._batch.sample(drawn)
        return cast("npt.NDArray[np.int32]", drawn)

    def send(self, actions: npt.ArrayLike, *, out: Buffers | None = None) -> None:
        """Begins a step and returns at once; `recv` waits for what `step` would have returned.

        With two environments a program computes the actions of one while the other steps.
        """
        taken, written = actions_of(actions, self.num_envs)
        # Copies, since the caller may fill the array again while the step is under way.
        taken, written = taken.copy(), None if written is None else written.copy()
        with self._lock:
            self._refuse_if_sent()
            if self._executor is None or self._executor_process != os.getpid():
                self._executor = ThreadPoolExecutor(1, thread_name_prefix="tengen-step")
                self._executor_process = os.getpid()
            self._pending = self._executor.submit(self._step, taken, written, None, out)

    def recv(self) -> Step:
        """Waits for the step that `send` began. If an exception interrupts the wait, call it again."""
        pending = self._pending
        if pending is None:
            raise RuntimeError("nothing was sent: call send() before recv()")
        try:
            return pending.result()
        finally:
            with self._lock:
                # Another thread may have received this step and sent the next.
                if self._pending is pending and pending.done():
                    self._pending = None

    def _refuse_if_sent(self) -> None:
        if self._pending is not None:
            raise RuntimeError("a step is under way: call recv() first")

    def show(self, *, out: Buffers | None = None) -> tuple[Any, Info]:
        """What `reset` returns, without starting anything over; in new arrays unless `out` is given."""
        buffers = self.buffers() if out is None else _checked_buffers(out)
        with self._lock:
            self._refuse_if_sent()
            self._batch.show(buffers.outputs)
        return buffers.observation, dict(buffers.info)

    def observe(self, players: npt.ArrayLike) -> Observation:
        """A new array with what these players see (0 for Black, 1 for White, one for each game), whosever turn it
        is."""
        shape = self.observation_shape
        if shape is None:
            raise ValueError("the environment was made without planes: pass observation='agz'")
        of_each = players_of(players, self.num_envs)
        planes = aligned_zeros((self.num_envs, *shape), self._dtype)
        raw_dtype = np.uint8 if self._dtype.itemsize == 1 else self._dtype
        with self._lock:
            self._refuse_if_sent()
            self._batch.observe(of_each, planes.reshape(-1).view(raw_dtype))
        return planes

    def game(self, index: SupportsIndex) -> Game:
        """A copy of one of the games, to look at or to play on."""
        number = integer(index)
        if number is None:
            raise TypeError(f"a game has a whole number, 0 to {self.num_envs - 1}, not {index!r}")
        if not 0 <= number < self.num_envs:
            raise IndexError(f"there is no game {number}: games are 0 to {self.num_envs - 1}")
        with self._lock:
            self._refuse_if_sent()
            return self._batch.game(number)

    def rewind(self, moves: npt.ArrayLike) -> None:
        """Takes moves back until each game has at most so many left."""
        of_each = counts("moves", moves, self.num_envs)
        with self._lock:
            self._refuse_if_sent()
            self._batch.rewind(of_each)

    def snapshot(self) -> bytes:
        """All games with their histories and random generators, for `restore`."""
        with self._lock:
            self._refuse_if_sent()
            return self._batch.snapshot()

    def restore(self, snapshot: bytes) -> None:
        """Goes back, or on, to a snapshot of an environment with the same boards. `show` tells what it looks like."""
        with self._lock:
            self._refuse_if_sent()
            self._batch.restore(snapshot)

    def copy(self) -> VectorEnv:
        """The same games at the same point, on their own from now on."""
        with self._lock:
            self._refuse_if_sent()
            copied = self._batch.copy()
        return self._with_batch(self.__dict__, copied)

    def __len__(self) -> int:
        return self.num_envs

    def __getitem__(self, indices: slice | npt.ArrayLike) -> VectorEnv:
        """Copies of some games, with their random generators, as an environment of its own: a slice, indices, which may
        repeat a game to branch from it, or a truth value for each game.

        >>> import tengen
        >>> env = tengen.VectorEnv(4, 5, seed=1)
        >>> obs, info = env.reset()
        >>> branches = env[[2, 2, 2]]
        >>> _ = branches.step([0, 1, 2])
        >>> [len(branches.game(index).turns) for index in range(3)], len(env.game(2).turns)
        ([1, 1, 1], 0)
        """
        with self._lock:
            self._refuse_if_sent()
            gathered = self._batch.gather(indices_of(indices, self.num_envs))
        return self._with_batch(self.__dict__, gathered)

    def __setitem__(self, indices: slice | npt.ArrayLike, env: VectorEnv) -> None:
        """Puts copies of the games of another environment, with the same frame and planes, in the places of some."""
        with self._lock:
            self._refuse_if_sent()
            self._batch.scatter(indices_of(indices, self.num_envs), env._batch)

    @classmethod
    def _with_batch(cls, settings: dict[str, Any], batch: Batch) -> VectorEnv:
        env = cls.__new__(cls)
        for name in ("_dtype", "_options", "_packed", "_num_buffers"):
            setattr(env, name, settings[name])
        env._start(batch)
        return env

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> VectorEnv:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        names = ("_dtype", "_options", "_packed", "_num_buffers")
        return {"snapshot": self.snapshot(), **{name: getattr(self, name) for name in names}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({name: value for name, value in state.items() if name != "snapshot"})
        self._start(Batch.from_snapshot(state["snapshot"], self._options))

    def close(self) -> None:
        """Lets the thread of `send` go. The environment can still be used."""
        executor, self._executor = self._executor, None
        if executor is not None and self._executor_process == os.getpid():
            executor.shutdown(wait=True)

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        columns, rows = self.size
        # The rules never change, so that this needs no lock and can be printed while a step is under way.
        return f"<VectorEnv: {self.num_envs} games on {columns}x{rows}, {self._batch.game(0).rules} rules>"


def _with_length(rules: str | Rules, max_moves: int | str | None) -> Rules:
    chosen = Rules(rules)
    if max_moves != "auto":
        return Rules(chosen, max_moves=max_moves)
    # PettingZoo's games may go on for ever; every other rule set without an end of its own gets the one that programs
    # learn with.
    if chosen.max_moves is not None or chosen == Rules("petting-zoo"):
        return chosen
    return Rules(chosen, max_moves="2x")


def _is_one_size(value: Any) -> bool:
    # An array of one number is a list of one size, as everywhere; NumPy's own numbers are numbers.
    return isinstance(value, tuple | str) or hasattr(value, "__index__") and np.ndim(value) == 0


def _one_each(value: Any, num_envs: int, name: str, is_one: Callable[[Any], bool]) -> list[Any]:
    if is_one(value):
        return [value] * num_envs
    try:
        each = list(value)
    except TypeError:
        raise TypeError(f"{name} is one value or one for each game, not {value!r}") from None
    if len(each) != num_envs:
        raise ValueError(f"{name} has {len(each)} values for {num_envs} games")
    return each


def _checked_buffers(out: Any) -> Buffers:
    if not isinstance(out, Buffers):
        raise TypeError(f"out is what env.buffers() returns, not {_described(out)}")
    return out


def _described(value: Any) -> str:
    """A value in a few words: arrays are long."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    array = cast("npt.NDArray[Any]", value)
    pieces = "" if array.flags.c_contiguous else " in several pieces"
    return f"one of {array.dtype}{pieces}"


def _is_in_one_piece(value: Any, dtype: npt.DTypeLike) -> bool:
    if not isinstance(value, np.ndarray):
        return False
    array = cast("npt.NDArray[Any]", value)
    return array.dtype == dtype and array.flags.c_contiguous


def turn_observation(
    observation: Observation,
    symmetry: int,
    layout: Literal["channels-last", "channels-first"] = "channels-last",
) -> Observation:
    """Observations of boards that were turned or mirrored in one of eight ways; any number of leading dimensions.

    Of the bits of `symmetry`, 1 mirrors left and right, 2 top and bottom, 4 then exchanges rows and columns.

    >>> import numpy as np, tengen
    >>> planes = np.zeros((9, 9, 17))
    >>> planes[0, 1, :] = 1
    >>> np.argwhere(tengen.turn_observation(planes, 1)[:, :, 0]).tolist()
    [[0, 7]]
    """
    _check_symmetry(symmetry)
    if np.ndim(observation) < 3:
        raise ValueError(f"an observation has three dimensions or more, not the shape {np.shape(observation)}")
    rows, columns = (-3, -2) if layout == "channels-last" else (-2, -1)
    turned = observation
    if symmetry & 1:
        turned = np.flip(turned, columns)
    if symmetry & 2:
        turned = np.flip(turned, rows)
    if symmetry & 4:
        turned = np.swapaxes(turned, rows, columns)
    return np.ascontiguousarray(turned)


def turn_policy(policy: Observation, symmetry: int, size: Size) -> Observation:
    """A number for each action, moved along with boards turned by `turn_observation`; any number of leading dimensions.

    >>> import numpy as np, tengen
    >>> tengen.turn_policy(np.arange(7), 1, (3, 2)).tolist()
    [2, 1, 0, 5, 4, 3, 6]
    """
    _check_symmetry(symmetry)
    places = turned_actions(size, symmetry)
    if np.shape(policy)[-1:] != (len(places),):
        raise ValueError(f"the last dimension of a policy has {len(places)} actions here, not {np.shape(policy)}")
    turned = np.empty_like(policy)
    turned[..., places] = policy
    return turned


def _check_symmetry(symmetry: int) -> None:
    if not 0 <= symmetry < 8:
        raise ValueError(f"symmetries are numbered 0 to 7, not {symmetry}")
