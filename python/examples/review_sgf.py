"""Walks through a game record, tells what was captured and what is in atari, and shows boards.

    python review_sgf.py game.sgf
    python review_sgf.py game.sgf --board 150        # the board after move 150, as text
    python review_sgf.py game.sgf --pictures folder  # an SVG of each moment that is told of

In a notebook, what the functions return draws itself:

    from review_sgf import notable, review
    moments = review("game.sgf")
    moments[150]              # one board, with what was put in atari marked
    notable(moments)[:6]      # several boards side by side
"""

from __future__ import annotations

import argparse
import html
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

import tengen
from tengen import sgf

EXAMPLE = Path(__file__).parents[2] / "testdata" / "sgf" / "gnugo.sgf"


@dataclass(frozen=True)
class Moment:
    """The game after one of its moves, and what that move did."""

    number: int
    color: str
    move: str
    game: tengen.Game
    captured: int
    atari: tuple[str, ...] = ()
    """The stones of the opponent that this move left with one liberty."""
    self_atari: tuple[str, ...] = ()
    """The mover's stones that it left with one liberty."""
    comment: str = ""

    @property
    def events(self) -> list[str]:
        """What is worth telling, in words."""
        events = []
        if self.move == "pass":
            events.append("passes")
        if self.captured:
            events.append(f"captures {_stones(self.captured)}")
        if self.game.board.ko:
            events.append("takes a ko")
        if self.atari:
            events.append(f"puts {_stones(len(self.atari))} in atari: {' '.join(self.atari)}")
        # The stone that took a ko is always in atari.
        if self.self_atari and not self.game.board.ko:
            events.append(f"leaves {_stones(len(self.self_atari))} of its own in atari")
        return events

    def __str__(self) -> str:
        words = [f"{self.number:4}.", self.color.capitalize()]
        if self.move != "pass":
            words.append(self.move)
        if self.events:
            words.append(", ".join(self.events))
        if self.comment:
            words.append(f"({self.comment.splitlines()[0]})")
        return " ".join(words)

    def _repr_svg_(self) -> str:
        caption = str(self).strip()
        return self.game.svg(marks={"triangle": self.atari, "square": self.self_atari}, caption=caption)


class Moments(Sequence[Moment]):
    """Moments of a game, which a notebook shows side by side."""

    def __init__(self, moments: Sequence[Moment]) -> None:
        self._moments = tuple(moments)

    @overload
    def __getitem__(self, index: int) -> Moment: ...

    @overload
    def __getitem__(self, index: slice) -> Moments: ...

    def __getitem__(self, index: int | slice) -> Moment | Moments:
        return Moments(self._moments[index]) if isinstance(index, slice) else self._moments[index]

    def __len__(self) -> int:
        return len(self._moments)

    def __iter__(self) -> Iterator[Moment]:
        return iter(self._moments)

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        boards = "".join(
            f'<figure style="width: 16em; margin: 0.5em" title="{html.escape(str(moment))}">'
            f"{moment._repr_svg_()}</figure>"
            for moment in self
        )
        return f'<div style="display: flex; flex-wrap: wrap">{boards}</div>'


def _stones(count: int) -> str:
    return "1 stone" if count == 1 else f"{count} stones"


def _in_atari(game: tengen.Game, color: str) -> set[str]:
    chains = (chain for chain in game.board.chains() if chain.in_atari and chain.color == color)
    return {stone for chain in chains for stone in chain.stones}


def review(record: str | os.PathLike[str] | bytes) -> Moments:
    """Every move of the main line of the first game in a file, or in the bytes of one."""
    moments = []
    before = {"black": set[str](), "white": set[str]()}
    games = sgf.read(record)
    for node in games[0].main_line() if len(games) else []:
        if node.move is None:
            continue
        color, move = node.move
        game = sgf.game_at(node)
        after = {each: _in_atari(game, each) for each in ("black", "white")}
        other = "white" if color == "black" else "black"
        moments.append(
            Moment(
                number=node.move_number,
                color=color,
                move=move,
                game=game,
                captured=0 if game.turns[-1].suicide else game.turns[-1].removed,
                atari=tuple(sorted(after[other] - before[other])),
                self_atari=tuple(sorted(after[color] - before[color])),
                comment=node.comment,
            )
        )
        before = after
    return Moments(moments)


def notable(moments: Moments) -> Moments:
    """Those moments of which there is something to tell."""
    return Moments([moment for moment in moments if moment.events or moment.comment])


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("record", nargs="?", type=Path, default=EXAMPLE, help="an SGF, GIB, NGF or UGF file")
    parser.add_argument("--board", type=int, metavar="MOVE", help="print the board after this move, and nothing else")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="write an SVG of each moment there")
    options = parser.parse_args(arguments)

    data = options.record.read_bytes()
    moments = review(data)
    if not moments:
        raise SystemExit("there is no move in this record")
    if options.board is not None:
        chosen = [moment for moment in moments if moment.number == options.board]
        if not chosen:
            raise SystemExit(f"there is no move {options.board}: the last one is {moments[-1].number}")
        print(chosen[0].game.board)
        return
    told = notable(moments)
    print(told)
    by_color = [sum(moment.captured for moment in moments if moment.color == color) for color in ("black", "white")]
    result = sgf.read(data)[0].info["result"] or "unknown"
    print(f"{len(moments)} moves; Black captured {by_color[0]}, White {by_color[1]}; result {result}")
    print(moments[-1].game.board)
    if options.pictures:
        options.pictures.mkdir(parents=True, exist_ok=True)
        for moment in told:
            (options.pictures / f"{moment.number:03}.svg").write_text(moment._repr_svg_(), encoding="utf-8")
        print(f"{len(told)} pictures in {options.pictures}")


if __name__ == "__main__":
    main()
