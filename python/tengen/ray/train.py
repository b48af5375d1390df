"""Training on many machines: `python -m tengen.ray.train CONFIG`.

The games are played by Ray actors, wherever the cluster has room for them; learning and measuring are done where the
command runs, which also has the folder of the run. The folder is that of `tengen train`: either command goes on with
what the other began, and on as many threads of learning both come to the same network, bit for bit.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tengen._native import Run
from tengen.ray._tasks import connect
from tengen.ray.run_pool import SelfPlayPool

__all__ = ["main", "train"]


def train(run: Run, pool: SelfPlayPool, tell: Callable[[dict[str, Any]], object] | None = None) -> None:
    """Goes on with a run to its end, with the games played by a pool. `tell` is told what happens, as by `Run.advance`.

    Whatever ends it, the run goes on from its folder another time.
    """
    while not run.is_complete:
        generation, games, began = run.generation, len(run.due()), time.monotonic()
        for left in pool.play(run):
            if tell is not None:
                played = games - left
                rate = 3600 * played / max(time.monotonic() - began, 1e-9)
                event = {"event": "game", "generation": generation, "played": played, "games": games, "rate": rate}
                tell(event)
        run.advance(tell)
        run.write_report()


class _View:
    """What people see of a run while it works."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._terminal = sys.stderr.isatty()
        self._last: float | None = None

    def say(self, line: str) -> None:
        """Says something that stays."""
        if not self._quiet:
            print(f"\r\x1b[K{line}" if self._terminal else line, file=sys.stderr, flush=True)

    def _mention(self, line: str) -> None:
        """Says something that is soon out of date, unless it has just said something."""
        now = time.monotonic()
        pause = 0.25 if self._terminal else 60
        if self._quiet or (self._last is not None and now - self._last < pause):
            return
        self._last = now
        text, end = (f"\r\x1b[K{line}", "") if self._terminal else (line, "\n")
        print(text, end=end, file=sys.stderr, flush=True)

    def show(self, event: dict[str, Any]) -> None:
        """Says what a run tells."""
        kind = event["event"]
        if kind == "game":
            played, games, rate = event["played"], event["games"], event["rate"]
            self._mention(f"generation {event['generation']}: {played} of {games} games, {rate:.0f} an hour")
        elif kind == "step":
            step, steps = event["step"], event["steps"]
            self._mention(f"generation {event['generation']}: step {step} of {steps}, {_in_words(event['losses'])}")
        elif kind == "match":
            self._mention(f"measuring it against {event['opponent']}")
        elif kind == "generation":
            self.say(_line(event))


def _in_words(losses: dict[str, float]) -> str:
    return ", ".join(f"{name} {losses[name]:.3f}" for name in ("policy", "value", "lead", "ownership"))


def _line(summary: dict[str, Any]) -> str:
    played = summary["played"]
    games = max(1, played["games"])
    black = 100 * (played["black_wins"] + played["draws"] / 2) / games
    parts = [
        f"{summary['generation']:>5}  {summary['games']} games, {played['moves'] / games:.0f} moves, "
        f"Black {black:.0f} %",
        f"step {summary['steps']}, {_in_words(summary['losses'])}",
    ]
    for versus in summary["versus"]:
        tally = versus["tally"]
        parts.append(f"{tally['wins']}-{tally['draws']}-{tally['losses']} against {versus['name']}")
    if summary["knows_who_wins"]:
        parts += [f"fair komi {known['komi']} on {known['size']}" for known in summary["fair_komi"]]
    return "; ".join(parts)


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tengen.ray.train",
        description="Train a network by games with itself, with the games played on a Ray cluster.",
        epilog="The folder is that of `tengen train`: either command goes on with what the other began.",
    )
    parser.add_argument("config", metavar="CONFIG", type=Path, help="what to train, and how: a TOML file")
    where = "where the run lives; runs/ and the name of the configuration unless given"
    parser.add_argument("--folder", type=Path, help=where)
    parser.add_argument("--workers", type=int, metavar="N", help="how many actors play; one a processor unless given")
    address = "the cluster, such as auto or 10.0.0.1:6379; one on this machine unless given"
    parser.add_argument("--address", help=address)
    at_a_time = "games that an actor is given at a time (4)"
    parser.add_argument("--games-per-task", type=int, metavar="K", default=4, help=at_a_time)
    threads = "how many threads learn and measure; all cores unless given"
    parser.add_argument("--threads", type=int, metavar="N", help=threads)
    parser.add_argument("--quiet", action="store_true", help="print nothing while it works")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """The command. Returns its exit code."""
    arguments = _arguments(words)
    folder = arguments.folder or Path("runs") / arguments.config.stem
    view = _View(arguments.quiet)
    try:
        config = arguments.config.read_text(encoding="utf-8")
        run = Run(config, folder, arguments.threads)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        print(f"tengen.ray.train: {error}", file=sys.stderr)
        return 2
    for complaint in run.complaints:
        view.say(complaint)
    connect(arguments.address)
    try:
        with SelfPlayPool(config, arguments.workers, games_per_task=arguments.games_per_task) as pool:
            view.say(f"{pool} in {folder}, generation {run.generation}")
            train(run, pool, view.show)
    except KeyboardInterrupt:
        view.say("stopped; the same command goes on from here")
        return 0
    view.say(f"{run.generation} generations, {run.hours:.2f} hours")
    print(folder / "net.safetensors")
    return 0


if __name__ == "__main__":
    # Workers import what they run from here, so that it has to have the name by which they find it.
    from tengen.ray.train import main as command

    sys.exit(command())
