"""Steps a second of the learning environment, and of other packages, in one run on one machine.

Every package plays uniformly random legal moves from the empty board, over and over, and produces observations and
legal masks at every step. Each is measured in a process of its own that is tied to one core (or to as many as the row
says), several times, and the best is printed, since noise only ever makes a run slower.

Run it with `cargo xtask bench env`, or `cargo xtask bench env --peers` for the other packages as well.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

SIZES = (9, 19)
ROUNDS = 5


def best_rate(play: Callable[[int], int], seconds: float) -> float:
    """Steps a second of the best of several rounds. `play` makes at least so many calls and says how many steps these
    were."""
    calls = 1
    while True:
        start = time.perf_counter()
        play(calls)
        if time.perf_counter() - start > seconds / ROUNDS / 4:
            break
        calls *= 2
    calls *= 4
    best = 0.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        steps = play(calls)
        best = max(best, steps / (time.perf_counter() - start))
    return best


def tengen(size: int, seconds: float, *, observation: str | None, batch: int, threads: int) -> float:
    """Tengen with exact superko, stepped on so many threads."""
    from tengen import VectorEnv

    env = VectorEnv(batch, size, seed=1, observation=observation, num_threads=threads)
    env.reset()

    def play(calls: int) -> int:
        for _ in range(calls):
            env.step(env.sample())
        return calls * batch

    play(4 * size * size)
    return best_rate(play, seconds)


def openspiel(size: int, seconds: float, *, planes: bool) -> float:
    """OpenSpiel's C++ game with its list of legal actions, and perhaps its four planes."""
    import random

    import pyspiel

    game = pyspiel.load_game(f"go(board_size={size})")
    state = game.new_initial_state()
    draw = random.Random(1).choice

    def play(calls: int) -> int:
        nonlocal state
        for _ in range(calls):
            state.apply_action(draw(state.legal_actions()))
            if state.is_terminal():
                state = game.new_initial_state()
            if planes:
                state.observation_tensor()
        return calls

    return best_rate(play, seconds)


