"""Records what EnvPool's ChineseGo does in a few games to testdata/env/envpool.json, for the tests that run without it.

Call it with the path of the file to write. Each step has the player to move (0 for Black), the reward of Black, whether
the game is over, the mask as bits, and a checksum of the boards that Black sees, without the plane of the colour.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import zlib
from typing import Any

import envpool
import numpy as np


def record(size: int, komi: float, seed: int, pass_weight: float, illegal: float) -> dict[str, Any]:
    pool = envpool.make(
        "ChineseGo9x9-v1", env_type="gymnasium", num_envs=1, num_threads=1, seed=seed, board_size=size, komi=komi
    )
    rng = np.random.default_rng(seed)
    seen, info = pool.reset()
    black = int(info["current_player"][0])
    actions: list[int] = []
    over, reward = False, 0.0
    steps: list[Any] = []
    while True:
        mask = info["legal_action_mask"][0]
        boards = np.asarray(seen[black, ..., :-1], bool)
        steps.append(
            [
                int(info["current_player"][0]) ^ black,
                reward,
                over,
                np.packbits(mask).tobytes().hex(),
                zlib.crc32(np.packbits(boards).tobytes()),
            ]
        )
        if over:
            break
        noise = rng.random(size * size + 1) * mask
        noise[-1] *= pass_weight
        action = int(rng.integers(size * size)) if rng.random() < illegal else int(np.argmax(noise))
        actions.append(action)
        seen, rewards, ended, _, info = pool.step(np.array([action], np.int32))
        over, reward = bool(ended[0]), float(rewards[black])
    pool.close()
    return {"size": size, "komi": komi, "actions": actions, "steps": steps}


def main() -> None:
    games = [record(2, 0.0, seed, 0.3, 0.01) for seed in range(12)]
    games += [record(3, 1.0, seed, 0.3, 0.01) for seed in range(12)]
    games += [record(5, seed / 2, seed, 0.5, 0.01) for seed in range(8)]
    games += [record(9, 7.5, seed, 0.2, 0.001) for seed in range(5)]
    games += [record(19, 7.5, 1, 0.1, 0.0)]
    head = json.dumps({"package": f"envpool {importlib.metadata.version('envpool')}"})
    lines = ",\n".join(json.dumps(game, separators=(",", ":")) for game in games)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(f'{head[:-1]}, "games": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
