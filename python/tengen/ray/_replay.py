"""A replay buffer in shards: several actors that each have workers, receive their games and hand out positions."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from tengen import _selfplay
from tengen._arguments import choice, seed_of_games, whole
from tengen._selfplay import TrainingPositions
from tengen.ray._actors import Actors, logger, ray_module
from tengen.ray._selfplay import GamePool, Make, nobody
from tengen.ray._tasks import connect
from tengen.ray.worker import seed_of

__all__ = ["ShardState", "ShardedReplay"]

CLOSING_SECONDS = 10.0
"""So many seconds shards have to end their workers themselves."""


class ShardState(NamedTuple):
    """How far a shard of a `ShardedReplay` is."""

    games: int
    """Games that it has received in all."""
    positions: int
    """Positions of these."""
    kept: int
    """Positions that it can hand out."""
    version: int
    """How often weights had been broadcast when the newest of its games was played."""


class _Ring:
    """The newest positions, so many at most. Planes are kept as bytes."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._arrays: list[npt.NDArray[Any]] = []
        self.added = 0

    def __len__(self) -> int:
        return min(self.added, self._capacity)

    def add(self, positions: TrainingPositions) -> None:
        if not self._arrays:
            self._arrays = [np.empty((self._capacity, *rows.shape[1:]), rows.dtype) for rows in positions]
        count = len(positions.planes)
        where = np.arange(self.added, self.added + count) % self._capacity
        for array, rows in zip(self._arrays, positions):
            # Of a game with more positions than there is room for, the last ones stay.
            array[where[-self._capacity :]] = rows[-self._capacity :]
        self.added += count

    def draw(self, rows: int, rng: np.random.Generator) -> TrainingPositions:
        drawn = rng.integers(len(self), size=rows)
        return TrainingPositions(*(array[drawn] for array in self._arrays))


class _Shard:
    """Has games played by workers of its own, keeps their positions and hands them out."""

    def __init__(
        self, evaluate: tuple[Any], make: Make | None, seed: int, capacity: int, options: dict[str, Any]
    ) -> None:
        self._pool = GamePool(ray_module().get(evaluate[0]), make=make, seed=seed, **options)
        self._look = {name: options[name] for name in ("observation", "layout") if name in options}
        self._ring = _Ring(capacity)
        self._rng = np.random.default_rng(seed)
        self._games = 0
        self._version = 0
        self._error: BaseException | None = None
        self._changed = threading.Condition()
        threading.Thread(target=self._play, daemon=True).start()

    def _play(self) -> None:
        try:
            for played in self._pool.play():
                positions = played.positions(dtype="uint8", **self._look)
                with self._changed:
                    self._ring.add(positions)
                    self._games += 1
                    self._version = max(self._version, played.version)
                    self._changed.notify_all()
        except BaseException as error:
            # Whoever asks for positions next has to hear of it. Ray wraps what a network raises, here and once more.
            with self._changed:
                self._error = getattr(error, "cause", None) or error
                self._changed.notify_all()

    def draw(self, rows: int, least: int) -> TrainingPositions:
        with self._changed:
            self._changed.wait_for(lambda: self._error is not None or len(self._ring) >= least)
            if self._error is not None:
                raise self._error
            return self._ring.draw(rows, self._rng)

    def state(self) -> ShardState:
        with self._changed:
            return ShardState(self._games, self._ring.added, len(self._ring), self._version)

    def broadcast(self, evaluate: tuple[Any]) -> None:
        self._pool.broadcast(ray_module().get(evaluate[0]))

    def close(self) -> None:
        self._pool.close()


@dataclass
class _ShardSeat:
    """A shard, what it was asked for already, and how often it was lost in a row."""

    number: int
    actor: Any
    asked: Any = None
    rows: int = 0
    losses: int = 0


