"""Random play on many boards at once, and how many steps a second that makes.

    python random_play.py --size 9 --num-envs 1024

Without the options that surround it, it is these lines:

    env = tengen.VectorEnv(num_envs=1024, size=9, seed=1)
    env.reset()
    for _ in range(1000):
        observation, rewards, terminated, truncated, info = env.step(env.sample())
"""

from __future__ import annotations

import argparse
import time

import tengen


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=9, help="of the board (default: 9)")
    parser.add_argument("--num-envs", type=int, default=1024, help="how many games (default: 1024)")
    parser.add_argument("--steps", type=int, default=1000, help="of each game (default: 1000)")
    parser.add_argument("--threads", type=int, help="how many (default: one on each core)")
    parser.add_argument("--masks-only", action="store_true", help="without the 17 planes")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)

    env = tengen.VectorEnv(
        num_envs=options.num_envs,
        size=options.size,
        seed=options.seed,
        observation=None if options.masks_only else "agz",
        num_threads=options.threads,
    )
    env.reset()
    black = games = 0
    start = time.perf_counter()
    for _ in range(options.steps):
        _, rewards, terminated, _, _ = env.step(env.sample())
        games += int(terminated.sum())
        black += int((rewards[:, 0] > 0).sum())
    seconds = time.perf_counter() - start
    print(f"{options.steps * options.num_envs / seconds:,.0f} steps per second, {env.num_threads} threads")
    print(f"{games:,} games ended, of which Black won {black:,}")


if __name__ == "__main__":
    main()
