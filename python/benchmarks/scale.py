"""Measures what Ray workers do on this machine, as numbers for `scale_simulation.py`.

    python scale.py --seconds 20 --out scale.json

Games of a training run, games with arrays, and reviews are measured with one worker and with two; on its own what a
game costs the program that receives it, the learner, and a broadcast of weights. Workers are measured by the seconds of
processor that they used, too: on a machine with other work the clock says little.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Ray lets workers stand back for others, which on a machine with other work leaves them nothing.
os.environ.setdefault("RAY_worker_niceness", "0")

import tengen
import tengen.ray

CONFIG = """
seed = 5
start = "baseline"
[network]
blocks = 6
channels = 64
[self_play]
boards = [{ size = "9", komi = 7 }]
full_visits = 32
fast_visits = 8
[generation]
games = 2000
batch = 128
[until]
generations = 1
"""

RECORD = Path(__file__).parents[2] / "testdata" / "sgf" / "gnugo.sgf"
LEARNING = CONFIG.replace("games = 2000", "games = 24\nreuse = 16.0")


def cpu_of(pids: list[int]) -> float:
    """The seconds of processor that processes have used."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def pids_of(pool: Any) -> list[int]:
    import ray

    return ray.get([worker.__ray_call__.remote(lambda _: os.getpid()) for worker in pool.workers])


def rates(pool: Any, done: Iterator[tuple[float, int]], seconds: float, workers: int) -> dict[str, float]:
    """How much of something workers do, from the first result on. Results are pairs: how much, and how many bytes."""
    # Workers that have just started compile and load: the first results do not count.
    for _ in range(workers):
        next(done)
    pids = pids_of(pool)
    cpu, own, began = cpu_of(pids), time.process_time(), time.monotonic()
    amount, size, results = 0.0, 0, 0
    for much, many in done:
        amount, size, results = amount + much, size + many, results + 1
        if time.monotonic() - began > seconds:
            break
    took = time.monotonic() - began
    used = cpu_of(pids) - cpu
    return {
        "workers": workers,
        "a_second": amount / took,
        "bytes_a_second": size / took,
        "bytes_each": size / amount,
        "cpu_each": used / amount,
        # What share of a processor each worker got: less than 1 where others work too, or where it waited.
        "share": used / took / workers,
        "driver_cpu_each": (time.process_time() - own) / amount,
        "in_a_task": amount / results,
    }


def training_games(workers: int, seconds: float) -> dict[str, float]:
    """Games of `tengen train`, as records that are handed in."""
    with tempfile.TemporaryDirectory() as folder:
        run = tengen.Run(CONFIG, folder, threads=1)
        with tengen.ray.SelfPlayPool(CONFIG, workers, ray_options={"num_cpus": 1}) as pool:
            journal = Path(folder) / "journal.tgr"

            def done() -> Iterator[tuple[float, int]]:
                due, size = len(run.due()), 0
                for left in pool.play(run):
                    now = journal.stat().st_size
                    yield due - left, now - size
                    due, size = left, now

            return rates(pool, done(), seconds, workers)


def array_games(workers: int, seconds: float) -> dict[str, float]:
    """Games of `tengen.ray.GamePool`, whose policies come as arrays."""
    net = tengen.Net.random(4, 32, seed=1)
    options: dict[str, Any] = {"num_games": 8, "size": 9, "simulations": 16, "seed": 1, "max_moves": 120}
    with tengen.ray.GamePool(net, num_workers=workers, ray_options={"num_cpus": 1}, **options) as pool:

        def done() -> Iterator[tuple[float, int]]:
            for played in pool.play():
                yield 1, len(pickle.dumps(played))

        return rates(pool, done(), seconds, workers)


def reviews(workers: int, seconds: float, record: Path) -> dict[str, float]:
    """Positions of a record on 19x19."""
    from tengen.ray._review import _Review

    count = len(tengen.sgf.read(record)[0].main_line())
    options: dict[str, Any] = {"ray_options": {"num_cpus": 1}, "max_losses": 0, "start_timeout": 60.0}
    review = _Review([record] * 100, None, 50, 0, 4, None, num_workers=workers, **options)
    with review:
        size = len(record.read_bytes())

        def done() -> Iterator[tuple[float, int]]:
            for _, judged in review._results(review._tasks()):
                yield len(judged), size + len(pickle.dumps(judged))

        assert count > 100
        return rates(review, done(), seconds, workers)


