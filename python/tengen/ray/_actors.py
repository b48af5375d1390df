"""What all pools of Ray actors have in common: Ray itself, seats with an actor each, and how they end."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, Protocol, TypeVar


def ray_module() -> ModuleType:
    """Ray, which nothing imports before it is used."""
    try:
        import ray
    except ImportError as error:
        raise ImportError("playing on many machines needs Ray: pip install ray") from error
    module: ModuleType = ray
    return module


class Seat(Protocol):
    """A place in a pool, with the actor that has it."""

    actor: Any


class Actors:
    """The actors of a pool, which is used as a context or closed."""

    _seats: Sequence[Seat]

    def __init__(self) -> None:
        self._ray = ray_module()
        self._closed = False

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


Pool = TypeVar("Pool", bound=Actors)
