"""Records what Pgx does in a few games to testdata/env/pgx.json, for the tests that run without it.

Call it with the path of the file to write. Each step has the current player, the reward of player 0, whether the game
is over, the mask as bits, and a checksum of the observations of both players.
"""

from __future__ import annotations

import json
import sys
import zlib
from typing import Any

import jax
import numpy as np
import pgx
from pgx.go import Go


def shown(env: Go, state: Any) -> list[Any]:
    seen = np.stack([np.asarray(env._observe(state, player)) for player in (0, 1)])
    return [
        int(state.current_player),
        float(state.rewards[0]),
        bool(state.terminated),
        np.packbits(np.asarray(state.legal_action_mask)).tobytes().hex(),
        zlib.crc32(np.packbits(seen).tobytes()),
    ]


def record(size: int, komi: float, seed: int, pass_weight: float, illegal: float) -> dict[str, Any]:
    env = Go(size=size, komi=komi)
    step, observe = jax.jit(env.step), jax.jit(env._observe)
    rng = np.random.default_rng(seed)
    env._observe = observe
    state = jax.jit(env.init)(jax.random.PRNGKey(seed))
    actions: list[int] = []
    steps = [shown(env, state)]
    behind = 0
    # One step behind the end, which must change nothing.
    while behind < 2:
        noise = rng.random(size * size + 1) * np.asarray(state.legal_action_mask)
        noise[-1] *= pass_weight
        action = int(rng.integers(size * size)) if rng.random() < illegal else int(np.argmax(noise))
        state = step(state, action)
        actions.append(action)
        steps.append(shown(env, state))
        behind += bool(state.terminated)
    return {"size": size, "komi": komi, "key": seed, "actions": actions, "steps": steps}


def main() -> None:
    games = [record(3, 0, seed, 0.5, 0.03) for seed in range(12)]
    games += [record(5, seed / 2, seed, 0.5, 0.01) for seed in range(8)]
    games += [record(9, 7.5, seed, 0.2, 0.001) for seed in range(5)]
    games += [record(19, 7.5, 1, 0.1, 0.0)]
    head = json.dumps({"package": f"pgx {pgx.__version__}"})
    lines = ",\n".join(json.dumps(game, separators=(",", ":")) for game in games)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(f'{head[:-1]}, "games": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
