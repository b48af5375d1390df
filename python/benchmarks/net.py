"""How fast the network is, beside onnxruntime, and how fast it learns, beside JAX, in one run on one machine.

All run the same network with the same weights: onnxruntime the file that `Net.to_onnx` writes, JAX the code that the
tests compare with. Each is measured in a process of its own that is tied to one core, several times, and the best is
printed, since noise only ever makes a run slower. What counts is the time that the process had the core, so that other
programs matter less. Planes are made beforehand. Positions come in batches of several sizes, of which each program gets
the one that suits it best.

Run it with `cargo xtask bench net`.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Where the network is written in plain JAX.
TESTS = Path(__file__).resolve().parents[1] / "tests"

# Blocks, channels, and the side of the board.
INFERENCE = [(4, 32, 9), (6, 64, 9), (6, 64, 19)]
LEARNING = [(4, 32, 9), (6, 64, 9)]

BATCHES = [1, 8, 64]
EXAMPLES = 128
ROUNDS = 5


def best_rate(work: Callable[[], object], units: int, seconds: float) -> float:
    """Units of work for each second of the processor, in the best of several rounds."""
    work()
    best = 0.0
    for _ in range(ROUNDS):
        start, ends = time.process_time(), time.perf_counter() + seconds / ROUNDS
        done = 0
        while time.perf_counter() < ends:
            work()
            done += units
        best = max(best, done / (time.process_time() - start))
    return best


def positions(side: int, count: int) -> list[Any]:
    """Games after some random moves, each after a few more than the one before."""
    from tengen import VectorEnv

    env = VectorEnv(count, side, komi=7, seed=1, observation=None, num_threads=1)
    env.reset()
    games = []
    for number in range(count):
        env.step(env.sample())
        games.append(env.game(number))
    return games


def network(blocks: int, channels: int) -> Any:
    from tengen import Net

    return Net.random(blocks, channels, seed=1)


def ours(blocks: int, channels: int, side: int, seconds: float) -> float:
    """Tengen's own inference."""
    net = network(blocks, channels)
    rates = []
    for batch in BATCHES:
        planes, globals = net.inputs(positions(side, batch))
        rates.append(
            best_rate(lambda planes=planes, globals=globals: net.evaluate_planes(planes, globals), batch, seconds)
        )
    return max(rates)


def onnxruntime(blocks: int, channels: int, side: int, seconds: float) -> float:
    """The exported file under onnxruntime."""
    import numpy as np
    import onnxruntime as ort

    net = network(blocks, channels)
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "net.onnx"
        net.to_onnx(file)
        session = ort.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    rates = []
    for batch in BATCHES:
        planes, globals = net.inputs(positions(side, batch))
        fed = {"planes": np.ascontiguousarray(planes.transpose(0, 3, 1, 2)), "globals": globals}
        rates.append(best_rate(lambda fed=fed: session.run(None, fed), batch, seconds))
    return max(rates)


def our_learning(blocks: int, channels: int, side: int, seconds: float) -> float:
    """Steps of Tengen's own trainer."""
    import numpy as np
    from tengen import Example, Trainer

    shares = np.full((side, side), 0.5)
    examples = [
        Example(game, (1, 0, 0), policy=game.legal_mask(), lead=5, ownership=shares)
        for game in positions(side, EXAMPLES)
    ]
    trainer = Trainer(network(blocks, channels))
    return best_rate(lambda: trainer.step(examples), EXAMPLES, seconds)


def jax_learning(blocks: int, channels: int, side: int, seconds: float) -> float:
    """The same steps in JAX, compiled."""
    import jax
    import numpy as np
    from tengen import Trainer

    sys.path.insert(0, str(TESTS))
    import jax_network

    net = network(blocks, channels)
    games = positions(side, EXAMPLES)
    planes, globals = net.inputs(games)
    worth = net.evaluate(games).policy > 0
    batch = {
        "planes": planes,
        "globals": globals,
        "worth": worth,
        "policy": (worth / worth.sum(1, keepdims=True)).astype(np.float32),
        "win_draw_loss": np.tile(np.float32([1, 0, 0]), (EXAMPLES, 1)),
        "lead": np.full(EXAMPLES, 5, np.float32),
        "ownership": np.full((EXAMPLES, side, side), 0.5, np.float32),
    }
    settings = Trainer(net).settings
    batches = jax.device_put([batch])
    state = jax_network.beginning(net.weights())
    steps = 0.0

    def step() -> None:
        nonlocal state, steps
        steps += 1
        state, *_ = jax.block_until_ready(jax_network.stepped(state, batches, settings, steps))

    return best_rate(step, EXAMPLES, seconds)


MEASURED = {
    "inference": (INFERENCE, {"Tengen": ours, "onnxruntime": onnxruntime}, "positions judged"),
    "learning": (LEARNING, {"Tengen": our_learning, "jax": jax_learning}, "positions learnt from"),
}


def rate_of(what: str, who: str, shape: tuple[int, int, int], seconds: float) -> float:
    """Measures in a process of its own."""
    blocks, channels, side = shape
    print(f"{what}, {who}, {blocks}x{channels} on {side}x{side} ...", file=sys.stderr, flush=True)
    order = json.dumps([what, who, *shape])
    command = [sys.executable, __file__, "--measure", order, "--seconds", str(seconds)]
    one_thread = {
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
        "JAX_PLATFORMS": "cpu",
    }
    done = subprocess.run(command, env={**os.environ, **one_thread}, stdout=subprocess.PIPE, check=True, text=True)
    rate = float(json.loads(done.stdout.splitlines()[-1]))
    print(f"  {rate:,.0f} a second", file=sys.stderr, flush=True)
    return rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long to measure each (default: %(default)s)")
    parser.add_argument("--measure", type=json.loads, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        what, who, *shape = arguments.measure
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        print(json.dumps(MEASURED[what][1][who](*shape, arguments.seconds)))
        return

    tables = []
    for what, (shapes, programs, units) in MEASURED.items():
        us, them = programs
        version = importlib.metadata.version(them)
        lines = [f"| {units}, a second of one core | {us} | {them} {version} | {us} ÷ {them} |", "|---|---:|---:|---:|"]
        for shape in shapes:
            our_rate, their_rate = (rate_of(what, who, shape, arguments.seconds) for who in programs)
            blocks, channels, side = shape
            name = f"{blocks} blocks of {channels} channels, {side}×{side}"
            lines.append(f"| {name} | {our_rate:,.0f} | {their_rate:,.0f} | {our_rate / their_rate:.2f} |")
        tables.append("\n".join(lines))
    print("\n\n".join(tables))


if __name__ == "__main__":
    main()