class ShardedReplay(Actors[_ShardSeat]):
    """A replay buffer in shards, each an actor with workers of its own that play games of a network with itself.

    A `GamePool` brings all games into one program, which is enough for some hundred workers. Here each shard receives
    the games of its own workers and keeps their positions, and the learner, which receives nothing but batches, draws
    from one shard after the other.

    >>> from tengen.ray import ShardedReplay
    >>> with ShardedReplay(first, make=make, num_shards=8, num_workers=100, size=9) as replay:  # doctest: +SKIP
    ...     for step in range(100_000):
    ...         learn(replay.sample(256))
    ...         if step % 100 == 99:
    ...             replay.broadcast(weights())

    `evaluate` and `make` are what `GamePool` takes, and so are `num_games`, `games_per_task`, `ray_options` and the
    options of `tengen.selfplay`.

    Arguments:

    - num_shards: how many shards there are
    - num_workers: how many workers each of them has; a fair part of the processors of the cluster unless given
    - capacity: how many positions a shard keeps, the newest ones
    - least: how many positions a shard must have before it hands any out; as many as are asked for unless given
    - seed: each shard has a seed of its own, which depends on it
    - shard_options: what `ray.remote` takes for the shards, such as `{"resources": {"replay": 1}}`. They take part of
      no processor unless it says so, and are spread over the machines
    - max_losses: how often a shard may be lost in a row. It is replaced by an empty one

    Which positions are drawn depends on how fast games are played. Nothing says how often a position is learned from:
    that is for the learner to decide, who sees in `state()` how many have arrived.
    """

    def __init__(
        self,
        evaluate: Any,
        *,
        make: Make | None = None,
        num_shards: int = 2,
        num_workers: int | None = None,
        capacity: int = 100_000,
        least: int | None = None,
        seed: int = 0,
        ray_options: Mapping[str, Any] | None = None,
        shard_options: Mapping[str, Any] | None = None,
        max_losses: int = 3,
        num_games: int = 32,
        games_per_task: int | None = None,
        **options: Any,
    ) -> None:
        shards = whole("num_shards", num_shards, 1)
        self._capacity = whole("capacity", capacity, 1)
        self._least = None if least is None else whole("least", least, 1)
        if self._least is not None and self._least > self._capacity:
            raise ValueError(f"a shard of {self._capacity} positions never has {self._least} (least)")
        at_once = whole("num_games", num_games, 1)
        if games_per_task is not None:
            whole("games_per_task", games_per_task, 1)
        self._seed = seed_of_games(seed)
        # Mistakes are found here, before an actor stumbles over them.
        pool_options = {"start_timeout", "task_timeout"}
        played = {name: value for name, value in options.items() if name not in pool_options}
        _selfplay.selfplay(evaluate if make is None else nobody, games=1, num_games=1, **played)
        super().__init__()
        connect()
        if num_workers is None:
            num_workers = max(1, int(self._ray.cluster_resources().get("CPU", 1)) // shards)
        workers = whole("num_workers", num_workers, 1)
        self._make = make
        self._max_losses = max_losses
        self._version = 0
        self.replaced = 0
        """How many shards were lost and replaced."""
        self._options = {
            **options,
            "num_games": at_once,
            "games_per_task": games_per_task,
            "num_workers": workers,
            "ray_options": self._actor_options(shards * workers, ray_options),
        }
        # A shard answers while it waits for games.
        spread = {"num_cpus": 0, "scheduling_strategy": "SPREAD", **(shard_options or {})}
        self._shard_options = {**spread, "max_concurrency": 16, "max_restarts": 0}
        self._weights = (self._ray.put(evaluate),)
        self._seats = [_ShardSeat(number, None) for number in range(shards)]
        self._turn = 0
        for seat in self._seats:
            self._start(seat)

    def _start(self, seat: _ShardSeat) -> None:
        seed = seed_of(seed_of(self._seed, seat.number), self.replaced)
        shard = self._ray.remote(**self._shard_options)(_Shard)
        seat.actor = shard.remote(self._weights, self._make, seed, self._capacity, self._options)
        seat.asked = None

    @property
    def version(self) -> int:
        """How often weights were broadcast."""
        return self._version

    def broadcast(self, evaluate: Any) -> int:
        """Has all games that begin from now on played with another network; the number of its version. It is stored
        once, and each shard fetches it."""
        self._refuse_if_closed()
        self._weights = (self._ray.put(evaluate),)
        self._version += 1
        for seat in self._seats:
            seat.actor.broadcast.remote(self._weights)
        return self._version

    def sample(self, batch_size: int, dtype: str = "float32") -> TrainingPositions:
        """So many positions of one shard, drawn with equal chances and with replacement; shards take turns. Waits until
        the shard has enough of them.

        A shard is asked for its next batch at once, so that it travels while the learner learns.
        """
        self._refuse_if_closed()
        rows = whole("batch_size", batch_size, 1)
        choice("dtype", dtype, ["float32", "uint8"])
        for seat in self._seats:
            if seat.asked is None or seat.rows != rows:
                self._ask(seat, rows)
        seat = self._seats[self._turn]
        self._turn = (self._turn + 1) % len(self._seats)
        while True:
            try:
                found = cast(TrainingPositions, self._ray.get(seat.asked))
                break
            except self._ray.exceptions.RayActorError as error:
                self._replace(seat, error)
                self._ask(seat, rows)
        seat.losses = 0
        self._ask(seat, rows)
        return found._replace(planes=found.planes.astype(dtype, copy=False))

    def _ask(self, seat: _ShardSeat, rows: int) -> None:
        least = min(rows, self._capacity) if self._least is None else self._least
        seat.asked = seat.actor.draw.remote(rows, least)
        seat.rows = rows

    def _replace(self, seat: _ShardSeat, error: Exception) -> None:
        seat.losses += 1
        if seat.losses > self._max_losses:
            raise RuntimeError(f"shard {seat.number} was lost {seat.losses} times: {error}") from error
        self._ray.kill(seat.actor, no_restart=True)
        self.replaced += 1
        self._start(seat)
        logger.warning("shard %d was lost (%s) and replaced by an empty one", seat.number, type(error).__name__)

    def state(self) -> list[ShardState]:
        """How far each shard is."""
        self._refuse_if_closed()
        return cast("list[ShardState]", self._ray.get([seat.actor.state.remote() for seat in self._seats]))

    def close(self) -> None:
        """Stops shards and workers. Ray itself goes on."""
        if not self._closed and self._ray.is_initialized():
            # Workers of a shard that is merely killed end with it, but not at once.
            ended = [seat.actor.close.remote() for seat in self._seats]
            self._ray.wait(ended, num_returns=len(ended), timeout=CLOSING_SECONDS)
        super().close()

    def __repr__(self) -> str:
        closed = ", closed" if self._closed else ""
        workers = self._options["num_workers"]
        return f"<ShardedReplay: {len(self._seats)} shards with {workers} workers each{closed}>"
