"""How strong an agent is: games against opponents whose strength is known."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, SupportsIndex

import numpy as np

from tengen._anchors import ANCHORS
from tengen._arguments import seed_of_games, whole
from tengen._evaluation_plot import evaluation_svg
from tengen._native import Game, Rules, decided, rate
from tengen._players import Agent, Player, player_of

__all__ = ["Evaluation", "Versus", "evaluate"]


@dataclass(frozen=True)
class Versus:
    """The games of an agent against one opponent."""

    opponent: str
    """The name of the opponent."""
    elo: float | None
    """The opponent's Elo on the fixed scale of the board, if it has one there."""
    wins: int
    """Games won."""
    draws: int
    """Games drawn."""
    losses: int
    """Games lost."""
    black_wins: int
    """Games won as Black."""

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is one, a draw half."""
        return self.wins + self.draws / 2

    @property
    def difference(self) -> tuple[float, float]:
        """By how many Elo the agent is stronger than the opponent, and how far the interval goes either way that has
        the true number 95 times of 100."""
        return rate([(0.0, self.points, float(self.games))])


@dataclass(frozen=True)
class Evaluation:
    """How strong an agent is. Its text is a table; notebooks show it as a picture, which `svg` and `save` give to
    others."""

    name: str
    """The agent."""
    size: tuple[int, int]
    """Columns and rows of the board."""
    versus: tuple[Versus, ...]
    """The games against each opponent."""

    @property
    def elo(self) -> tuple[float, float] | None:
        """The Elo on the fixed scale of the board, on which random play has 0, and how far the interval goes either way
        that has the true number 95 times of 100. None if no opponent has a place on that scale."""
        games = [(of.elo, of.points, float(of.games)) for of in self.versus if of.elo is not None and of.games]
        return rate(games) if games else None

    def __str__(self) -> str:
        head = f"{'opponent':<24}{'Elo':>7}{'games':>7}{'won':>6}{'drawn':>7}{'lost':>6}{'share':>8}{'stronger by':>18}"
        lines = [head]
        for of in self.versus:
            place = "" if of.elo is None else f"{of.elo:.0f}"
            by, error = of.difference if of.games else (0.0, 0.0)
            share = of.points / max(of.games, 1)
            lines.append(
                f"{of.opponent:<24}{place:>7}{of.games:>7}{of.wins:>6}{of.draws:>7}{of.losses:>6}{share:>8.1%}"
                f"{f'{by:+.0f} ± {error:.0f}':>18}"
            )
        found = self.elo
        board = f"{self.size[0]}×{self.size[1]}"
        if found is None:
            lines.append(f"{self.name}: no Elo, since no opponent has one on {board}")
        else:
            lines.append(f"{self.name}: Elo {found[0]:.0f} ± {found[1]:.0f} on {board}, random play being 0")
        return "\n".join(lines)


    def svg(self) -> str:
        """A picture of it: for each opponent the share of points and where it lies 95 times of 100, and below that the
        Elo among the opponents that have a place on the scale."""
        return evaluation_svg(self)

    _repr_svg_ = svg

    def save(self, path: str | Path) -> None:
        """Writes the picture to a file that ends in `.svg`, or the table to any other."""
        text = self.svg() if Path(path).suffix.lower() == ".svg" else f"{self}\n"
        Path(path).write_text(text, encoding="utf-8")


class _Match:
    """Games against one opponent."""

    def __init__(self, start: Game, agent: Player, opponent: Player, seed: int, opening: int) -> None:
        self.start = start
        self.players = (agent, opponent)
        self.seed = seed
        self.opening = opening
        self.most = int(2.5 * start.size[0] * start.size[1])

    def begin(self, number: int) -> Game:
        """A game after its opening, which it shares with its neighbour. The agent is Black in games with even
        numbers."""
        game = self.start.copy()
        rng = np.random.default_rng((self.seed, number // 2))
        for _ in range(self.opening):
            stones = np.flatnonzero(game.legal_mask()[:-1])
            if len(stones):
                game.play(int(rng.choice(stones)))
        return game

    def is_agent_to_move(self, number: int, game: Game) -> bool:
        return (game.to_move == "black") == (number % 2 == 0)

    def play(self, numbers: Sequence[int]) -> Iterator[tuple[int, Game]]:
        """Plays these games at once, and yields each when it has ended."""
        games = {number: self.begin(number) for number in numbers}
        while games:
            for number in [number for number, game in games.items() if self.is_over(game)]:
                yield number, games.pop(number)
            for place, player in enumerate(self.players):
                turn = [n for n, game in games.items() if self.is_agent_to_move(n, game) == (place == 0)]
                # Who has moved already waits for the next round.
                turn = [n for n in turn if not self.is_over(games[n])]
                if not turn:
                    continue
                keys: list[tuple[int, ...]] = [(self.seed, n, len(games[n].turns), place) for n in turn]
                actions = player.choose([games[n] for n in turn], keys)
                for n, action in zip(turn, actions, strict=True):
                    self.move(games[n], action, player)

    def move(self, game: Game, action: int, player: Player) -> None:
        if action < 0:
            game.resign()
        elif game.is_legal(action):
            game.play(action)
        else:
            move = game.to_gtp(action)
            raise ValueError(f"{player.name} plays {move}, which is illegal: {game.check(action)}\n{game}")

    def is_over(self, game: Game) -> bool:
        """Is a game over? One that lasts too long, or in which all is settled, is counted."""
        if game.is_over:
            return True
        dead = decided(game)
        if dead is None and len(game.turns) < self.most:
            return False
        game.end(game.score(dead))
        return True


class _Kept:
    """A folder with the games that were played: SGF files, and a line for each result."""

    def __init__(self, folder: Path | None, settings: dict[str, Any]) -> None:
        self.folder = folder
        self.results: dict[tuple[str, int], str] = {}
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "results.jsonl"
        if not self.file.exists():
            self._write({"settings": settings})
            return
        text = self.file.read_text(encoding="utf-8")
        if not text.endswith("\n"):
            # A program that was killed has left half a line.
            with self.file.open("a", encoding="utf-8") as file:
                file.write("\n")
        first, *lines = text.splitlines()
        if json.loads(first).get("settings") != settings:
            raise ValueError(
                f"{folder} has games with other settings: {first}. Name another folder, or the same settings to go on"
            )
        for line in lines:
            try:
                result = json.loads(line)
            except json.JSONDecodeError:
                continue
            self.results[result["opponent"], result["number"]] = result["won"]

    def _write(self, line: dict[str, Any]) -> None:
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def add(self, opponent: str, number: int, game: Game) -> str:
        """Keeps a game, and says who won: the agent, the opponent or nobody."""
        black = number % 2 == 0
        won = "drawn" if game.winner is None else "won" if (game.winner == "black") == black else "lost"
        self.results[opponent, number] = won
        if self.folder is not None:
            name = re.sub(r"[^A-Za-z0-9@.-]+", "-", opponent)
            path = self.folder / f"{name}-{number:05}.sgf"
            path.write_text(game.to_sgf(), encoding="utf-8")
            line = {"opponent": opponent, "number": number, "won": won, "result": game.result, "file": path.name}
            self._write(line)
        return won


def evaluate(
    agent: Agent,
    against: Sequence[Agent] = ("random", "rollouts@100", "baseline@0", "baseline@64"),
    games: SupportsIndex = 100,
    *,
    size: Any = 9,
    komi: float | str | None = None,
    rules: str | Rules = "tromp-taylor",
    simulations: SupportsIndex = 0,
    opening_moves: SupportsIndex | None = None,
    num_games: SupportsIndex = 64,
    seed: int = 0,
    folder: str | Path | None = None,
    name: str | None = None,
    **options: Any,
) -> Evaluation:
    """Plays an agent against opponents and says how strong it is, in Elo.

    An agent is a function of leaves or a `Net`, which are searched with so many `simulations` (0 for the best move of
    the policy alone), an `Engine`, which is given as many visits, or a GTP command as a list of words. Opponents are
    agents too, or names: `"random"`, `"rollouts@100"`, `"baseline@64"`. `options` are those of `Search`.

    Komi is the fair one, but 0.5 on boards of fewer than 49 points, where a fair one lets Black draw at best.
    `games` are played against each opponent, `num_games` at once. Two games each have the same opening of
    `opening_moves` random stones and exchanged colours. In a `folder` all games are kept as SGF files; called again
    with it and the same settings, what was played already is not played again.

    The scale is fixed for each board: see the page about evaluation in the documentation.

    >>> import tengen
    >>> found = tengen.evaluate(tengen.Net.baseline(), ["random"], games=4, size=5, seed=1)
    >>> found.versus[0].wins
    4
    """
    start = Game(size, rules=rules)
    area = start.size[0] * start.size[1]
    if komi is not None:
        start.komi = komi
    elif area < 49:
        start.komi = 0.5
    count = whole("games", games, 1)
    visits = whole("simulations", simulations, 0)
    at_once = whole("num_games", num_games, 1)
    seed = seed_of_games(seed)
    opening = min(area // 12, 6) if opening_moves is None else whole("opening_moves", opening_moves, 0, area)
    if isinstance(against, str):
        raise TypeError(f"against is a list of opponents, such as [{against!r}], not {against!r}")
    first = player_of(agent, visits, start.size, options)
    called = first.name if name is None else name
    settings = {
        "agent": called,
        "size": f"{start.size[0]}x{start.size[1]}",
        "komi": start.komi,
        "rules": str(start.rules),
        "simulations": visits,
        "opening_moves": opening,
        "seed": seed,
    }
    kept = _Kept(None if folder is None else Path(folder), settings)
    anchors = ANCHORS.get(start.size, {})
    versus: list[Versus] = []
    try:
        for other in against:
            opponent = player_of(other, visits, start.size, options)
            try:
                match = _Match(start, first, opponent, seed, opening)
                due = [number for number in range(count) if (opponent.name, number) not in kept.results]
                for begin in range(0, len(due), at_once):
                    for number, game in match.play(due[begin : begin + at_once]):
                        kept.add(opponent.name, number, game)
            finally:
                opponent.close()
            # A GTP program or a network of the user has no place on the scale, whatever its name.
            place = anchors.get(opponent.name) if isinstance(other, str) else None
            versus.append(_summed(opponent.name, place, kept.results, count))
    finally:
        first.close()
    return Evaluation(called, start.size, tuple(versus))


def _summed(opponent: str, elo: float | None, results: dict[tuple[str, int], str], count: int) -> Versus:
    won = [results[opponent, number] for number in range(count)]
    return Versus(
        opponent,
        elo,
        won.count("won"),
        won.count("drawn"),
        won.count("lost"),
        won[::2].count("won"),
    )


for _public in (Evaluation, Versus, evaluate):
    _public.__module__ = "tengen"
