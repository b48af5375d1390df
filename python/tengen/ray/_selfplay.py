"""Games of any network with itself, played by many Ray actors at once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from tengen import _selfplay
from tengen._arguments import seed_of_games, whole
from tengen._search import Evaluate, Leaves
from tengen._selfplay import PlayedGame
from tengen.ray._actors import ray_module
from tengen.ray._tasks import Task, TaskPool
from tengen.ray.worker import seed_of

__all__ = ["GamePool", "selfplay"]

Make = Callable[[Any], Evaluate]


class _Actor:
    """Plays games, and fetches weights when it does not have them yet."""

    def __init__(self, make: Make | None, options: dict[str, Any]) -> None:
        self._make = make
        self._options = options
        self._version: int | None = None
        self._evaluate: Any = None

    def do(self, version: int, weights: tuple[Any], first: int, games: int, seed: int) -> list[PlayedGame]:
        if self._version != version:
            fetched = ray_module().get(weights[0])
            self._evaluate = fetched if self._make is None else self._make(fetched)
            self._version = version
        played = _selfplay.selfplay(self._evaluate, games=games, seed=seed, **self._options)
        return [replace(game, number=first + game.number, version=version) for game in played]


def nobody(leaves: Leaves) -> tuple[Any, Any]:
    """What stands for a network that is made elsewhere."""
    return np.zeros(leaves.mask.shape, np.float32), np.zeros(len(leaves.mask), np.float32)


class GamePool(TaskPool):
    """Ray actors that play games of a network with itself, as `tengen.selfplay` does, with any network.

    >>> from tengen import Net
    >>> from tengen.ray import GamePool
    >>> with GamePool(Net.random(2, 32), num_workers=2, size=5) as pool:  # doctest: +SKIP
    ...     for generation in range(10):
    ...         played = list(pool.play(games=128))
    ...         pool.broadcast(learn(played))

    `evaluate` is a `Net` or a function of leaves, as `tengen.Search` takes it; it is pickled. Where the function is
    made of weights, as with PyTorch and JAX, pass the weights instead, and as `make` the function that makes it: a
    worker calls `make(weights)` once for each broadcast.

    What game number i of a pool is depends on the seed, i, `games_per_task` and the weights, and on nothing else:
    neither on timing, nor on the number of workers, nor on whether workers were lost.

    Arguments:

    - num_workers: how many actors; as many as the cluster has processors unless given
    - num_games: how many games a worker plays at once, and so about how many positions `evaluate` is shown
    - games_per_task: how many games a worker is given at a time, `num_games` unless given. They come back together
    - seed: where all random numbers come from
    - ray_options: what `ray.remote` takes for the actors, such as `{"num_gpus": 0.25}`
    - max_losses: how often a worker in a row, or games, may be lost before the pool gives up
    - start_timeout: how many seconds the pool waits for room for its first worker before it gives up
    - task_timeout: a worker that sends nothing for so many seconds counts as lost
    - options: those of `tengen.selfplay`: `size`, `simulations` and others

    Ray is started on this machine if it is not running.
    """

    def __init__(
        self,
        evaluate: Any,
        *,
        make: Make | None = None,
        num_workers: int | None = None,
        num_games: int = 32,
        games_per_task: int | None = None,
        seed: int = 0,
        ray_options: Mapping[str, Any] | None = None,
        max_losses: int = 3,
        start_timeout: float = 60.0,
        task_timeout: float = 3600.0,
        **options: Any,
    ) -> None:
        at_once = whole("num_games", num_games, 1)
        self._games_per_task = at_once if games_per_task is None else whole("games_per_task", games_per_task, 1)
        self._seed = seed_of_games(seed)
        # Mistakes are found here, before an actor stumbles over them.
        _selfplay.selfplay(evaluate if make is None else nobody, games=1, num_games=1, **options)
        own = {**options, "num_games": at_once}
        super().__init__(_Actor, (make, own), num_workers, ray_options, max_losses, start_timeout, task_timeout)
        self._version = 0
        self._weights = self._ray.put(evaluate)
        self._begun = itertools.count()

    @property
    def version(self) -> int:
        """How often weights were broadcast."""
        return self._version

    def broadcast(self, evaluate: Any) -> int:
        """Has all games that begin from now on played with another network; the number of its version.

        It is stored once, and a worker fetches it with its next games.
        """
        self._refuse_if_closed()
        self._weights = self._ray.put(evaluate)
        self._version += 1
        return self._version

    def play(self, games: int | None = None) -> Iterator[PlayedGame]:
        """Has so many games played, or games without end if it is None, and yields each when it is there.

        Workers are given their next games before the last ones are yielded, so that nobody waits: what was broadcast in
        the meantime comes into effect one or two tasks later, as `version` of a game says. Learners that cannot have
        that call this once for each round.

        Games that were not yielded, because the caller left the loop, are lost; their numbers do not come again.
        """
        self._refuse_if_closed()
        wanted = None if games is None else whole("games", games, 0)
        return self._play(wanted)

    def _play(self, wanted: int | None) -> Iterator[PlayedGame]:
        for _, played in self._results(self._tasks(wanted)):
            yield from played

    def _tasks(self, wanted: int | None) -> Iterator[Task]:
        left = wanted
        while left is None or left > 0:
            number = next(self._begun)
            games = self._games_per_task if left is None else min(self._games_per_task, left)
            first = number * self._games_per_task
            # In a tuple the reference stays one: only a worker that does not have the weights asks for them.
            arguments = (self._version, (self._weights,), first, games, seed_of(self._seed, number))
            yield Task(f"games {first} to {first + games - 1}", arguments)
            left = None if left is None else left - games


def selfplay(evaluate: Any, *, games: int | None = None, **options: Any) -> Iterator[PlayedGame]:
    """Plays games of a network with itself on all processors of a Ray cluster, and yields each when it is there.

    The same as `tengen.selfplay` but for where the games are played: `options` are those of `GamePool`, and those of
    `tengen.selfplay`. The workers end with the iterator. A learner that changes the network uses a `GamePool`.

    >>> import tengen, tengen.ray
    >>> for played in tengen.ray.selfplay(tengen.Net.baseline(), games=100, size=9):  # doctest: +SKIP
    ...     print(played.number, played.game.result)
    """
    wanted = None if games is None else whole("games", games, 0)
    if wanted == 0:
        return iter(())
    return _until_done(GamePool(evaluate, **options), wanted)


def _until_done(pool: GamePool, games: int | None) -> Iterator[PlayedGame]:
    with pool:
        yield from pool.play(games)
