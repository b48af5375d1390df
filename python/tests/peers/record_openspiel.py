"""Records what OpenSpiel's go does in a few games to testdata/env/open-spiel.json, for the tests that run without it.

Call it with the path of the file to write. Each step has the current player, the return of Black, the legal actions as
bits, and a checksum of the observation.
"""

from __future__ import annotations

import importlib.metadata
import json
import random
import sys
import zlib
from typing import Any

import numpy as np
import pyspiel


def shown(state: Any, actions: int) -> list[Any]:
    mask = np.zeros(actions, bool)
    mask[state.legal_actions()] = True
    tensor = np.array(state.observation_tensor(0), bool)
    return [
        int(state.current_player()),
        state.returns()[0],
        np.packbits(mask).tobytes().hex(),
        zlib.crc32(np.packbits(tensor).tobytes()),
    ]


def record(size: int, komi: float, seed: int, passing: float) -> dict[str, Any]:
    game = pyspiel.load_game("go", {"board_size": size, "komi": komi})
    rng = random.Random(seed)
    state = game.new_initial_state()
    count = size * size + 1
    steps = [shown(state, count)]
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[-1] if rng.random() < passing else rng.choice(legal))
        steps.append(shown(state, count))
    return {"size": size, "komi": komi, "actions": state.history(), "steps": steps}


def main() -> None:
    games = [record(3, 0.0, seed, 0.05) for seed in range(20)]
    games += [record(5, seed / 2, seed, 0.02) for seed in range(8)]
    games += [record(9, 7.5, seed, 0.0) for seed in range(5)]
    games += [record(19, 7.5, 1, 0.0)]
    head = json.dumps({"package": f"open_spiel {importlib.metadata.version('open_spiel')}"})
    lines = ",\n".join(json.dumps(game, separators=(",", ":")) for game in games)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(f'{head[:-1]}, "games": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
