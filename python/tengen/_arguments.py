"""What callers write, checked: an error names the argument and the value, and the first index that is wrong."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen._native import IllegalMoveError

__all__ = [
    "actions_of",
    "choice",
    "counts",
    "indices_of",
    "integer",
    "marks",
    "off_board",
    "players_of",
    "seed_of_games",
    "single_action",
    "whole",
]

INT32 = np.iinfo(np.int32)


def integer(value: Any) -> int | None:
    """A number of any integer type, or None: truth values are none, and what would have to be rounded is none."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number from `least` on, of any integer type.

    >>> whole("num_envs", np.int64(4), 1)
    4
    """
    bounds = f"{least} or more" if most is None else f"{least} to {most}"
    number = integer(value)
    if number is None:
        raise TypeError(f"{name} is a whole number, {bounds}, not {value!r}")
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name} is a whole number, {bounds}, not {number}")
    return number


def seed_of_games(value: Any) -> int:
    """A seed: every number of 64 bits is one."""
    return whole("seed", value, 0, 2**64 - 1)


def choice(name: str, value: Any, choices: Sequence[str | None]) -> Any:
    """One of a few words.

    >>> choice("illegal", "loses", ["error", "loses"])
    'loses'
    """
    if isinstance(value, str | None) and value in choices:
        return value
    kind = ValueError if isinstance(value, str) else TypeError
    *others, last = (repr(word) for word in choices)
    raise kind(f"{name} is {', '.join(others)} or {last}, not {value!r}")


def marks(value: npt.ArrayLike | None, num_envs: int) -> npt.NDArray[np.bool_] | None:
    """A mask: one truth value, or 0 or 1, for each game."""
    if value is None:
        return None
    array: npt.NDArray[Any] = np.asarray(value)
    if array.shape != (num_envs,):
        raise ValueError(f"mask has the shape {array.shape} instead of ({num_envs},): a truth value for each game")
    if array.dtype != np.bool_:
        if array.dtype.kind not in "iu":
            raise TypeError(f"mask has truth values, and mask[0] is {array[0]!r}")
        wrong = np.flatnonzero((array != 0) & (array != 1))
        if len(wrong):
            index = int(wrong[0])
            raise ValueError(f"mask has truth values, not the indices of games, and mask[{index}] is {array[index]}")
    return np.ascontiguousarray(array, np.bool_)


def _of_each(name: str, value: npt.ArrayLike, num_envs: int) -> npt.NDArray[Any]:
    """A whole number for each game; one alone is for all of them."""
    array: npt.NDArray[Any] = np.asarray(value)
    if array.ndim and array.shape != (num_envs,):
        raise ValueError(f"{name} have the shape {array.shape} instead of ({num_envs},)")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} are whole numbers, not {array.flat[0]!r}")
    return np.broadcast_to(array, (num_envs,))


def players_of(value: npt.ArrayLike, num_envs: int) -> npt.NDArray[np.uint8]:
    """A player for each game."""
    players = _of_each("players", value, num_envs)
    wrong = np.flatnonzero((players != 0) & (players != 1))
    if len(wrong):
        raise ValueError(f"players are 0 for Black and 1 for White, not {players[wrong[0]]} in game {wrong[0]}")
    return np.ascontiguousarray(players, np.uint8)


def counts(name: str, value: npt.ArrayLike, num_envs: int) -> npt.NDArray[np.int32]:
    """A number of moves for each game."""
    numbers = _of_each(name, value, num_envs)
    wrong = np.flatnonzero((numbers < 0) | (numbers > INT32.max))
    if len(wrong):
        raise ValueError(f"{name} are 0 or more, not {numbers[wrong[0]]} in game {wrong[0]}")
    return np.ascontiguousarray(numbers, np.int32)


def indices_of(value: slice | npt.ArrayLike, num_envs: int) -> list[int]:
    """The indices of games that a slice, indices or truth values mean. Negative ones count from the end.

    >>> indices_of([1, -1, 1], 4), indices_of(slice(None, None, 2), 4), indices_of([True, False, False, True], 4)
    ([1, 3, 1], [0, 2], [0, 3])
    """
    if isinstance(value, slice):
        return list(range(num_envs))[value]
    array: npt.NDArray[Any] = np.atleast_1d(np.asarray(value))
    if array.dtype == np.bool_:
        marked = marks(array, num_envs)
        return [] if marked is None else np.flatnonzero(marked).tolist()
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise TypeError(f"games are named by a slice, by whole numbers or by truth values, not by {value!r}")
    indices: list[int] = array.astype(np.int64).tolist()
    for index in indices:
        if not -num_envs <= index < num_envs:
            raise IndexError(f"there are {num_envs} games, so no game {index}")
    return [index % num_envs for index in indices]


def actions_of(value: npt.ArrayLike, num_envs: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any] | None]:
    """Actions as the native side takes them: an integer for each game.

    A number that does not fit becomes -1, which no game has; then the numbers as they were written come, too.

    >>> actions_of([3, 4294967308], 2)[0]
    array([ 3, -1], dtype=int32)
    """
    array: npt.NDArray[Any] = np.asarray(value)
    if array.ndim != 1:
        raise ValueError(f"actions have the shape {array.shape} instead of ({num_envs},): one for each game")
    if len(array) != num_envs:
        raise ValueError(f"`actions` has {len(array)} values instead of {num_envs}")
    if array.dtype == np.int32:
        return np.ascontiguousarray(array), None
    if array.dtype.kind not in "iu":
        # NumPy makes one type of all that a list holds: what was written is in the list itself.
        array = np.array(value, object)
        for index, action in enumerate(array):
            _refuse_unless_integer(index, action)
    fits = (array >= INT32.min) & (array <= INT32.max)
    if fits.all():
        return array.astype(np.int32), None
    return np.where(fits, array, -1).astype(np.int32), array


def _refuse_unless_integer(index: int, action: Any) -> None:
    if integer(action) is None:
        raise TypeError(f"actions are integers, and actions[{index}] is {action!r}")


def single_action(value: Any) -> int:
    """The number of one action, of any integer type. Whether there is such an action, the game says."""
    number = integer(value)
    if number is None:
        raise TypeError(f"an action is an integer, not {value!r}")
    return number


def off_board(game: int, action: int, num_actions: int) -> IllegalMoveError:
    """The refusal of a number that no action has, as the native side words it."""
    error = IllegalMoveError(
        f"game {game}: action {action} is not on its board (actions are 0 to {num_actions - 1}, the last a pass)"
    )
    error.reason = "off board"
    error.move = action
    error.game = game
    return error
