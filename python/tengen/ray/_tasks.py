"""Work that is handed out to Ray actors, whoever is free, and comes back as it is done."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from tengen._arguments import whole
from tengen.ray._actors import LOOK_EVERY, Actors, Start, logger, ray_module, resources

__all__ = ["Task", "TaskPool", "connect"]

QUEUED = 2
"""So many tasks a worker has at a time: it begins the next one while the last one is on its way."""

SAY_EVERY = 60.0
"""After so many seconds without an answer a pool says what it is waiting for."""


def connect(address: str | None = None) -> ModuleType:
    """Joins a cluster, or starts one on this machine, unless that was done already."""
    ray = ray_module()
    if not ray.is_initialized():
        ray.init(address=address, logging_level="warning", log_to_driver=False)
    return ray


@dataclass(eq=False)
class Task:
    """What is handed out at once, and how often a worker was lost over it."""

    name: str
    """As an error names it, such as "games 0 to 3"."""
    arguments: tuple[Any, ...]
    """The arguments of the actor's method `do`."""
    key: Any = None
    """Whatever its pool knows it by."""
    losses: int = 0


@dataclass
class _Seat:
    """A worker, and how often it was lost since it last sent something."""

    number: int
    actor: Any
    start: Start | None = None
    ready: bool = False
    losses: int = 0
    heard: float = 0.0


@dataclass(frozen=True)
class _UnderWay:
    """What a worker is doing: a task, or nothing but starting."""

    seat: _Seat
    task: Task | None


