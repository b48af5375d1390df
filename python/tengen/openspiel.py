"""Go for OpenSpiel: importing this module registers the game `python_tengen_go`.

>>> import pyspiel
>>> import tengen.openspiel
>>> game = pyspiel.load_game("python_tengen_go(board_size=5,komi=0.5)")
>>> state = game.new_initial_state()
>>> state.apply_action(12)
>>> state.action_to_string(0, 12), state.current_player(), len(state.legal_actions())
('B c3', 1, 25)

It follows OpenSpiel's own game `go`: the same parameters, actions, observations, strings and results. What differs is
written in docs/env/openspiel.md.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from tengen._native import Board, Game, Rules

try:
    import pyspiel as _pyspiel
    from open_spiel.python import observation as _observation  # pyright: ignore[reportMissingTypeStubs]
except ImportError as error:
    raise ImportError("tengen.openspiel needs OpenSpiel: pip install open_spiel") from error

# The package has no types: what comes of it can be anything.
pyspiel = cast(Any, _pyspiel)
IIGObserverForPublicInfoGame = cast(Any, _observation).IIGObserverForPublicInfoGame

if TYPE_CHECKING:

    class _SpielGame:
        """What the game below asks of OpenSpiel's own class."""

        def __init__(self, game_type: Any, info: Any, params: Any) -> None: ...

    class _SpielState:
        """What the state below asks of OpenSpiel's own class."""

        def __init__(self, game: Any) -> None: ...
        def history(self) -> list[int]: ...
        def full_history(self) -> list[Any]: ...

else:
    _SpielGame = pyspiel.Game
    _SpielState = pyspiel.State

__all__ = ["NAME", "BoardObserver", "GoGame", "GoState"]

NAME = "python_tengen_go"

# Black's stones, White's stones, empty points, and whether White is to move.
_PLANES = 4
_COLUMNS = "ABCDEFGHJKLMNOPQRST"

_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Go, by Tengen",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"board_size": 19, "komi": 7.5, "handicap": 0, "max_game_length": 0},
)


