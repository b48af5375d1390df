"""A game that was analysed: rows for tables, and a record for people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tengen._native import Collection, Node

__all__ = ["Judged", "ReviewedGame", "rows_of"]

WORTH_SAYING = 1.0
"""So many points a move loses at least that a comment and a variation are about."""

BAD = 5.0
"""So many points a bad move loses, which gets SGF's mark for one."""


class Judged(NamedTuple):
    """What a search said about a position. Numbers are Black's."""

    win_rate: float
    lead: float
    visits: int
    best: str
    variation: list[str]


@dataclass
class ReviewedGame:
    """A game of a record, and what was found about its moves."""

    file: str
    """Where the record was read from."""
    game: int
    """Which game of that file it is, counted from 0."""
    record: str
    """The game as SGF, as it was."""
    rows: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """A dictionary for each move of the main line. `move` counts from 1; `color`, `played`, `best` and its `variation`
    are names; `win_rate` and `lead` are those of the player before the move, `win_rate_after` and `lead_after` those of
    the same player after it, `lost_win_rate` and `lost_points` how much less these are, and 0 where they are not less;
    `visits` is the size of the search. `file` and `game` are in each row too."""
    error: str | None = None
    """Why it could not be read, if so."""

    @property
    def sgf(self) -> str:
        """The record with what was found: after each move Black's lead (`V`) and win rate in percent (`SBKV`, which
        Sabaki draws), and where a move lost a point or more a comment and the better moves as a variation. Moves that
        lost five are marked as bad (`BM`)."""
        root = Collection.loads(self.record)[0]
        moves = [node for node in root.main_line() if node.move is not None]
        for node, row in zip(moves, self.rows, strict=False):
            _annotate(node, row)
        return root.to_sgf()

    def __repr__(self) -> str:
        what = self.error or f"{len(self.rows)} moves"
        return f"<ReviewedGame {self.game} of {self.file}: {what}>"


def _annotate(node: Node, row: dict[str, Any]) -> None:
    black = row["color"] == "black"
    lead = row["lead_after"] if black else -row["lead_after"]
    win_rate = row["win_rate_after"] if black else 1 - row["win_rate_after"]
    node["V"] = f"{lead:.1f}"
    node["SBKV"] = f"{100 * win_rate:.1f}"
    lost = row["lost_points"]
    if lost < WORTH_SAYING or row["played"] == row["best"]:
        return
    said = (
        f"{row['played']} loses {lost:.1f} points: {row['best']} was better "
        f"({row['win_rate']:.0%} to win before, {row['win_rate_after']:.0%} after)."
    )
    node.comment = f"{node.comment}\n\n{said}" if node.comment else said
    if lost >= BAD:
        node["BM"] = "1"
    at, color = node.parent, row["color"]
    for move in row["variation"]:
        if at is None:
            return
        at = at.add_move(color, move)
        color = "white" if color == "black" else "black"


def rows_of(game: ReviewedGame, judged: list[Judged]) -> list[dict[str, Any]]:
    """The rows of a game from what was said about the positions before each move and after the last."""
    root = Collection.loads(game.record)[0]
    moves = [node.move for node in root.main_line() if node.move is not None]
    rows: list[dict[str, Any]] = []
    for number, ((color, played), before, after) in enumerate(zip(moves, judged, judged[1:], strict=False)):
        own = [found if color == "black" else (1 - found[0], -found[1]) for found in (before, after)]
        (win_rate, lead), (win_rate_after, lead_after) = (found[:2] for found in own)
        rows.append(
            {
                "file": game.file,
                "game": game.game,
                "move": number + 1,
                "color": color,
                "played": played,
                "best": before.best,
                "variation": before.variation,
                "visits": before.visits,
                "win_rate": round(win_rate, 4),
                "lead": round(lead, 2),
                "win_rate_after": round(win_rate_after, 4),
                "lead_after": round(lead_after, 2),
                # The best move loses nothing, whatever two searches say about it.
                "lost_win_rate": 0.0 if played == before.best else round(max(0.0, win_rate - win_rate_after), 4),
                "lost_points": 0.0 if played == before.best else round(max(0.0, lead - lead_after), 2),
            }
        )
    return rows


ReviewedGame.__module__ = "tengen.ray"
