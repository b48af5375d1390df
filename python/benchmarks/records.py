"""How fast game records are read and played through: `tengen sgf check` beside sgfmill.

    pip install sgfmill==1.1.1
    python records.py --games 300 --tengen target/release/tengen

The record of one game, copied as often as `--games` says, is read, and all moves are played on a board. Each program is
a process of its own, whose processor time counts with its start; the best of `--rounds` rounds in turns. Tengen checks
each move by the rules and each property, too; sgfmill's board takes off what is captured and knows no ko.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

RECORD = Path(__file__).parents[2] / "testdata" / "sgf" / "gnugo.sgf"

WALK = """
import sys
from pathlib import Path
from sgfmill import sgf, sgf_moves

moves = 0
for file in Path(sys.argv[1]).iterdir():
    game = sgf.Sgf_game.from_bytes(file.read_bytes())
    board, plays = sgf_moves.get_setup_and_moves(game)
    for color, point in plays:
        if point is not None:
            board.play(*point, color)
        moves += 1
print(moves)
"""


def seconds(command: list[str]) -> float:
    """The processor time of a program, that of the system for it included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tengen", default="tengen", help="the command")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.games):
            shutil.copy(RECORD, os.path.join(folder, f"{number}.sgf"))
        programs = {
            "tengen sgf check": [args.tengen, "sgf", "check", folder],
            "sgfmill": [sys.executable, "-c", WALK, folder],
        }
        best = dict.fromkeys(programs, float("inf"))
        for _ in range(args.rounds):
            for name, command in programs.items():
                best[name] = min(best[name], seconds(command))
    for name, time in best.items():
        print(f"{name:18} {time:6.3f} CPU s  {args.games / time:8,.0f} games a second")


if __name__ == "__main__":
    main()
