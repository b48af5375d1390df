"""Records what mctx finds to testdata/env/mctx.json, for the tests that run without it.

Call it with the path of the file to write. mctx searches the games of Tengen through a callback, with the network of
`sines.py`, so that both packages see the same positions; Gumbel's noise and Dirichlet's are off. A search has the moves
before it, its settings, and what came out: the action, the visits and, for Gumbel's search, the improved policy.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import mctx
import numpy as np

import tengen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import sines

ILLEGAL = -1e9


class Positions:
    """Games by number, since arrays are all that goes through a callback."""

    def __init__(self, game: tengen.Game) -> None:
        self.games = [game]
        self.actions = game.size[0] * game.size[1] + 1

    def judged(self, game: tengen.Game) -> tuple[np.ndarray, np.float32]:
        stones = game.stones
        own = 1 if game.to_move == "black" else 2
        planes = np.stack([stones == own, (stones != 0) & (stones != own)], -1)[None]
        logits, values = sines.judge(planes, self.actions)
        return np.where(game.legal_mask(), logits[0], ILLEGAL).astype(np.float32), values[0]

    def step(self, number: Any, action: Any) -> tuple[np.ndarray, ...]:
        numbers, rewards, discounts, logits, values = [], [], [], [], []
        for one, move in zip(np.atleast_1d(number), np.atleast_1d(action), strict=True):
            game = self.games[int(one)]
            reward, discount, value, logit = 0.0, 0.0, np.float32(0), np.zeros(self.actions, np.float32)
            if not game.is_over:
                mover = game.to_move
                game = game.copy()
                game.play(int(move))
                if game.is_over:
                    reward = 0.0 if game.winner is None else 1.0 if game.winner == mover else -1.0
                else:
                    discount = -1.0
                    logit, value = self.judged(game)
            self.games.append(game)
            numbers.append(len(self.games) - 1)
            rewards.append(reward)
            discounts.append(discount)
            logits.append(logit)
            values.append(value)
        return (
            np.array(numbers, np.int32),
            np.array(rewards, np.float32),
            np.array(discounts, np.float32),
            np.array(logits, np.float32),
            np.array(values, np.float32),
        )


def record(method: str, moves: list[int], size: int, komi: float, simulations: int, considered: int) -> dict[str, Any]:
    game = tengen.Game(size, komi=komi)
    for move in moves:
        game.play(move)
    positions = Positions(game)
    count = positions.actions
    shapes = (
        jax.ShapeDtypeStruct((1,), jnp.int32),
        jax.ShapeDtypeStruct((1,), jnp.float32),
        jax.ShapeDtypeStruct((1,), jnp.float32),
        jax.ShapeDtypeStruct((1, count), jnp.float32),
        jax.ShapeDtypeStruct((1,), jnp.float32),
    )

    def recurrent(params: Any, key: Any, action: Any, embedding: Any) -> Any:
        del params, key
        number, reward, discount, logits, value = jax.experimental.io_callback(
            positions.step, shapes, embedding, action, ordered=False
        )
        output = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
        return output, number

    logits, value = positions.judged(game)
    root = mctx.RootFnOutput(
        prior_logits=jnp.asarray(logits[None]), value=jnp.asarray(value[None]), embedding=jnp.zeros(1, jnp.int32)
    )
    invalid = jnp.asarray(~game.legal_mask()[None]).astype(jnp.float32)
    key = jax.random.PRNGKey(0)
    if method == "gumbel":
        found = mctx.gumbel_muzero_policy(
            None, key, root, recurrent, simulations, invalid, max_num_considered_actions=considered, gumbel_scale=0.0
        )
    else:
        found = mctx.muzero_policy(
            None, key, root, recurrent, simulations, invalid, dirichlet_fraction=0.0, temperature=0.0
        )
    summary = found.search_tree.summary()
    result: dict[str, Any] = {
        "method": method,
        "size": size,
        "komi": komi,
        "moves": moves,
        "simulations": simulations,
        "considered": considered,
        "action": int(found.action[0]),
        "visits": np.asarray(summary.visit_counts[0]).astype(int).tolist(),
    }
    if method == "gumbel":
        result["policy"] = [float(np.format_float_positional(x, 9)) for x in np.asarray(found.action_weights[0])]
    return result


def opening(size: int, length: int, seed: int) -> list[int]:
    rng = np.random.default_rng(seed)
    game = tengen.Game(size)
    moves: list[int] = []
    while len(moves) < length:
        legal = np.flatnonzero(game.legal_mask()[:-1])
        moves.append(int(rng.choice(legal)))
        game.play(moves[-1])
    return moves


def main() -> None:
    found = []
    for method in ("gumbel", "puct"):
        for seed, (size, length, simulations, considered) in enumerate(
            [(3, 0, 16, 16), (3, 4, 64, 4), (3, 6, 100, 16), (5, 0, 32, 16), (5, 6, 64, 8), (5, 12, 50, 5)]
            + [(5, 15, 200, 16), (9, 0, 32, 16), (9, 20, 64, 16), (9, 30, 16, 1)]
        ):
            found.append(record(method, opening(size, length, seed), size, 0.5, simulations, considered))
    head = json.dumps({"package": f"mctx {version('mctx')}"})
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in found)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(f'{head[:-1]}, "searches": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
