"""Networks and positions for tests."""

from __future__ import annotations

import numpy as np

import tengen

# Columns and rows.
SIZES = [(5, 5), (9, 9), (13, 13), (9, 7)]


def network(blocks: int, channels: int, seed: int) -> tengen.Net:
    """A network in which every weight matters: in a random one, what is added to values is 0."""
    rng = np.random.default_rng(seed)
    weights = tengen.Net.random(blocks, channels, seed).weights()
    for array in weights.values():
        array += rng.normal(0, 0.05, array.shape)
    return tengen.Net.from_weights(blocks, channels, weights)


def positions(size: tuple[int, int], count: int, seed: int) -> list[tengen.Game]:
    """Games on boards of this size, each played on for longer than the one before it, under several rules and komi."""
    rules = ["tromp-taylor", "chinese", "japanese"]
    games = []
    for number in range(count):
        env = tengen.VectorEnv(
            1,
            size,
            komi=number - 3.5,
            rules=rules[number % len(rules)],
            observation=None,
            seed=seed + number,
            num_threads=1,
        )
        env.reset()
        for _ in range(number * size[0] * size[1] // count):
            env.step(env.sample())
        games.append(env.game(0))
    return games
