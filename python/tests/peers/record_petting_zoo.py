"""Writes testdata/env/petting-zoo.json: what the real package did in a few games, to be replayed without it.

    python python/tests/peers/record_petting_zoo.py
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).parents[3] / "testdata" / "env" / "petting-zoo.json"
AGENTS = ("black_0", "white_0")
# Board size, komi, how many games, and the share of passes that are taken when they are drawn. On small boards whole
# numbers of komi give ties.
GAMES = [
    (2, 0.0, 6, 1.0),
    (3, 1.0, 10, 1.0),
    (3, -2.25, 4, 1.0),
    (5, 7.5, 6, 1.0),
    (5, 3.0, 6, 0.1),
    (9, 7.5, 3, 0.1),
    (19, 7.5, 1, 0.1),
]


def draw(generator: np.random.Generator, mask: Any, passes: float, moves: int) -> int:
    """A legal action. Games in which passes are rare are long, and end after three moves a point."""
    plays = np.flatnonzero(mask[:-1])
    if moves > 3 * (len(mask) - 1):
        return len(mask) - 1
    if len(plays) == 0 or generator.random() < passes / (len(plays) + 1):
        return len(mask) - 1
    return int(generator.choice(plays))


def bits(values: Any) -> str:
    return np.packbits(np.asarray(values, bool).reshape(-1)).tobytes().hex()


def digest(planes: Any) -> int:
    return zlib.crc32(np.packbits(np.asarray(planes, bool).reshape(-1)).tobytes())


def record(env: Any, generator: np.random.Generator, passes: float) -> dict[str, Any]:
    env.reset()
    steps = []
    while True:
        agent = env.agent_selection
        seen = {one: env.observe(one) for one in AGENTS}
        mask = seen[agent]["action_mask"]
        over = env.terminations[agent]
        action = None if over else draw(generator, mask, passes, len(steps))
        # The player to move, both players' planes, the mask of the player to move, and the action that followed.
        steps.append([AGENTS.index(agent), *(digest(seen[one]["observation"]) for one in AGENTS), bits(mask), action])
        if over:
            return {"steps": steps, "rewards": [int(env.rewards[one]) for one in AGENTS]}
        env.step(action)


def main() -> None:
    import pettingzoo
    from pettingzoo.classic import go_v5

    generator = np.random.default_rng(1)
    games = []
    for size, komi, count, passes in GAMES:
        env = go_v5.raw_env(board_size=size, komi=komi)
        games += [{"size": size, "komi": komi, **record(env, generator, passes)} for _ in range(count)]
    lines = ",\n".join(json.dumps(game, separators=(",", ":")) for game in games)
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(f'{{"package":"pettingzoo {pettingzoo.__version__}","games":[\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