def best(measure: Callable[[], float], times: int) -> float:
    return min(measure() for _ in range(times))


def hand_in() -> dict[str, float]:
    """What a game costs the program that hands it in, journal and disk included."""
    with tempfile.TemporaryDirectory() as folder:
        run = tengen.Run(CONFIG, folder, threads=1)
        player = tengen.SelfPlayer(CONFIG, run.net_bytes())
        records = [player.play(*due) for due in run.due()[:12]]
        began, cpu = time.monotonic(), time.process_time()
        for record in records:
            run.accept(record)
        took, used = time.monotonic() - began, time.process_time() - cpu
    return {"seconds": took / len(records), "cpu": used / len(records), "bytes": sum(map(len, records)) / len(records)}


def reading() -> dict[str, float]:
    """Seconds that it takes to read a game with arrays, and what was said about a position, from their bytes."""
    from tengen.ray._reviewed import Judged

    options: dict[str, Any] = {"games": 4, "size": 9, "simulations": 4, "max_moves": 120}
    games = [pickle.dumps(game) for game in tengen.selfplay(tengen.Net.random(1, 16, seed=1), **options)]
    judged = [pickle.dumps(Judged(0.5, 1.5, 50, "D4", ["D4", "Q16"] * 5))] * 100

    def seconds_of(many: list[bytes]) -> float:
        began = time.process_time()
        for one in many:
            pickle.loads(one)
        return (time.process_time() - began) / len(many)

    return {"array_games": best(lambda: seconds_of(games), 20), "reviews": best(lambda: seconds_of(judged), 20)}


def learner() -> dict[str, float]:
    """Positions that the learner of a run takes in a second of one processor."""
    with tempfile.TemporaryDirectory() as folder:
        run = tengen.Run(LEARNING, folder, threads=1)
        player = tengen.SelfPlayer(LEARNING, run.net_bytes())
        for due in run.due():
            run.accept(player.play(*due))
        marks: list[float] = []
        told: list[dict[str, Any]] = []

        def tell(event: dict[str, Any]) -> None:
            if event["event"] == "step":
                marks.append(time.process_time())
            told.append(event)

        run.advance(tell)
        summary = next(event for event in told if event["event"] == "generation")
        net = len(run.net_bytes())
    steps = len(marks) - 1
    cpu = (marks[-1] - marks[0]) / steps
    return {"positions_a_cpu_second": 128 / cpu, "net_bytes": net, "positions_a_game": summary["positions"] / 24}


def broadcast() -> dict[str, float]:
    """Weights that are stored, and fetched by an actor of this machine."""
    import ray

    @ray.remote(num_cpus=0.1)
    class Fetcher:
        def fetch(self, weights: tuple[Any]) -> int:
            return len(ray.get(weights[0]))

    fetcher = Fetcher.remote()
    data = os.urandom(3_500_000)
    ray.get(fetcher.fetch.remote((ray.put(b"x"),)))

    def once() -> float:
        began = time.monotonic()
        ray.get(fetcher.fetch.remote((ray.put(data),)))
        return time.monotonic() - began

    took = best(once, 10)
    ray.kill(fetcher)
    return {"bytes": len(data), "seconds": took, "bytes_a_second": len(data) / took}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20.0, help="of each measurement (default: 20)")
    parser.add_argument("--out", type=Path, help="where the numbers go, as JSON")
    parser.add_argument("--record", type=Path, default=RECORD, help="a game on 19x19, which is reviewed")
    options = parser.parse_args(arguments)
    import ray

    # Two workers and the broadcast have room, however few processors there are.
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, logging_level="warning")
    print(tengen.ray.resources())
    found: dict[str, Any] = {"hand_in": hand_in(), "reading": reading(), "learner": learner(), "broadcast": broadcast()}
    for name, measure in [
        ("training_games", lambda workers: training_games(workers, options.seconds)),
        ("array_games", lambda workers: array_games(workers, options.seconds)),
        ("reviews", lambda workers: reviews(workers, options.seconds, options.record)),
    ]:
        found[name] = [measure(workers) for workers in (1, 2)]
        print(name, json.dumps(found[name], indent=1), flush=True)
    text = json.dumps(found, indent=1)
    print(text)
    if options.out:
        options.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
