"""The games of a training run, played by many Ray actors at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from tengen._arguments import whole
from tengen._native import Run, SelfPlayer
from tengen.ray._actors import LOOK_EVERY, Actors, Start, logger, ray_module

__all__ = ["SelfPlayPool", "connect"]

Due = tuple[int, int, int]
"""A game as `Run.due` names it: its number, its seed, the step of the network that is to play it."""

QUEUED = 2
"""So many batches a worker has at a time: it begins the next one while the last one is on its way."""


def connect(address: str | None = None) -> ModuleType:
    """Joins a cluster, or starts one on this machine, unless that was done already."""
    ray = ray_module()
    if not ray.is_initialized():
        ray.init(address=address, logging_level="warning", log_to_driver=False)
    return ray


class _Actor:
    """Plays games, and fetches a network when it does not have it yet."""

    def __init__(self, config: str) -> None:
        self._config = config
        self._network: int | None = None
        self._player: SelfPlayer | None = None

    def play(self, network: int, net: tuple[Any], games: list[Due]) -> list[bytes]:
        if self._player is None or self._network != network:
            self._player = SelfPlayer(self._config, ray_module().get(net[0]))
            self._network = network
        return [self._player.play(*game) for game in games]


@dataclass
class _Seat:
    """A worker, and how often it was lost since it last sent something."""

    number: int
    actor: Any
    start: Start | None = None
    ready: bool = False
    losses: int = 0


@dataclass
class _Batch:
    """Games that are handed out together, and how often a worker was lost over them."""

    games: list[Due]
    losses: int = 0


@dataclass(frozen=True)
class _Task:
    """What a worker is doing: a batch, or nothing but starting."""

    seat: _Seat
    batch: _Batch | None


class SelfPlayPool(Actors[_Seat]):
    """Ray actors that play the games of a training run, on any number of machines.

    >>> from tengen import Run
    >>> from tengen.ray.selfplay import SelfPlayPool
    >>> run = Run(config, "runs/mine")  # doctest: +SKIP
    >>> with SelfPlayPool(config, num_workers=8) as pool:  # doctest: +SKIP
    ...     while not run.is_complete:
    ...         for left in pool.play(run):
    ...             print(left, "games to go")
    ...         run.advance()

    The network is stored once for each generation, and a worker fetches it with its first games. Workers that are lost
    are replaced, and their games handed out again; `pool.replaced` counts them, and a warning is logged to
    `tengen.ray`. As a game depends on the run and its number alone, it does not matter who plays it, nor how often.

    Arguments:

    - config: the text of the run's configuration
    - num_workers: how many actors; as many as the cluster has processors unless given
    - games_per_task: how many games a worker is given at a time. They come back together
    - ray_options: what `ray.remote` takes for the actors
    - max_losses: how often a worker in a row, or a batch of games, may be lost before the pool gives up
    - start_timeout: how many seconds the pool waits for room for its first worker before it gives up

    Ray is started on this machine if it is not running.
    """

    def __init__(
        self,
        config: str,
        num_workers: int | None = None,
        *,
        games_per_task: int = 4,
        ray_options: Mapping[str, Any] | None = None,
        max_losses: int = 3,
        start_timeout: float = 60.0,
    ) -> None:
        if num_workers is not None:
            num_workers = whole("num_workers", num_workers, 1)
        games_per_task = whole("games_per_task", games_per_task, 1)
        super().__init__()
        connect()
        self._config = config
        self._games_per_task = games_per_task
        self._max_losses = max_losses
        self._start_timeout = start_timeout
        self.replaced = 0
        """How many workers were lost and replaced."""
        if num_workers is None:
            num_workers = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._ray_options = self._actor_options(num_workers, ray_options)
        self._under_way: dict[Any, _Task] = {}
        self._seats = [_Seat(number, None) for number in range(num_workers)]
        for seat in self._seats:
            self._start(seat)

    def _start(self, seat: _Seat) -> None:
        seat.actor = self._ray.remote(**self._ray_options)(_Actor).remote(self._config)
        seat.start = Start(seat.actor)
        seat.ready = False
        # Games are for workers that are there: one that waits for a free processor would keep them from all others.
        self._under_way[seat.start.reference] = _Task(seat, None)

    def play(self, run: Run) -> Iterator[int]:
        """Has all games played that are due, and hands them in as they come. Yields after each batch how many are
        left."""
        self._refuse_if_closed()
        # What was under way when somebody left this loop is handed out again, if it is still due.
        self._under_way = {reference: task for reference, task in self._under_way.items() if task.batch is None}
        due = run.due()
        if not due:
            return
        network = due[0][2]
        net = self._ray.put(run.net_bytes())
        starts = range(0, len(due), self._games_per_task)
        waiting = deque(_Batch(due[start : start + self._games_per_task]) for start in starts)
        while waiting or any(task.batch is not None for task in self._under_way.values()):
            self._hand_out(waiting, network, net)
            ready, _ = self._ray.wait(
                list(self._under_way), num_returns=1, timeout=min(LOOK_EVERY, self._start_timeout)
            )
            if not ready:
                # Those that are there play for the others.
                if not any(seat.ready for seat in self._seats):
                    begun = [seat.start for seat in self._seats if seat.start is not None]
                    self._refuse_to_wait_for_ever(begun, len(self._seats), self._ray_options, self._start_timeout)
                continue
            task = self._under_way[ready[0]]
            try:
                played = self._ray.get(ready[0])
            except self._losses() as error:
                waiting.extendleft(reversed(self._lose(task.seat, error)))
                continue
            del self._under_way[ready[0]]
            if task.batch is None:
                task.seat.ready = True
                continue
            task.seat.losses = 0
            for record in played:
                run.accept(record)
            yield len(run.due())

    def _hand_out(self, waiting: deque[_Batch], network: int, net: Any) -> None:
        """Gives games to all workers that have too few."""
        busy = [task.seat.number for task in self._under_way.values() if task.batch is not None]
        for queued in range(QUEUED):
            for seat in self._seats:
                if waiting and seat.ready and busy.count(seat.number) <= queued:
                    batch = waiting.popleft()
                    # In a tuple the reference stays one: only a worker that does not have the network asks for it.
                    reference = seat.actor.play.remote(network, (net,), batch.games)
                    self._under_way[reference] = _Task(seat, batch)
                    busy.append(seat.number)

    def _losses(self) -> tuple[type[Exception], ...]:
        errors = self._ray.exceptions
        return (errors.RayActorError, errors.ObjectLostError, errors.NodeDiedError, errors.WorkerCrashedError)

    def _lose(self, seat: _Seat, error: Exception) -> list[_Batch]:
        """Puts a new worker in the place of a lost one. Returns the games that it had, first those that it was lost
        over."""
        # It had them in this order; its failures may come in another.
        tasks = [reference for reference, task in self._under_way.items() if task.seat is seat]
        batches = [task.batch for task in map(self._under_way.pop, tasks) if task.batch is not None]
        seat.losses += 1
        losses, over = seat.losses, ""
        if batches:
            batches[0].losses += 1
            losses = max(losses, batches[0].losses)
            over = f" over games {batches[0].games[0][0]} to {batches[0].games[-1][0]}"
        if losses > self._max_losses:
            raise RuntimeError(f"workers were lost {losses} times{over}: {error}") from error
        # It may live on where it cannot be reached.
        self._ray.kill(seat.actor, no_restart=True)
        self._start(seat)
        self.replaced += 1
        logger.warning("worker %d was lost (%s) and replaced", seat.number, type(error).__name__)
        return batches

    def __repr__(self) -> str:
        closed = ", closed" if self._closed else ""
        return f"<SelfPlayPool: {len(self._seats)} workers{closed}>"
