"""Simulates Ray workers from what `scale.py` has measured: how many games, positions and bytes any number would make.

    python scale_simulation.py scale.json --cores 10 100 1000

Workers, the program that receives what they send, the network between them and the learner take their time one event
after the other. Rows of one worker and two, with the share of a processor that these had, are beside the measurement;
the others have a processor each. What the machine of the measurement cannot show is an assumption, and an argument:
how fast the network is, and how large the receiver's share of a machine.
"""

from __future__ import annotations

import argparse
import heapq
import json
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

QUEUED = 2
"""Tasks that a worker has at a time, as in `tengen.ray`."""


@dataclass(frozen=True)
class Work:
    """What workers do, and what it costs. All times are in seconds of processor."""

    name: str
    worker_seconds: float
    """For a unit, in a worker."""
    receiver_task_seconds: float
    """For a task, whatever it holds, in the program that hands it out and receives its result."""
    receiver_unit_seconds: float
    """For a unit, there."""
    unit_bytes: float
    units_in_a_task: int
    share: float = 1.0
    """The share of a processor that a worker has."""
    receivers: int = 1
    """How many programs receive, each from its own part of the workers."""
    bandwidth: float = 1.25e9
    """Bytes a second that come through the receiver's network."""
    latency: float = 0.001
    """Seconds until a task, or its result, is at the other end."""
    spread: float = 0.3
    """How much tasks differ, as a share of their mean."""


def simulate(work: Work, workers: int, tasks: int, seed: int = 1) -> float:
    """Units a second that so many workers hand in, by events: a task ends, a receiver is free."""
    rng = random.Random(seed)
    receivers = min(work.receivers, workers)
    seconds = work.worker_seconds * work.units_in_a_task / work.share
    reading = work.receiver_task_seconds + work.units_in_a_task * work.receiver_unit_seconds
    receiving = max(reading, work.units_in_a_task * work.unit_bytes / work.bandwidth)
    free_at = [0.0] * receivers
    waiting = [QUEUED - 1] * workers
    # Pairs of a time and a worker whose task ends then; a worker without tasks gets its next with the answer.
    events = [(seconds * rng.random(), worker) for worker in range(workers)]
    heapq.heapify(events)
    returns: list[tuple[float, int]] = []
    done: list[float] = []
    while len(done) < tasks:
        if returns and (not events or returns[0][0] <= events[0][0]):
            now, worker = heapq.heappop(returns)
            if waiting[worker] == -1:
                # It had nothing to do until now.
                waiting[worker] = 0
                heapq.heappush(events, (now + duration(rng, seconds, work.spread), worker))
            else:
                waiting[worker] += 1
            continue
        now, worker = heapq.heappop(events)
        receiver = worker % receivers
        begun = max(now + work.latency, free_at[receiver])
        free_at[receiver] = begun + receiving
        done.append(free_at[receiver])
        heapq.heappush(returns, (free_at[receiver] + work.latency, worker))
        if waiting[worker] > 0:
            waiting[worker] -= 1
            heapq.heappush(events, (now + duration(rng, seconds, work.spread), worker))
        else:
            waiting[worker] = -1
    done.sort()
    # The first fifth is the start.
    first = len(done) // 5
    return (len(done) - 1 - first) * work.units_in_a_task / (done[-1] - done[first])


def duration(rng: random.Random, seconds: float, spread: float) -> float:
    return seconds * max(0.1, rng.gauss(1.0, spread))


def works(found: dict[str, Any]) -> list[Work]:
    """What was measured, as work with a whole processor for each worker."""
    in_a_task = {"training_games": 4, "array_games": 8, "reviews": 4}
    unit_seconds = {"training_games": found["hand_in"]["cpu"], **found["reading"]}
    result: list[Work] = []
    for name, units in in_a_task.items():
        one, two = found[name]
        receiver = (one["driver_cpu_each"] + two["driver_cpu_each"]) / 2
        result.append(
            Work(
                name,
                worker_seconds=(one["cpu_each"] + two["cpu_each"]) / 2,
                receiver_task_seconds=units * max(0.0, receiver - unit_seconds[name]),
                receiver_unit_seconds=unit_seconds[name],
                unit_bytes=(one["bytes_each"] + two["bytes_each"]) / 2,
                units_in_a_task=units,
            )
        )
    return result


def here(found: dict[str, Any]) -> list[str]:
    """A table of what was measured beside what the simulation says."""
    lines = ["| work | workers | measured | simulated | ratio |", "|---|---:|---:|---:|---:|"]
    for work in works(found):
        for measured in found[work.name]:
            workers = int(measured["workers"])
            shared = replace(work, share=measured["share"], latency=0.0002)
            rate = simulate(shared, workers, 400 * workers)
            ratio = rate / measured["a_second"]
            lines.append(f"| {work.name} | {workers} | {measured['a_second']:.2f} | {rate:.2f} | {ratio:.2f} |")
    return lines


def elsewhere(found: dict[str, Any], cores: list[int]) -> list[str]:
    """A table of what other numbers of cores would do: as measured, with sixteen times the units in a task, and with
    eight programs that receive."""
    lines = [
        "| work | cores | a second | of ideal | large tasks | of ideal | 8 receivers | of ideal | MB a second |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for work in works(found):
        for workers in cores:
            cells: list[str] = []
            variants = (work, replace(work, units_in_a_task=16 * work.units_in_a_task), replace(work, receivers=8))
            rates = [simulate(variant, workers, max(400, 40 * workers)) for variant in variants]
            for rate in rates:
                cells += [f"{rate:,.0f}", f"{rate * work.worker_seconds / workers:.0%}"]
            megabytes = max(rates) * work.unit_bytes / 1e6
            lines.append(f"| {work.name} | {workers:,} | {' | '.join(cells)} | {megabytes:.2f} |")
    return lines


def learning(found: dict[str, Any], cores: list[int], reuse: float) -> list[str]:
    """A table of what a learner would have to do that learns from each position `reuse` times."""
    learner, games = found["learner"], works(found)[0]
    large = replace(games, units_in_a_task=16 * games.units_in_a_task)
    lines = [
        "| cores | positions a second | learner's cores | workers wait for 1 core | for 32 cores |",
        "|---:|---:|---:|---:|---:|",
    ]
    for workers in cores:
        positions = simulate(large, workers, max(400, 40 * workers)) * learner["positions_a_game"]
        needed = positions * reuse / learner["positions_a_cpu_second"]
        waits = [f"{needed / own / (1 + needed / own):.0%}" for own in (1, 32)]
        lines.append(f"| {workers:,} | {positions:,.0f} | {needed:.1f} | {waits[0]} | {waits[1]} |")
    return lines


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    of = Path(__file__).with_name("scale.json")
    parser.add_argument("measured", type=Path, nargs="?", default=of, help="the file that scale.py has written")
    parser.add_argument("--cores", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--reuse", type=float, default=4.0, help="how often a position is learned from (4)")
    options = parser.parse_args(arguments)
    found = json.loads(options.measured.read_text(encoding="utf-8"))
    for lines in (here(found), elsewhere(found, options.cores), learning(found, options.cores, options.reuse)):
        print("\n".join(lines), end="\n\n")


if __name__ == "__main__":
    main()
