"""The native games behind the states of one line of play."""

from __future__ import annotations

import threading
import weakref
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.vector import VectorEnv

Array = npt.NDArray[Any]


class Line:
    """A native batch that the states of one line of play share, and where it stands.

    Only the newest state is in the batch itself. Another one is got by taking moves back, in a copy if somebody else
    may still need the line.
    """

    __slots__ = ("env", "head", "lock", "positions")

    def __init__(self, env: VectorEnv) -> None:
        self.env = env
        self.lock = threading.Lock()
        # Weak, since a line that held its states could never forget one.
        self.head: weakref.ref[Position] | None = None
        self.positions: weakref.WeakSet[Position] = weakref.WeakSet()

    def needed_beyond(self, position: Position) -> bool:
        """Whether anybody holds a state of this line that is not this one."""
        return any(other is not position for other in self.positions)


class Position:
    """Where the games of a state stand on their line.

    - moves: how many of the native moves each game has
    - planes: the planes of the player to move
    - legal: what the native games allow
    - over: which native games are over
    - fresh: which games start over with this state, although the line has not got to it yet
    """

    __slots__ = ("__weakref__", "fresh", "legal", "line", "moves", "over", "planes")

    line: Line
    moves: Array
    planes: Array
    legal: Array
    over: Array
    fresh: Array | None

    def __init__(self, line: Line, moves: Array, planes: Array, legal: Array, over: Array, fresh: Array | None) -> None:
        self.line = line
        self.moves = moves
        self.planes = planes
        self.legal = legal
        self.over = over
        self.fresh = fresh
        line.positions.add(self)

    @classmethod
    def of_new_games(cls, env: VectorEnv) -> Position:
        planes, info = env.reset()
        name_white(planes)
        moves = info["moves"]
        position = cls(Line(env), moves, planes, info["legal_action_mask"], np.zeros(len(moves), np.bool_), None)
        position.line.head = weakref.ref(position)
        return position

    def after(self, actions: Array, plays: Array, running: Array) -> tuple[Position, Array, Array]:
        """The position after these actions in the games that play on, with the rewards of Black and White and the games
        that this ended. Of the games that run, those that do not play have taken an illegal action.
        """
        with self.line.lock:
            line = self._line_here()
            planes, rewards, over, _, info = line.env.step(actions, mask=None if plays.all() else plays)
            name_white(planes)
            legal, moves = info["legal_action_mask"], info["moves"]
            if not plays.all():
                planes[~plays] = self.planes[~plays]
                for game in np.flatnonzero(running & ~plays):
                    planes[game] = _after_illegal_play(self.planes[game], int(actions[game]))
            position = Position(line, moves, planes, legal, over, None)
            line.head = weakref.ref(position)
        return position, rewards, over & plays

    def _line_here(self) -> Line:
        """A line that stands at this position, for its caller to go on with."""
        line = self.line
        if line.head is not None and line.head() is self:
            if self.fresh is None:
                return line
            if not line.needed_beyond(self):
                line.env.reset(mask=self.fresh)
                self.fresh = None
                return line
        if not line.needed_beyond(self):
            line.env.rewind(self.moves)
            self.fresh = None
            return line
        return Line(self._own_env())

    def _own_env(self) -> VectorEnv:
        env = self.line.env.copy()
        env.rewind(self.moves)
        return env

    def games(self) -> VectorEnv:
        """Copies of the games, as they are here."""
        with self.line.lock:
            return self._own_env()

    def restarted(self, games: Array) -> Position:
        """The same position, but that these games are at their start."""
        moves = np.where(games, 0, self.moves).astype(np.int32)
        planes = self.planes.copy()
        planes[games] = False
        legal = self.legal | games[:, None]
        fresh = games if self.fresh is None else games | self.fresh
        with self.line.lock:
            position = Position(self.line, moves, planes, legal, self.over & ~games, fresh)
            if self.line.head is not None and self.line.head() is self:
                self.line.head = weakref.ref(position)
        return position

    def __getstate__(self) -> dict[str, Any]:
        with self.line.lock:
            env = self._own_env()
        return {"env": env, "moves": self.moves, "planes": self.planes, "legal": self.legal, "over": self.over}

    def __setstate__(self, state: dict[str, Any]) -> None:
        line = Line(state["env"])
        self.__init__(line, state["moves"], state["planes"], state["legal"], state["over"], None)  # type: ignore[misc]
        line.head = weakref.ref(self)


def name_white(planes: Array) -> None:
    """Turns the last plane, which says that Black is to move, into Pgx's, which says that White is."""
    np.logical_not(planes[..., -1], out=planes[..., -1])


def other_side(planes: Array) -> Array:
    """What the other player sees of the same boards."""
    swapped = planes.copy()
    swapped[..., 0:-1:2] = planes[..., 1:-1:2]
    swapped[..., 1:-1:2] = planes[..., 0:-1:2]
    swapped[..., -1] = ~planes[..., -1]
    return swapped


def _after_illegal_play(planes: Array, action: int) -> Array:
    """What Pgx shows when a player has lost by an illegal play, which it carries out all the same.

    A stone is set on whatever was there, and one that takes back a ko takes its stone. Suicide removes nothing.
    """
    point = divmod(action, planes.shape[1])
    mine, theirs = planes[..., 0].copy(), planes[..., 1].copy()
    if theirs[point]:
        theirs[point] = False
    elif not mine[point]:
        # What ko forbids to take is a single stone: were it a longer chain, the board would not be repeated.
        for stone in _neighbors(point, theirs.shape):
            rest = [other for other in _neighbors(stone, theirs.shape) if other != point]
            if theirs[stone] and all(mine[other] for other in rest):
                theirs[stone] = False
    mine[point] = True
    shown = np.empty_like(planes)
    shown[..., 0], shown[..., 1] = theirs, mine
    shown[..., 2:-1:2] = planes[..., 1:-3:2]
    shown[..., 3:-1:2] = planes[..., 0:-3:2]
    shown[..., -1] = ~planes[..., -1]
    return shown


def _neighbors(point: tuple[int, int], shape: tuple[int, ...]) -> list[tuple[int, int]]:
    row, column = point
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [(row, column) for row, column in around if 0 <= row < shape[0] and 0 <= column < shape[1]]
