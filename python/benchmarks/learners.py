"""Is `tengen.selfplay` with a callable as good a teacher as `tengen train`? Both learn 5×5 from as many games.

    python learners.py --seeds 3 --generations 5

Settings are the same: network, first weights, games of a generation, simulations of a move, rules and komi, steps and
batches of the learner. What `tengen train` can do besides is off: other komis and rules, cheap searches between those
that are learned from, first moves by the policy alone. The callable is a function of arrays that asks a `tengen.Net`,
and learning goes through `tengen.Trainer`. In the end the two play each other.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import tengen

SIZE, KOMI, BLOCKS, CHANNELS, BATCH, REUSE = 5, 18.5, 3, 32, 128, 6

CONFIG = """
seed = {seed}
start = "{start}"
[network]
blocks = {blocks}
channels = {channels}
[self_play]
boards = [{{ size = "{size}", komi = {komi} }}]
rules = [{{ rules = "tromp-taylor" }}]
full_share = 1
full_visits = {simulations}
opening_moves = 0
[self_play.komi]
spread = 0
extreme_share = 0
whole_share = 0
[self_play.resignation]
threshold = 0
[generation]
games = {games}
batch = {batch}
reuse = {reuse}
[evaluation]
every = 0
[until]
generations = {generations}
"""


def trained(options: argparse.Namespace, seed: int, folder: Path) -> tuple[tengen.Net, int]:
    """The network of a run of `tengen train`, and how many positions it had."""
    start = folder / "start.safetensors"
    tengen.Net.random(BLOCKS, CHANNELS, seed=seed).save(start)
    sizes = {"blocks": BLOCKS, "channels": CHANNELS, "size": SIZE, "komi": KOMI, "batch": BATCH, "reuse": REUSE}
    config = CONFIG.format(seed=seed, start=start, **sizes, **vars(options))
    run = tengen.Run(config, folder / "run", threads=1)
    positions = 0

    def told(event: dict[str, Any]) -> None:
        nonlocal positions
        positions = event.get("positions", positions)

    while not run.is_complete:
        run.advance(told)
    return tengen.Net.load(folder / "run" / "net.safetensors"), positions


def taught(options: argparse.Namespace, seed: int) -> tuple[tengen.Net, int]:
    """A network that `tengen.selfplay` played and a `Trainer` taught, and how many positions it had."""
    rng = np.random.default_rng(seed)
    trainer = tengen.Trainer(tengen.Net.random(BLOCKS, CHANNELS, seed=seed))
    window: list[tuple[Any, ...]] = []
    for generation in range(options.generations):
        net = trainer.averaged_net()

        def evaluate(leaves: tengen.Leaves, net: tengen.Net = net) -> Any:
            said = net.evaluate_planes(leaves.planes, leaves.globals)
            return said.logits, said.win - said.loss, said.lead

        before = len(window)
        for played in tengen.selfplay(
            evaluate,
            games=options.games,
            num_games=64,
            size=SIZE,
            komi=KOMI,
            simulations=options.simulations,
            observation="tactical",
            score_weight=0.05,
            seed=seed * 1000 + generation,
        ):
            window += positions_of(played)
        for _ in range(REUSE * (len(window) - before) // BATCH):
            chosen = rng.integers(len(window), size=BATCH)
            trainer.step([example(window[index], int(rng.integers(8))) for index in chosen])
    return trainer.averaged_net(), len(window)


def positions_of(played: tengen.PlayedGame) -> list[tuple[Any, ...]]:
    at = played.positions()
    game = tengen.Game(SIZE, rules="tromp-taylor", komi=KOMI)
    found: list[tuple[Any, ...]] = []
    for turn in range(len(played)):
        found.append((game.copy(), at.policy[turn], at.value[turn], at.lead[turn], at.ownership[turn]))
        game.play(played.game.turns[turn].move)
    return found


def example(position: tuple[Any, ...], symmetry: int) -> tengen.Example:
    game, policy, value, lead, ownership = position
    outcome = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)][1 - int(value)]
    return tengen.Example(game, outcome, policy=policy, lead=float(lead), ownership=ownership, symmetry=symmetry)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--generations", type=int, default=5)
    parser.add_argument("--games", type=int, default=200, help="of a generation")
    parser.add_argument("--simulations", type=int, default=16, help="of a move")
    parser.add_argument("--matches", type=int, default=200, help="games of each pair in the end")
    options = parser.parse_args(arguments)
    points = games = 0.0
    for seed in range(1, options.seeds + 1):
        with tempfile.TemporaryDirectory() as folder:
            run, of_run = trained(options, seed, Path(folder))
        net, of_net = taught(options, seed)
        settings: dict[str, Any] = {"size": SIZE, "komi": KOMI, "simulations": 16, "seed": seed}
        against = tengen.evaluate(net, [run], options.matches, **settings).versus[0]
        print(
            f"seed {seed}: selfplay {of_net} positions, tengen train {of_run}; selfplay won {against.wins}, drew"
            f" {against.draws} and lost {against.losses}",
            flush=True,
        )
        points += against.points
        games += against.games
        for name, player in (("selfplay", net), ("tengen train", run)):
            found = tengen.evaluate(player, ["rollouts@1", "rollouts@100"], options.matches // 2, **settings)
            shares = [f"{one.points} of {one.games}" for one in found.versus]
            print(f"    {name} against rollouts with 1 and 100 visits: {', '.join(shares)}", flush=True)
    print(f"selfplay got {points} of {games:.0f} points against tengen train")


if __name__ == "__main__":
    main()
