"""Two halves that take turns: one half of the games steps while the other one thinks.

    python async_double_buffer.py

`send` begins a step on a thread of its own and returns at once, `recv` waits for it. A policy that spends its time
outside of Python's lock (NumPy's matrix products, a GPU) then has its next actions ready when the step is done. Here it
is a random linear policy, and the same games are played once in turn and once in halves, with the same results; how
much time that saves depends on how long a step takes compared with the policy, and needs a core for each.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

# One core for the policy, one for the steps: NumPy shall not take both. It asks when it is imported.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402

import tengen  # noqa: E402


class LinearPolicy:
    """Prefers the actions for which a matrix of random weights gives more, and is otherwise random."""

    def __init__(self, size: int, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.weights = self.rng.normal(0, 0.1, (size**2 * 17, size**2 + 1)).astype(np.float32)

    def __call__(self, observation: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
        scores = observation.reshape(len(observation), -1) @ self.weights
        # The largest of scores with this noise is a draw from their softmax.
        noise = -np.log(self.rng.standard_exponential(scores.shape))
        return np.asarray(np.where(mask, scores + noise, -np.inf).argmax(1))


def made(size: int, num_envs: int, seed: int) -> tengen.VectorEnv:
    return tengen.VectorEnv(num_envs, size, seed=seed, dtype=np.float32, num_threads=1)


def in_turn(halves: list[tengen.VectorEnv], policies: list[LinearPolicy], steps: int) -> npt.NDArray[Any]:
    """How many games each player won in each half, when nothing overlaps."""
    wins = np.zeros((2, 2), int)
    shown = [env.reset() for env in halves]
    for _ in range(steps):
        for half, env in enumerate(halves):
            observation, info = shown[half]
            actions = policies[half](observation, info["legal_action_mask"])
            observation, rewards, _, _, info = env.step(actions)
            shown[half] = observation, info
            wins[half] += (rewards > 0).sum(0)
    return wins


def double_buffered(halves: list[tengen.VectorEnv], policies: list[LinearPolicy], steps: int) -> npt.NDArray[Any]:
    """The same, while one half steps as the policy looks at the other."""
    wins = np.zeros((2, 2), int)
    for env, policy in zip(halves, policies, strict=True):
        observation, info = env.reset()
        env.send(policy(observation, info["legal_action_mask"]))
    for step in range(steps):
        for half, env in enumerate(halves):
            observation, rewards, _, _, info = env.recv()
            wins[half] += (rewards > 0).sum(0)
            if step + 1 < steps:
                env.send(policies[half](observation, info["legal_action_mask"]))
    return wins


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=9, help="of the board (default: 9)")
    parser.add_argument("--num-envs", type=int, default=1024, help="how many games in each half (default: 1024)")
    parser.add_argument("--steps", type=int, default=200, help="of each game (default: 200)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    results = []
    for name, play in (("in turn", in_turn), ("double-buffered", double_buffered)):
        halves = [made(options.size, options.num_envs, options.seed + half) for half in range(2)]
        policies = [LinearPolicy(options.size, options.seed + half) for half in range(2)]
        start = time.perf_counter()
        results.append(play(halves, policies, options.steps))
        seconds = time.perf_counter() - start
        for env in halves:
            env.close()
        rate = 2 * options.num_envs * options.steps / seconds
        print(f"{name:>16}: {rate:10,.0f} steps per second; Black won {results[-1][:, 0].sum():,} games")
    if (results[0] != results[1]).any():
        raise SystemExit("the two ways of playing differ, which they must not")


if __name__ == "__main__":
    main()
