"""The games of a training run, played by many Ray actors at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tengen._arguments import whole
from tengen._native import Run, SelfPlayer
from tengen.ray._actors import ray_module
from tengen.ray._tasks import Task, TaskPool

__all__ = ["SelfPlayPool"]

Due = tuple[int, int, int]
"""A game as `Run.due` names it: its number, its seed, the step of the network that is to play it."""


class _Actor:
    """Plays games, and fetches a network when it does not have it yet."""

    def __init__(self, config: str) -> None:
        self._config = config
        self._network: int | None = None
        self._player: SelfPlayer | None = None

    def do(self, network: int, net: tuple[Any], games: list[Due]) -> list[bytes]:
        if self._player is None or self._network != network:
            self._player = SelfPlayer(self._config, ray_module().get(net[0]))
            self._network = network
        return [self._player.play(*game) for game in games]


class SelfPlayPool(TaskPool):
    """Ray actors that play the games of a training run, on any number of machines.

    >>> from tengen import Run
    >>> from tengen.ray import SelfPlayPool
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
        self._games_per_task = whole("games_per_task", games_per_task, 1)
        super().__init__(_Actor, (config,), num_workers, ray_options, max_losses, start_timeout)

    def play(self, run: Run) -> Iterator[int]:
        """Has all games played that are due, and hands them in as they come. Yields after each batch how many are
        left."""
        self._refuse_if_closed()
        due = run.due()
        if not due:
            return
        net = self._ray.put(run.net_bytes())
        for _, records in self._results(self._tasks(due, net)):
            for record in records:
                run.accept(record)
            yield len(run.due())

    def _tasks(self, due: list[Due], net: Any) -> Iterator[Task]:
        network = due[0][2]
        for start in range(0, len(due), self._games_per_task):
            games = due[start : start + self._games_per_task]
            # In a tuple the reference stays one: only a worker that does not have the network asks for it.
            yield Task(f"games {games[0][0]} to {games[-1][0]}", (network, (net,), games))
