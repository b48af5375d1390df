"""AlphaZero on one screen, with PyTorch: learns 5×5 from nothing and says how strong it has become.

    pip install tengen torch
    python alphazero_torch.py --minutes 10

Tengen plays and searches all games at once; the network is an ordinary one of PyTorch, and so is its training.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import tengen

SIZE, KOMI, CHANNELS, BLOCKS = 5, 0.5, 32, 3


class Network(nn.Module):
    """A few residual blocks, a policy and a value."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(17, CHANNELS, 3, padding=1)
        self.blocks = nn.ModuleList(nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1) for _ in range(2 * BLOCKS))
        self.policy = nn.Linear(CHANNELS * SIZE**2, SIZE**2 + 1)
        self.value = nn.Sequential(nn.Linear(CHANNELS * SIZE**2, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = functional.relu(self.stem(planes.permute(0, 3, 1, 2)))
        for first, second in zip(self.blocks[::2], self.blocks[1::2], strict=True):
            x = functional.relu(x + second(functional.relu(first(x))))
        return self.policy(x.flatten(1)), self.value(x.flatten(1))[:, 0]


def main(arguments: list[str] | None = None) -> tengen.Evaluation:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10, help="to learn for (default: 10)")
    parser.add_argument("--games", type=int, default=64, help="at once (default: 64)")
    parser.add_argument("--simulations", type=int, default=32, help="of a search (default: 32)")
    parser.add_argument("--matches", type=int, default=100, help="against each opponent at the end (default: 100)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    torch.manual_seed(options.seed)
    # A small network gains nothing from more, and where others work too, threads that wait for each other lose much.
    torch.set_num_threads(1)
    rng = np.random.default_rng(options.seed)
    network = Network()
    optimizer = torch.optim.AdamW(network.parameters(), 2e-3, weight_decay=1e-4)

    @torch.inference_mode()
    def evaluate(leaves: tengen.Leaves) -> tuple[torch.Tensor, torch.Tensor]:
        return network(torch.from_numpy(leaves.planes))

    def learn(replay: list[tuple[Any, ...]]) -> float:
        chosen = [replay[index] for index in rng.integers(len(replay), size=256)]
        planes, mask, policy, value = (np.stack(column) for column in zip(*chosen, strict=True))
        symmetry = int(rng.integers(8))
        logits, values = network(torch.from_numpy(tengen.turn_observation(planes, symmetry)))
        legal, target = (torch.from_numpy(tengen.turn_policy(of, symmetry, SIZE)) for of in (mask, policy))
        chances = functional.log_softmax(logits.masked_fill(~legal, -1e9), 1)
        loss = -(target * chances).sum(1).mean() + functional.mse_loss(values, torch.from_numpy(value))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    replay: list[tuple[Any, ...]] = []
    start, losses = time.perf_counter(), 0.0
    play = tengen.selfplay(
        evaluate, size=SIZE, komi=KOMI, num_games=options.games, simulations=options.simulations, seed=options.seed
    )
    for number, played in enumerate(play, 1):
        at = played.positions()
        replay = [*replay[-30_000:], *zip(at.planes, at.mask, at.policy, at.value, strict=True)]
        for _ in range(len(played) // 6):
            losses = learn(replay)
        seconds = time.perf_counter() - start
        if number % 100 == 0 or seconds > 60 * options.minutes:
            print(f"{number} games, {seconds:.0f} s, loss {losses:.3f}", flush=True)
        if seconds > 60 * options.minutes:
            break
    opponents = ["random", "rollouts@1/50", "rollouts@1", "rollouts@100"]
    found = tengen.evaluate(evaluate, opponents, options.matches, size=SIZE, simulations=64, name="network")
    print(found)
    return found


if __name__ == "__main__":
    main()
