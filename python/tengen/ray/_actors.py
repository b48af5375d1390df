"""What all pools of Ray actors have in common: Ray itself, seats with an actor each, and how they end."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar


def ray_module() -> ModuleType:
    """Ray, which nothing imports before it is used."""
    try:
        import ray
    except ImportError as error:
        raise ImportError("playing on many machines needs Ray: pip install ray") from error
    module: ModuleType = ray
    return module


logger = logging.getLogger("tengen.ray")


class Resources(NamedTuple):
    """What a cluster has. Its text is a sentence."""

    machines: int
    """How many machines there are."""
    processors: float
    """How many processors they have together, as Ray counts them."""
    free_processors: float
    """How many of these nobody has asked for."""
    memory: float
    """How many bytes of memory they have together."""
    free_memory: float
    """How many of these nobody has asked for."""

    def __str__(self) -> str:
        machines = "1 machine" if self.machines == 1 else f"{self.machines} machines"
        return (
            f"{machines} with {self.free_processors:g} of {self.processors:g} processors and "
            f"{self.free_memory / 1e9:.1f} of {self.memory / 1e9:.1f} GB of memory free"
        )


def resources() -> Resources:
    """What the cluster has that this program has joined."""
    ray = ray_module()
    total, free = ray.cluster_resources(), ray.available_resources()
    machines = sum(bool(node["Alive"]) for node in ray.nodes())
    return Resources(
        machines, total.get("CPU", 0.0), free.get("CPU", 0.0), total.get("memory", 0.0), free.get("memory", 0.0)
    )


LOOK_EVERY = 10.0
"""So many seconds a pool waits for its workers before it looks whether they have started at all."""


class Seat(Protocol):
    """A place in a pool, with the actor that has it."""

    actor: Any


class Start:
    """The start of an actor: Ray keeps one waiting, without a word, until there is room for it."""

    def __init__(self, actor: Any) -> None:
        self.reference = actor.__ray_ready__.remote()
        self._began = time.monotonic()
        self._done = False

    def is_done(self) -> bool:
        """Whether the actor runs, or has failed to: both are for its calls to tell."""
        if not self._done:
            ready, _ = ray_module().wait([self.reference], timeout=0)
            self._done = bool(ready)
        return self._done

    def seconds(self) -> float:
        """How long ago it was asked for."""
        return time.monotonic() - self._began


SeatOf = TypeVar("SeatOf", bound=Seat)


class Actors(Generic[SeatOf]):
    """The actors of a pool, which is used as a context or closed."""

    _seats: list[SeatOf]

    def __init__(self) -> None:
        self._ray = ray_module()
        self._closed = False

    def _actor_options(self, num_workers: int, ray_options: Mapping[str, Any] | None) -> dict[str, Any]:
        """The options of the actors. They share the processors if there are fewer, unless the caller says how many each
        of them has."""
        options = {"num_cpus": 1, **(ray_options or {}), "max_restarts": 0}
        if "num_cpus" not in (ray_options or {}):
            free = self._ray.available_resources().get("CPU", 0.0)
            processors = free or self._ray.cluster_resources().get("CPU", 0.0)
            if 0 < processors < num_workers:
                # Ray counts in ten-thousandths.
                share = max(math.floor(10_000 * processors / num_workers) / 10_000, 0.0001)
                options["num_cpus"] = share
                logger.warning(
                    "%d workers share the %g processors that Ray has free: each is given %g of one",
                    num_workers,
                    processors,
                    share,
                )
        return options

    def _refuse_to_wait_for_ever(
        self, starts: Iterable[Start], num_workers: int, options: Mapping[str, Any], most_seconds: float
    ) -> None:
        """Raises an error if actors have waited too long for room, which they may never get."""
        late = [start for start in starts if start.seconds() > most_seconds and not start.is_done()]
        if not late:
            return
        wanted: dict[str, Any] = {
            "CPU": options.get("num_cpus"),
            "GPU": options.get("num_gpus"),
            "memory": options.get("memory"),
            **(options.get("resources") or {}),
        }
        asked = {name: amount for name, amount in wanted.items() if amount}
        total, free = self._ray.cluster_resources(), self._ray.available_resources()
        has = {name: (free.get(name, 0.0), total.get(name, 0.0)) for name in asked}
        raise RuntimeError(
            f"{len(late)} of {num_workers} workers have not started in {most_seconds:g} seconds. Each asks for "
            + ", ".join(f"{amount:g} {name}" for name, amount in asked.items())
            + "; the cluster has "
            + ", ".join(f"{free:g} of {total:g} {name} free" for name, (free, total) in has.items())
            + ". Ask for fewer workers or less for each with ray_options, or wait longer with start_timeout"
        )

    @property
    def workers(self) -> list[Any]:
        """The handles of the actors."""
        return [seat.actor for seat in self._seats]

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise RuntimeError("the pool is closed")

    def close(self) -> None:
        """Stops the workers at once, whatever they are doing. Ray itself goes on."""
        if self._closed:
            return
        self._closed = True
        if self._ray.is_initialized():
            for seat in self._seats:
                self._ray.kill(seat.actor, no_restart=True)

    def __enter__(self: Pool) -> Pool:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


Pool = TypeVar("Pool", bound=Actors[Any])
