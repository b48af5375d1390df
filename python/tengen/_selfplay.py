"""Games of a network with itself, and what is to be learned from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen._arguments import choice, whole
from tengen._native import Game, Rules, decided, observe_turns
from tengen._search import Evaluate, Search

__all__ = ["PlayedGame", "TrainingPositions", "selfplay"]

Floats: TypeAlias = npt.NDArray[np.float32]


class TrainingPositions(NamedTuple):
    """Positions and what a network should say about them, a row each, all as the player to move sees it."""

    planes: npt.NDArray[Any]
    """What the network sees."""
    globals: Floats
    """Eight numbers about komi and rules."""
    mask: npt.NDArray[np.bool_]
    """The legal actions."""
    policy: Floats
    """The improved policy of the search."""
    value: Floats
    """How the game ended: 1 for a win of the player to move, -1 for a loss, 0 for a draw."""
    search_value: Floats
    """What the search thought, from -1 to 1."""
    lead: Floats
    """By how many points the player was ahead at the end, komi included."""
    ownership: Floats
    """Whose each point was at the end: 1 is the player's, -1 the opponent's."""


@dataclass(frozen=True)
class PlayedGame:
    """A game of self-play that has ended."""

    number: int
    """Games are counted as they begin."""
    game: Game
    """The game with all its moves and its result."""
    policy: Floats
    """For each turn, the improved policy."""
    values: Floats
    """For each turn, what the search thought, as the player to move saw it."""
    visits: npt.NDArray[np.int32]
    """For each turn, how many simulations the search had."""
    lead: float
    """By how many points Black was ahead at the end, komi included."""
    ownership: npt.NDArray[np.int8]
    """Whose each point was at the end: 1 is Black's, -1 White's."""
    version: int = 0
    """How often a pool of `tengen.ray` had broadcast weights when it was played."""

    def __len__(self) -> int:
        return len(self.policy)

    def positions(
        self, observation: str = "agz", layout: str = "channels-last", dtype: str = "float32"
    ) -> TrainingPositions:
        """All positions that were searched, with what a network should learn about them.

        >>> import tengen
        >>> (played,) = tengen.selfplay(tengen.Net.random(1, 16), games=1, size=3, simulations=4)
        >>> positions = played.positions()
        >>> positions.planes.shape == (len(played), 3, 3, 17)
        True
        """
        choice("observation", observation, ["agz", "tactical"])
        choice("layout", layout, ["channels-last", "channels-first"])
        choice("dtype", dtype, ["float32", "uint8"])
        turns = list(range(len(self.policy)))
        planes, numbers, mask = observe_turns(self.game, turns, observation, layout)
        black = np.array([turn.color == "black" for turn in self.game.turns[: len(turns)]], np.bool_)
        sign = np.where(black, 1, -1).astype(np.float32)
        result = {"black": 1.0, "white": -1.0, None: 0.0}[self.game.winner]
        return TrainingPositions(
            planes.astype(dtype, copy=False),
            numbers,
            mask,
            self.policy,
            sign * np.float32(result),
            self.values,
            sign * np.float32(self.lead),
            sign[:, None, None] * self.ownership.astype(np.float32),
        )


class _Notes:
    """What a game under way has to be learned from."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.policy: list[Floats] = []
        self.values: list[np.float32] = []
        self.visits: list[int] = []


def selfplay(
    evaluate: Evaluate,
    *,
    games: SupportsIndex | None = None,
    num_games: SupportsIndex = 256,
    size: Any = 9,
    komi: float | str | None = None,
    rules: str | Rules = "tromp-taylor",
    simulations: SupportsIndex = 64,
    max_moves: SupportsIndex | None = None,
    stop_when_decided: bool = True,
    seed: int = 0,
    **options: Any,
) -> Iterator[PlayedGame]:
    """Plays games of a network with itself, many at once, and yields each when it has ended.

    `evaluate` is what `Search` takes, and so are the `options`. `games` are played in all, or without end if it is
    None; `num_games` of them at once. A game ends by its rules, when every point is settled for certain unless
    `stop_when_decided` is False, or after `max_moves` (2.5 times the points of the board), and is then counted as it
    stands. All games of a finite number are played to their end, so that short ones are not preferred. A network that
    learns meanwhile is used as it is from move to move.

    >>> import tengen
    >>> net = tengen.Net.random(1, 16, seed=1)
    >>> played = list(tengen.selfplay(net, games=3, num_games=2, size=3, simulations=8, seed=1))
    >>> len(played), played[0].game.is_over, played[0].policy.shape[1]
    (3, True, 10)
    """
    wanted = None if games is None else whole("games", games, 0)
    at_once = whole("num_games", num_games, 1)
    each = whole("simulations", simulations, 1)
    start = Game(size, rules=rules, komi=komi) if komi is not None else Game(size, rules=rules)
    area = start.size[0] * start.size[1]
    most = int(2.5 * area) if max_moves is None else whole("max_moves", max_moves, 1)
    # Mistakes are refused at once, and not when the first game is asked for.
    if wanted == 0:
        return iter(())
    seats = at_once if wanted is None else min(at_once, wanted)
    searched = Search(evaluate, [start] * seats, seed=seed, **options)
    return _play(searched, start, wanted, each, most, stop_when_decided)


def _play(
    searched: Search, start: Game, wanted: int | None, simulations: int, most: int, stop_when_decided: bool
) -> Iterator[PlayedGame]:
    seats: list[_Notes | None] = [_Notes(number) for number in range(searched.num_games)]
    begun = len(seats)
    while any(seats):
        budgets = np.array([simulations if notes else -1 for notes in seats], np.int32)
        found = searched.run(budgets)
        for index, notes in enumerate(seats):
            if notes:
                notes.policy.append(found.policy[index])
                notes.values.append(found.values[index])
                notes.visits.append(int(found.visits[index].sum()))
        searched.play(np.where(budgets < 0, -1, found.actions))
        ended = searched.ended(most, stop_when_decided)
        for index, notes in enumerate(seats):
            if not notes or not ended[index]:
                continue
            yield _finished(searched.game(index), notes)
            if wanted is None or begun < wanted:
                seats[index] = _Notes(begun)
                searched.replace(index, start)
                begun += 1
            else:
                seats[index] = None


def _finished(game: Game, notes: _Notes) -> PlayedGame:
    dead = None if game.is_over else decided(game)
    score = game.score(dead)
    ownership = game.ownership(dead)
    if not game.is_over:
        game.end(score)
    return PlayedGame(
        notes.number,
        game,
        np.array(notes.policy, np.float32),
        np.array(notes.values, np.float32),
        np.array(notes.visits, np.int32),
        float(score.margin),
        ownership,
    )


for _public in (PlayedGame, TrainingPositions, selfplay):
    _public.__module__ = "tengen"
