"""AlphaZero on one screen, with JAX: learns 5×5 from nothing and says how strong it has become.

    pip install tengen jax
    python alphazero_jax.py --minutes 10

Tengen plays and searches all games at once; the network and its training are functions that JAX compiles.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import tengen

SIZE, KOMI, CHANNELS, BLOCKS = 5, 0.5, 32, 3
ACTIONS = SIZE**2 + 1


def init(key: Any) -> dict[str, Any]:
    """Random weights."""
    keys = iter(jax.random.split(key, 2 * BLOCKS + 3))

    def conv(inputs: int) -> Any:
        return jax.random.normal(next(keys), (3, 3, inputs, CHANNELS)) * (2 / (9 * inputs)) ** 0.5

    def dense(outputs: int) -> Any:
        return jax.random.normal(next(keys), (CHANNELS * SIZE**2, outputs)) * 0.01

    blocks = [conv(CHANNELS) for _ in range(2 * BLOCKS)]
    return {"stem": conv(17), "blocks": blocks, "policy": dense(ACTIONS), "value": dense(1)}


@jax.jit
def forward(weights: dict[str, Any], planes: Any) -> tuple[Any, Any]:
    """A few residual blocks, a policy and a value."""

    def conv(x: Any, kernel: Any) -> Any:
        return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    x = jax.nn.relu(conv(planes, weights["stem"]))
    for first, second in zip(weights["blocks"][::2], weights["blocks"][1::2], strict=True):
        x = jax.nn.relu(x + 0.5 * conv(jax.nn.relu(conv(x, first)), second))
    x = x.reshape(len(x), -1)
    return x @ weights["policy"], jnp.tanh(x @ weights["value"])[:, 0]


@jax.jit
def improve(weights: Any, moments: Any, step: Any, planes: Any, mask: Any, policy: Any, value: Any) -> Any:
    """One step of Adam."""

    def loss(weights: Any) -> Any:
        logits, values = forward(weights, planes)
        chances = jax.nn.log_softmax(jnp.where(mask, logits, -1e9))
        return -(policy * chances).sum(1).mean() + ((values - value) ** 2).mean()

    error, slopes = jax.value_and_grad(loss)(weights)
    means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slopes)
    squares = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], slopes)
    rate = 2e-3 * jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
    weights = jax.tree.map(lambda w, m, v: w - rate * m / (jnp.sqrt(v) + 1e-8), weights, means, squares)
    return weights, (means, squares), error


def main(arguments: list[str] | None = None) -> tengen.Evaluation:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10, help="to learn for (default: 10)")
    parser.add_argument("--games", type=int, default=64, help="at once (default: 64)")
    parser.add_argument("--simulations", type=int, default=32, help="of a search (default: 32)")
    parser.add_argument("--matches", type=int, default=100, help="against each opponent at the end (default: 100)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    rng = np.random.default_rng(options.seed)
    weights = init(jax.random.PRNGKey(options.seed))
    moments = (jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights))

    def evaluate(leaves: tengen.Leaves) -> tuple[Any, Any]:
        return forward(weights, leaves.planes)

    replay: list[tuple[Any, ...]] = []
    start, steps, error = time.perf_counter(), 0, 0.0
    # Batches of one shape, so that JAX compiles the network once.
    play = tengen.selfplay(
        evaluate,
        size=SIZE,
        komi=KOMI,
        num_games=options.games,
        simulations=options.simulations,
        seed=options.seed,
        fixed_batch=True,
    )
    for number, played in enumerate(play, 1):
        at = played.positions()
        replay = [*replay[-30_000:], *zip(at.planes, at.mask, at.policy, at.value, strict=True)]
        for _ in range(len(played) // 6):
            chosen = [replay[index] for index in rng.integers(len(replay), size=256)]
            planes, mask, policy, value = (np.stack(column) for column in zip(*chosen, strict=True))
            symmetry, steps = int(rng.integers(8)), steps + 1
            planes = tengen.turn_observation(planes, symmetry)
            mask, policy = (tengen.turn_policy(of, symmetry, SIZE) for of in (mask, policy))
            weights, moments, error = improve(weights, moments, float(steps), planes, mask, policy, value)
        seconds = time.perf_counter() - start
        if number % 100 == 0 or seconds > 60 * options.minutes:
            print(f"{number} games, {seconds:.0f} s, loss {float(error):.3f}", flush=True)
        if seconds > 60 * options.minutes:
            break
    opponents = ["random", "rollouts@1/50", "rollouts@1", "rollouts@100"]
    found = tengen.evaluate(
        evaluate, opponents, options.matches, size=SIZE, simulations=64, name="network", num_games=64, fixed_batch=32
    )
    print(found)
    return found


if __name__ == "__main__":
    main()