def pgx(size: int, seconds: float, *, batch: int) -> float:
    """Pgx, compiled for a batch, the choice of moves compiled along."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make(f"go_{size}x{size}")
    step = jax.vmap(env.step)
    init = jax.vmap(env.init)

    @jax.jit
    def advance(state: pgx.State, key: jax.Array) -> pgx.State:
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        return step(state, jax.random.categorical(key, logits, axis=-1))

    keys = jax.random.split(jax.random.PRNGKey(0), batch)
    start = jax.jit(init)(keys)
    state = start
    key = jax.random.PRNGKey(1)
    moves = 0

    def play(calls: int) -> int:
        nonlocal state, key, moves
        for _ in range(calls):
            key, drawn = jax.random.split(key)
            state = advance(state, drawn)
            moves += 1
            if moves == 2 * size * size:
                state, moves = start, 0
        state.observation.block_until_ready()
        return calls * batch

    play(1)
    return best_rate(play, seconds)


def envpool(size: int, seconds: float, *, batch: int, rules: str) -> float:
    """EnvPool on one thread."""
    import envpool
    import numpy as np

    prefix = "ChineseGo" if rules == "chinese" else "Go"
    env = envpool.make(f"{prefix}{size}x{size}-v1", env_type="gymnasium", num_envs=batch, num_threads=1, seed=1)
    _, info = env.reset()
    rng = np.random.default_rng(1)

    def play(calls: int) -> int:
        nonlocal info
        for _ in range(calls):
            mask = info["legal_action_mask"]
            actions = np.where(mask, rng.random(mask.shape), -1.0).argmax(1).astype(np.int32)
            _, _, _, _, info = env.step(actions)
        return calls * batch

    return best_rate(play, seconds)


def pettingzoo(size: int, seconds: float) -> float:
    """PettingZoo, one game."""
    import numpy as np
    from pettingzoo.classic import go_v5

    env = go_v5.env(board_size=size)
    env.reset(seed=1)
    rng = np.random.default_rng(1)

    def play(calls: int) -> int:
        for _ in range(calls):
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        return calls

    return best_rate(play, seconds)


OURS = {
    "Tengen, 17 planes and masks, batch 1024": lambda size, seconds: tengen(
        size, seconds, observation="agz", batch=1024, threads=1
    ),
    "Tengen, masks only, batch 1024": lambda size, seconds: tengen(
        size, seconds, observation=None, batch=1024, threads=1
    ),
}
OURS_ON_TWO_CORES = {
    "Tengen, 17 planes and masks, batch 1024, two cores": lambda size, seconds: tengen(
        size, seconds, observation="agz", batch=1024, threads=2
    ),
    "Tengen, masks only, batch 1024, two cores": lambda size, seconds: tengen(
        size, seconds, observation=None, batch=1024, threads=2
    ),
}
PEERS = {
    "OpenSpiel {open_spiel}, 4 planes and legal actions": lambda size, seconds: openspiel(size, seconds, planes=True),
    "OpenSpiel {open_spiel}, legal actions only": lambda size, seconds: openspiel(size, seconds, planes=False),
    **{
        f"Pgx {{pgx}}, 17 planes and masks, batch {batch}": (
            lambda size, seconds, batch=batch: pgx(size, seconds, batch=batch)
        )
        for batch in (16, 64, 256)
    },
    **{
        f"EnvPool {{envpool}} ({rules}), 17 planes and masks, batch {batch}": (
            lambda size, seconds, batch=batch, rules=rules: envpool(size, seconds, batch=batch, rules=rules)
        )
        for batch in (64, 256)
        for rules in ("pgx", "chinese")
    },
    "PettingZoo {pettingzoo}, 17 planes and masks": pettingzoo,
}
ALL = {**OURS, **OURS_ON_TWO_CORES, **PEERS}


def title(name: str) -> str:
    """The name with the versions of the packages that it names."""
    versions = {}
    for package in ("open_spiel", "pgx", "envpool", "pettingzoo"):
        if f"{{{package}}}" in name:
            versions[package] = importlib.metadata.version(package)
    return name.format(**versions)


def measure(name: str, size: int, seconds: float) -> None:
    """Measures in this process and prints the result."""
    cores = sorted(os.sched_getaffinity(0))
    wanted = 2 if name in OURS_ON_TWO_CORES else 1
    os.sched_setaffinity(0, set(cores[:wanted]))
    rate = ALL[name](size, seconds)
    print(json.dumps(rate), flush=True)


def rate_of(name: str, size: int, seconds: float) -> float:
    """Measures in a process of its own."""
    print(f"{title(name)}, {size}x{size} ...", file=sys.stderr, flush=True)
    command = [sys.executable, __file__, "--measure", name, "--size", str(size), "--seconds", str(seconds)]
    one_thread = {
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
        "JAX_PLATFORMS": "cpu",
    }
    done = subprocess.run(command, env={**os.environ, **one_thread}, stdout=subprocess.PIPE, check=True, text=True)
    rate = float(json.loads(done.stdout.splitlines()[-1]))
    print(f"  {rate:,.0f} steps a second", file=sys.stderr, flush=True)
    return rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", action="store_true", help="measure Pgx, OpenSpiel, EnvPool and PettingZoo, too")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long to measure each (default: %(default)s)")
    parser.add_argument("--measure", choices=ALL, help=argparse.SUPPRESS)
    parser.add_argument("--size", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.measure, arguments.size, arguments.seconds)
        return

    names = list(OURS)
    if len(os.sched_getaffinity(0)) > 1:
        names += OURS_ON_TWO_CORES
    if arguments.peers:
        names += PEERS
    rates = {name: [rate_of(name, size, arguments.seconds) for size in SIZES] for name in names}
    with_planes = rates[next(iter(OURS))]
    header = ["steps a second, one core"]
    for size in SIZES:
        header += [f"{size}×{size}", "ours ÷ this"]
    print("| " + " | ".join(header) + " |")
    print("|---|" + "---:|" * (2 * len(SIZES)))
    for name, of_sizes in rates.items():
        cells = [title(name)]
        for ours, rate in zip(with_planes, of_sizes, strict=True):
            ratio = f"{ours / rate:,.1f}" if name in PEERS else ""
            cells += [f"{rate:,.0f}", ratio]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