class GoGame(_SpielGame):
    """Go under the rules of OpenSpiel: simple ko, no suicide, a repeated board draws.

    - board_size: 2 to 19
    - komi: what White gets
    - handicap: 2 to 9 black stones on a 19x19 board, for each of which White gets a point, too
    - max_game_length: after how many moves the game is over and counted; 0 for two a point
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given: dict[str, Any] = {**_TYPE.parameter_specification, **(params or {})}
        self.board_size = int(given["board_size"])
        self.komi = float(given["komi"])
        self.handicap = int(given["handicap"])
        length = int(given["max_game_length"])
        if not 2 <= self.board_size <= 19:
            raise ValueError(f"board_size is 2 to 19, not {self.board_size}")
        if not 0 <= self.handicap <= 9:
            raise ValueError(f"handicap is 0 to 9, not {self.handicap}")
        if self.handicap > 1 and self.board_size != 19:
            size = f"{self.board_size}x{self.board_size}"
            raise ValueError(f"handicap stones have their places on a 19x19 board only, not on {size}")
        if length < 0:
            raise ValueError(f"max_game_length is 0 or more, not {length}")
        points = self.board_size**2
        self._start = _start(self.board_size, self.komi, self.handicap, length or 2 * points)
        info = pyspiel.GameInfo(
            num_distinct_actions=points + 1,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=length or 2 * points,
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self, state: object = None) -> GoState:
        """The empty board, or the one with the handicap stones."""
        if state is not None:
            raise ValueError(f"{NAME} starts from its parameters only")
        return GoState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """What OpenSpiel asks for observations."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return BoardObserver(self.board_size, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class GoState(_SpielState):
    """A game under way. `tengen_game` is the `tengen.Game` that it is about, to be read."""

    def __init__(self, game: GoGame) -> None:
        super().__init__(game)
        self.tengen_game = game._start.copy()
        self._komi = game.komi
        # Which of the moves that OpenSpiel has counted are still there. Only a state that took a move back has the
        # list.
        self._kept: list[int] | None = None

    def current_player(self) -> int:
        """0 for Black, 1 for White, or OpenSpiel's number for the end."""
        if self.tengen_game.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.tengen_game.to_move == "white")

    def _legal_actions(self, player: int) -> list[int]:
        size = self.tengen_game.size[0]
        mask = self.tengen_game.legal_mask()
        points = mask[: size * size].reshape(size, size)[::-1]
        return [*np.flatnonzero(points).tolist(), size * size]

    def _apply_action(self, action: int) -> None:
        if self._kept is not None:
            self._kept.append(len(super().history()))
        size = self.tengen_game.size[0]
        if action == size * size:
            self.tengen_game.pass_()
        else:
            row, column = divmod(action, size)
            self.tengen_game.play((column, size - 1 - row))

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last move back.

        OpenSpiel has no such thing for games written in Python, and its own count of moves cannot be changed from
        there: what is asked here is answered rightly, while programs in C++ that read the history still see the move.
        """
        history = self.history()
        if not history or history[-1] != action:
            raise ValueError(f"the last move was not {action}")
        if self._kept is None:
            self._kept = list(range(len(history)))
        self._kept.pop()
        self.tengen_game.undo()

    def history(self) -> list[int]:
        """The actions so far."""
        actions = super().history()
        return actions if self._kept is None else [actions[index] for index in self._kept]

    def full_history(self) -> list[Any]:
        """The actions so far, each with its player."""
        actions = super().full_history()
        return actions if self._kept is None else [actions[index] for index in self._kept]

    def history_str(self) -> str:
        """The actions so far, as text."""
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        """How many moves there were."""
        return len(self.history())

    def is_initial_state(self) -> bool:
        """Whether there was no move."""
        return not self.history()

    def _action_to_string(self, player: int, action: int) -> str:
        size = self.tengen_game.size[0]
        color = "W" if player == 1 else "B"
        return f"{color} {_name(action, size)}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.tengen_game.is_over

    def returns(self) -> list[float]:
        """1 for who won and -1 for the other at the end, 0 for both in a draw and before."""
        black = {"black": 1.0, "white": -1.0, None: 0.0}[self.tengen_game.winner]
        return [black, -black if black else 0.0]

    def __str__(self) -> str:
        size = self.tengen_game.size[0]
        to_play = "B" if self.tengen_game.to_move == "black" else "W"
        lines = [f"GoState(komi={self._komi:g}, to_play={to_play}, history.size()={len(self.history())})", ""]
        for number, row in zip(range(size, 0, -1), self.tengen_game.stones, strict=True):
            lines.append(f"{number:2} " + "".join("+XO"[stone] for stone in row))
        return "\n".join([*lines, f"   {_COLUMNS[:size]}", ""])

    def _to_struct(self) -> dict[str, Any]:
        game = self.tengen_game
        size = game.size[0]
        rows = game.stones[::-1].tolist()
        history = self.history()
        over = game.is_over
        return {
            "board_grid": [
                [{_name(row * size + column, size): ("EMPTY", "B", "W")[stone]} for column, stone in enumerate(stones)]
                for row, stones in enumerate(rows)
            ],
            "board_size": size,
            "current_player": "Terminal" if over else "B" if game.to_move == "black" else "W",
            "is_terminal": over,
            "komi": self._komi,
            "move_number": len(history) + 1,
            "previous_move_a1": _name(history[-1], size) if history else "",
            "winner": {"black": "B", "white": "W", None: "Draw" if over else ""}[game.winner],
        }

    def _to_observation_struct(self, player: int) -> dict[str, Any]:
        return self._to_struct()


class BoardObserver:
    """Four planes, with a1 first: Black's stones, White's stones, empty points, and ones where White is to move."""

    def __init__(self, size: int, params: object = None) -> None:
        if params:
            raise ValueError(f"there are no parameters for observations, but {params} was given")
        shape = (_PLANES, size, size)
        self.tensor: npt.NDArray[np.float32] = np.zeros(_PLANES * size * size, np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: GoState, player: int) -> None:
        """Shows this state, which is the same to both players."""
        stones = state.tengen_game.stones[::-1]
        planes = self.dict["observation"]
        for plane, stone in enumerate((1, 2, 0)):
            planes[plane] = stones == stone
        planes[3] = state.tengen_game.to_move == "white"

    def string_from(self, state: GoState, player: int) -> str:
        """The board as text."""
        return str(state)


def _name(action: int, size: int) -> str:
    if action == size * size:
        return "PASS"
    row, column = divmod(action, size)
    return f"{_COLUMNS[column].lower()}{row + 1}"


# The order in which OpenSpiel fills the places.
_HANDICAPS = {
    2: "D4 Q16",
    3: "D4 Q16 D16",
    4: "D4 Q16 D16 Q4",
    5: "D4 Q16 D16 Q4 K10",
    6: "D4 Q16 D16 Q4 D10 Q10",
    7: "D4 Q16 D16 Q4 D10 Q10 K10",
    8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
    9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
}


@functools.lru_cache(maxsize=64)
def _start(size: int, komi: float, handicap: int, length: int) -> Game:
    compensation = handicap if handicap > 1 else 0
    # By area Black is always ahead by a whole number, so that any other fraction decides as a half does.
    half_points = komi if (2 * komi).is_integer() else math.floor(komi) + 0.5
    rules = Rules("open-spiel", komi=half_points + compensation, max_moves=length)
    if not compensation:
        return Game(size, rules)
    board = Board(size)
    for point in _HANDICAPS[handicap].split():
        board = board.after(point, "black")
    return Game(size, rules, setup=board, to_move="white")


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_TYPE, GoGame)
