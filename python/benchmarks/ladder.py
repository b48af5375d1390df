"""Measures the fixed scale of `tengen.evaluate`: opponents play each other, and the likeliest strengths are printed.

    python ladder.py --size 5 --games 100 random rollouts@1/20 rollouts@1/50 rollouts@1 rollouts@100

Each opponent plays the next two of the list. Random play has 0. The games are kept in a folder if one is named, and a
second call goes on with them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import tengen
from tengen._native import ratings


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("opponents", nargs="+", help="such as random rollouts@100 baseline@64, the weakest first")
    parser.add_argument("--size", type=int, default=9, help="of the board (default: 9)")
    parser.add_argument("--games", type=int, default=100, help="of each pair (default: 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where games are kept")
    options = parser.parse_args(arguments)
    names = options.opponents
    results: list[tuple[int, int, float, int]] = []
    for first, name in enumerate(names):
        for second in range(first + 1, min(first + 3, len(names))):
            folder = options.folder and options.folder / f"{name}-{names[second]}".replace("/", "-")
            found = tengen.evaluate(
                name, [names[second]], options.games, size=options.size, seed=options.seed, folder=folder
            )
            (versus,) = found.versus
            results.append((first, second, versus.points, versus.games))
            print(f"{name} against {names[second]}: {versus.points:g} of {versus.games}", flush=True)
    for name, (elo, error) in zip(names, ratings(len(names), results), strict=True):
        print(f"{name:<16}{elo:>7.0f} ± {error:.0f}")


if __name__ == "__main__":
    main()