class TaskPool(Actors[_Seat]):
    """Ray actors that do tasks. Workers that are lost are replaced, and their tasks handed out again."""

    def __init__(
        self,
        actor: type,
        arguments: tuple[Any, ...],
        num_workers: int | None,
        ray_options: Mapping[str, Any] | None,
        max_losses: int,
        start_timeout: float,
        task_timeout: float | None = None,
    ) -> None:
        if num_workers is not None:
            num_workers = whole("num_workers", num_workers, 1)
        super().__init__()
        connect()
        self._actor = actor
        self._arguments = arguments
        self._max_losses = max_losses
        self._start_timeout = start_timeout
        self._task_timeout = task_timeout
        self.replaced = 0
        """How many workers were lost and replaced."""
        if num_workers is None:
            num_workers = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        self._ray_options = self._actor_options(num_workers, ray_options)
        logger.info("%d workers on %s", num_workers, resources())
        self._under_way: dict[Any, _UnderWay] = {}
        self._seats = [_Seat(number, None) for number in range(num_workers)]
        for seat in self._seats:
            self._start(seat)

    def _start(self, seat: _Seat) -> None:
        seat.actor = self._ray.remote(**self._ray_options)(self._actor).remote(*self._arguments)
        seat.start = Start(seat.actor)
        seat.ready = False
        # Tasks are for workers that are there: one that waits for a free processor would keep them from all others.
        self._under_way[seat.start.reference] = _UnderWay(seat, None)

    def _results(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, Any]]:
        """Has all tasks done, and yields each with its result as soon as it is there. Only as many are taken from the
        iterator as workers can have."""
        self._refuse_if_closed()
        # What was under way when somebody left this loop is nobody's any more.
        self._under_way = {reference: doing for reference, doing in self._under_way.items() if doing.task is None}
        again: deque[Task] = deque()
        heard = time.monotonic()
        while True:
            self._hand_out(again, tasks)
            if not any(doing.task is not None for doing in self._under_way.values()) and self._is_idle():
                return
            ready, _ = self._ray.wait(
                list(self._under_way), num_returns=1, timeout=min(LOOK_EVERY, self._start_timeout)
            )
            again.extend(self._give_up_the_slow())
            if not ready:
                # Those that are there work for the others.
                if not any(seat.ready for seat in self._seats):
                    begun = [seat.start for seat in self._seats if seat.start is not None]
                    self._refuse_to_wait_for_ever(begun, len(self._seats), self._ray_options, self._start_timeout)
                if time.monotonic() - heard > SAY_EVERY:
                    heard = time.monotonic()
                    self._say_what_it_waits_for()
                continue
            heard = time.monotonic()
            doing = self._under_way.get(ready[0])
            if doing is None:
                continue
            try:
                result = self._ray.get(ready[0])
            except self._losses() as error:
                again.extendleft(reversed(self._lose(doing.seat, error)))
                continue
            del self._under_way[ready[0]]
            doing.seat.heard = time.monotonic()
            if doing.task is None:
                doing.seat.ready = True
                continue
            doing.seat.losses = 0
            yield doing.task, result
            self._refuse_if_closed()

    def _is_idle(self) -> bool:
        """Whether there was a worker to take a task, and none to take."""
        return any(seat.ready for seat in self._seats)

    def _hand_out(self, again: deque[Task], tasks: Iterator[Task]) -> None:
        """Gives tasks to all workers that have too few."""
        busy = [doing.seat.number for doing in self._under_way.values() if doing.task is not None]
        for queued in range(QUEUED):
            for seat in self._seats:
                if not seat.ready or busy.count(seat.number) > queued:
                    continue
                task = again.popleft() if again else next(tasks, None)
                if task is None:
                    return
                if seat.number not in busy:
                    seat.heard = time.monotonic()
                self._under_way[seat.actor.do.remote(*task.arguments)] = _UnderWay(seat, task)
                busy.append(seat.number)

    def _losses(self) -> tuple[type[Exception], ...]:
        errors = self._ray.exceptions
        return (errors.RayActorError, errors.ObjectLostError, errors.NodeDiedError, errors.WorkerCrashedError)

    def _give_up_the_slow(self) -> list[Task]:
        """Replaces workers that have not answered for too long. Returns the tasks that they had."""
        if self._task_timeout is None:
            return []
        now = time.monotonic()
        busy = {doing.seat.number for doing in self._under_way.values() if doing.task is not None}
        slow = [seat for seat in self._seats if seat.number in busy and now - seat.heard > self._task_timeout]
        error = TimeoutError(
            f"no answer in {self._task_timeout:g} seconds. Ask for less at a time, or wait longer with task_timeout"
        )
        return [task for seat in slow for task in self._lose(seat, error)]

    def _lose(self, seat: _Seat, error: Exception) -> list[Task]:
        """Puts a new worker in the place of a lost one. Returns the tasks that it had, first the one that it was lost
        over."""
        # It had them in this order; its failures may come in another.
        references = [reference for reference, doing in self._under_way.items() if doing.seat is seat]
        tasks = [doing.task for doing in map(self._under_way.pop, references) if doing.task is not None]
        seat.losses += 1
        losses, over = seat.losses, ""
        if tasks:
            tasks[0].losses += 1
            losses = max(losses, tasks[0].losses)
            over = f" over {tasks[0].name}"
        if losses > self._max_losses:
            raise RuntimeError(f"workers were lost {losses} times{over}: {error}") from error
        # It may live on where it cannot be reached.
        self._ray.kill(seat.actor, no_restart=True)
        self._start(seat)
        self.replaced += 1
        logger.warning("worker %d was lost (%s) and replaced", seat.number, type(error).__name__)
        return tasks

    def _say_what_it_waits_for(self) -> None:
        names = [doing.task.name for doing in self._under_way.values() if doing.task is not None]
        starting = sum(not seat.ready for seat in self._seats)
        logger.warning(
            "no answer for %g seconds: waiting for %s; %d of %d workers have not started; %s",
            SAY_EVERY,
            ", ".join(names) or "nothing but workers",
            starting,
            len(self._seats),
            resources(),
        )

    def __repr__(self) -> str:
        closed = ", closed" if self._closed else ""
        return f"<{type(self).__name__}: {len(self._seats)} workers{closed}>"
