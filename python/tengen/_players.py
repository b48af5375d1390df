"""Who plays in an evaluation: anchors, networks, functions, engines and programs that speak GTP."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias, cast

import numpy as np

from tengen._arguments import whole
from tengen._native import Engine, Game, Net
from tengen._search import search

__all__ = ["Agent", "Player", "player_of"]

Agent: TypeAlias = Callable[[Any], Any] | Net | Engine | str | Sequence[str]
"""Somebody to evaluate: a function as `Search` takes it, a network, an engine, the name of an anchor such as
`"rollouts@100"`, or a command that speaks GTP as a list such as `["gnugo", "--mode", "gtp"]`."""

RESIGNS = -1


class Player(Protocol):
    """Somebody who chooses moves."""

    name: str

    def choose(self, games: list[Game], keys: list[tuple[int, ...]]) -> list[int]:
        """An action for each game; negative to resign. Keys are where random numbers come from."""
        ...

    def close(self) -> None:
        """Ends what was started for it."""
        ...


class RandomPlayer:
    """Plays any legal action, the pass included."""

    name = "random"

    def choose(self, games: list[Game], keys: list[tuple[int, ...]]) -> list[int]:
        return [
            int(np.random.default_rng(key).choice(np.flatnonzero(game.legal_mask())))
            for game, key in zip(games, keys, strict=True)
        ]

    def close(self) -> None:
        pass


class MixedPlayer:
    """Plays like another in so many moves of a hundred, and at random in all others: a step between the two."""

    def __init__(self, player: Player, percent: int) -> None:
        self.player = player
        self.percent = percent
        self.name = f"{player.name}/{percent}"

    def choose(self, games: list[Game], keys: list[tuple[int, ...]]) -> list[int]:
        drawn = [int(np.random.default_rng((*key, 1)).integers(100)) < self.percent for key in keys]
        chosen: list[int] = []
        for player, wanted in ((self.player, True), (RandomPlayer(), False)):
            places = [place for place, is_drawn in enumerate(drawn) if is_drawn == wanted]
            if places:
                chosen += player.choose([games[place] for place in places], [keys[place] for place in places])
        order = [place for wanted in (True, False) for place, is_drawn in enumerate(drawn) if is_drawn == wanted]
        return [action for _, action in sorted(zip(order, chosen, strict=True))]

    def close(self) -> None:
        self.player.close()


class SearchPlayer:
    """Plays what the search of a network or a function finds best."""

    def __init__(self, name: str, evaluate: Any, simulations: int, options: dict[str, Any]) -> None:
        self.name = name
        self.evaluate = evaluate
        self.simulations = simulations
        self.options = {"noise": False, "temperature": 0.0, **options}

    def choose(self, games: list[Game], keys: list[tuple[int, ...]]) -> list[int]:
        found = search(self.evaluate, games, self.simulations, **self.options)
        return [int(action) for action in found.actions]

    def close(self) -> None:
        pass


class EnginePlayer:
    """Plays what an engine chooses."""

    def __init__(self, name: str, engine: Engine, visits: int) -> None:
        self.name = name
        self.engine = engine
        self.visits = visits

    def choose(self, games: list[Game], keys: list[tuple[int, ...]]) -> list[int]:
        actions: list[int] = []
        for game in games:
            # What it knows about another game must not matter.
            self.engine.clear()
            move = self.engine.choose(game, visits=self.visits)
            actions.append(RESIGNS if move is None else game.to_action(move))
        return actions

    def close(self) -> None:
        self.engine.clear()


class GtpPlayer:
    """Plays what a program answers to `genmove`. It is told the whole game before each move."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.name = shlex.join(self.command)
        try:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            )
        except OSError as error:
            raise ValueError(f"cannot start {self.name!r}: {error}") from error

    def send(self, command: str) -> str:
        """Sends a command and returns the answer."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise RuntimeError(f"{self.name!r} has ended: {error}") from error
        lines: list[str] = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"{self.name!r} has ended without an answer to {command!r}")
            line = line.rstrip()
            if line:
                lines.append(line)
            elif lines:
                break
        text = "\n".join(lines)
        if not text.startswith("="):
            raise RuntimeError(f"{self.name!r} refuses {command!r}: {text}")
        return text[1:].strip()

    def choose(self, games: list[Game], keys: list[tuple[int, ...]]) -> list[int]:
        actions: list[int] = []
        for game in games:
            width, height = game.size
            sides = f"{width}" if width == height else f"{width} {height}"
            self.send(f"boardsize {sides}")
            self.send("clear_board")
            self.send(f"komi {game.komi:g}")
            for turn in game.turns:
                self.send(f"play {turn.color} {turn.move}")
            move = self.send(f"genmove {game.to_move}")
            actions.append(RESIGNS if move.lower() == "resign" else game.to_action(move))
        return actions

    def close(self) -> None:
        if self.process.poll() is None:
            try:
                self.send("quit")
                self.process.wait(timeout=5)
            except (RuntimeError, subprocess.TimeoutExpired):
                self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


def player_of(agent: Agent, simulations: int, size: tuple[int, int], options: dict[str, Any]) -> Player:
    """Whoever an argument of `evaluate` means."""
    if isinstance(agent, str):
        return _anchor(agent, size)
    if isinstance(agent, Net):
        return SearchPlayer(f"network@{simulations}", agent, simulations, options)
    if isinstance(agent, Engine):
        return EnginePlayer(f"engine@{simulations}", agent, whole("simulations", simulations, 1))
    if isinstance(agent, Sequence):
        words = list(cast("Sequence[Any]", agent))
        if not words or not all(isinstance(word, str) for word in words):
            raise TypeError(f"a command that speaks GTP is a list of words, not {agent!r}")
        return GtpPlayer(words)
    if callable(agent):
        return SearchPlayer(f"agent@{simulations}", agent, simulations, options)
    raise TypeError(f"an agent is a function, a Net, an Engine, a name or a GTP command, not {agent!r}")


def _anchor(name: str, size: tuple[int, int]) -> Player:
    whole_name, slash, percent = name.partition("/")
    if slash and percent.isdecimal() and 0 < int(percent) < 100:
        return MixedPlayer(_anchor(whole_name, size), int(percent))
    kind, _, number = name.partition("@")
    if name == "random":
        return RandomPlayer()
    if kind in ("rollouts", "baseline") and number.isdecimal():
        visits = int(number)
        if kind == "baseline":
            net = Net.baseline(large=max(size) > 9)
            return SearchPlayer(name, net, visits, {"score_weight": 0.05})
        if visits > 0:
            return EnginePlayer(name, Engine(net="none", threads=1, seed=0, memory=1 << 25), visits)
    raise ValueError(
        f"there is no opponent {name!r}: use 'random', 'rollouts@100' (visits), 'baseline@64' (simulations; 0 for the "
        "policy alone), 'rollouts@1/20' (20 of 100 moves, the others random), or write a GTP command as a list of words"
    )
