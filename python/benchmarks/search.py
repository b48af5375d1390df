"""Measures searches: simulations a second of processor time, for networks of Tengen, PyTorch and JAX.

    python search.py --size 9 --games 256 --simulations 32
    python search.py --size 9 --games 256 --simulations 32 --peers

With `--peers` mctx searches games of Pgx in the same run. Networks have 4 residual blocks of 32 channels. Processor
time is that of all threads, so that a busy machine does not matter much. Games have a few random stones.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import tengen

BLOCKS, CHANNELS = 4, 32


def positions(size: int, count: int) -> list[tengen.Game]:
    env = tengen.VectorEnv(count, size, seed=1, autoreset="disabled", num_threads=1)
    env.reset()
    for _ in range(size):
        env.step(env.sample())
    return [env.game(index) for index in range(count)]


def best(repeats: int, work: Callable[[], Any]) -> float:
    """The least processor time of a few runs, the first of which warms up."""
    work()
    times: list[float] = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def native(games: list[tengen.Game], simulations: int, repeats: int) -> None:
    net = tengen.Net.random(BLOCKS, CHANNELS, seed=1)
    alone = best(repeats, lambda: net.evaluate(games)) / len(games)
    searched = best(repeats, lambda: tengen.search(net, games, simulations, seed=1))
    each = searched / (len(games) * simulations)
    print(f"tengen.Net: {1 / each:,.0f} simulations a second; the network alone {1 / alone:,.0f} positions", flush=True)


def searched(
    name: str, evaluate: Any, games: list[tengen.Game], simulations: int, repeats: int, **options: Any
) -> None:
    spent = best(repeats, lambda: tengen.search(evaluate, games, simulations, seed=1, **options))
    leaves = tengen.Leaves(
        *(np.zeros((len(games), *shape), dtype) for shape, dtype in shapes(games[0].size))  # type: ignore[arg-type]
    )
    alone = best(repeats, lambda: [np.asarray(part) for part in evaluate(leaves)]) / len(games)
    rate = len(games) * simulations / spent
    print(f"{name}: {rate:,.0f} simulations a second; the network alone {1 / alone:,.0f} positions", flush=True)


def shapes(size: tuple[int, int]) -> list[tuple[tuple[int, ...], Any]]:
    actions = size[0] * size[1] + 1
    planes, numbers = (size[1], size[0], 17), (8,)
    return [(planes, np.float32), (numbers, np.float32), ((actions,), np.bool_), ((), np.uint8), ((), np.int32)]


def torch_network(size: int) -> Any:
    import torch
    from torch import nn

    torch.set_num_threads(1)

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stem = nn.Conv2d(17, CHANNELS, 3, padding=1)
            self.blocks = nn.ModuleList(nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1) for _ in range(2 * BLOCKS))
            self.head = nn.Linear(CHANNELS * size**2, size**2 + 2)

        def forward(self, planes: Any) -> Any:
            x = torch.relu(self.stem(planes.permute(0, 3, 1, 2)))
            for first, second in zip(self.blocks[::2], self.blocks[1::2], strict=True):
                x = torch.relu(x + second(torch.relu(first(x))))
            out = self.head(x.flatten(1))
            return out[:, :-1], torch.tanh(out[:, -1])

    network = Network()

    @torch.inference_mode()
    def evaluate(leaves: tengen.Leaves) -> Any:
        return network(torch.from_numpy(leaves.planes))

    return evaluate


def jax_network(size: int) -> Any:
    import jax
    import jax.numpy as jnp

    keys = iter(jax.random.split(jax.random.PRNGKey(0), 2 * BLOCKS + 2))
    weights = [jax.random.normal(next(keys), (3, 3, n, CHANNELS)) * 0.05 for n in [17] + [CHANNELS] * 2 * BLOCKS]
    head = jax.random.normal(next(keys), (CHANNELS * size**2, size**2 + 2)) * 0.01

    def conv(x: Any, w: Any) -> Any:
        return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def forward(planes: Any) -> Any:
        x = jax.nn.relu(conv(planes.astype(jnp.float32), weights[0]))
        for first, second in zip(weights[1::2], weights[2::2], strict=True):
            x = jax.nn.relu(x + conv(jax.nn.relu(conv(x, first)), second))
        out = x.reshape(len(x), -1) @ head
        return out[:, :-1], jnp.tanh(out[:, -1])

    return forward


def mctx_with_pgx(size: int, games: int, simulations: int, repeats: int) -> None:
    import jax
    import jax.numpy as jnp
    import mctx
    from pgx.go import Go

    env = Go(size=size)
    forward = jax_network(size)
    init, step = jax.vmap(env.init), jax.vmap(env.step)

    def recurrent(params: Any, key: Any, action: Any, state: Any) -> Any:
        del params, key
        player = state.current_player
        state = step(state, action)
        logits, value = forward(state.observation)
        logits = jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)
        reward = state.rewards[jnp.arange(games), player]
        over = state.terminated
        output = mctx.RecurrentFnOutput(
            reward=reward, discount=jnp.where(over, 0.0, -1.0), prior_logits=logits, value=jnp.where(over, 0.0, value)
        )
        return output, state

    @jax.jit
    def search(state: Any, key: Any) -> Any:
        logits, value = forward(state.observation)
        root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=state)
        found = mctx.gumbel_muzero_policy(None, key, root, recurrent, simulations, ~state.legal_action_mask)
        return found.action

    key = jax.random.PRNGKey(1)
    state = jax.jit(init)(jax.random.split(key, games))
    spent = best(repeats, lambda: search(state, key).block_until_ready())
    print(f"mctx with Pgx: {games * simulations / spent:,.0f} simulations a second", flush=True)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--peers", action="store_true", help="measure mctx with Pgx too")
    options = parser.parse_args(arguments)
    games = positions(options.size, options.games)
    native(games, options.simulations, options.repeats)
    try:
        searched("PyTorch", torch_network(options.size), games, options.simulations, options.repeats)
    except ImportError:
        print("PyTorch is not installed")
    try:
        import jax

        forward = jax.jit(jax_network(options.size))
    except ImportError:
        print("JAX is not installed")
    else:
        evaluate = lambda leaves: forward(leaves.planes)  # noqa: E731
        searched("JAX", evaluate, games, options.simulations, options.repeats, fixed_batch=True)
    if options.peers:
        mctx_with_pgx(options.size, options.games, options.simulations, options.repeats)


if __name__ == "__main__":
    main()
