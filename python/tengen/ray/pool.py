"""Games played by many Ray actors at once."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tengen._arguments import whole
from tengen.ray._actors import LOOK_EVERY, Actors, Start, logger, ray_module
from tengen.ray.rollout import Rollout
from tengen.ray.worker import Played, Policy, Worker, seed_of
from tengen.vector import VectorEnv

__all__ = ["RolloutPool"]

class _Actor(Worker):
    """A worker that fetches weights when it does not know them yet, since most rollouts follow one with the same."""

    def collect(
        self,
        start: bytes,
        steps: int,
        seed: tuple[int, int, int],
        version: int,
        weights: tuple[Any],
    ) -> Played:
        if not self.knows(version):
            self.learn(version, ray_module().get(weights[0]))
        return self.play(start, steps, seed)


@dataclass
class _Seat:
    """What the pool knows of a worker: enough to put another one in its place."""

    number: int
    seed: int
    actor: Any
    start: Start
    at: bytes
    played: int = 0


@dataclass
class _Task:
    """A rollout under way, and how often its worker was lost."""

    seat: _Seat
    steps: int
    version: int
    weights: Any
    losses: int = 0


class RolloutPool(Actors[_Seat]):
    """A pool of Ray actors, each with a `tengen.VectorEnv` and a seed of its own, that play games and send them back.

    >>> from tengen.ray import RolloutPool
    >>> with RolloutPool(num_workers=2, num_envs=64, size=9, seed=1) as pool:  # doctest: +SKIP
    ...     for rollout in pool.rollouts(steps=128, rounds=10):
    ...         print(rollout, rollout.wins)

    The games go on from one rollout to the next. What rollout number i of worker w holds depends on the seed of the
    pool, w, i and the policy's weights, and on nothing else: neither on timing, nor on the number of workers, nor on
    whether workers were lost. When one is, the pool starts another, which does the work again; `pool.replaced` counts
    these, and a warning is logged to `tengen.ray`.

    A policy is a function that makes a player of weights, and a player is a function that chooses actions:

    >>> import numpy as np
    >>> def policy(weights):
    ...     def act(observation, legal_action_mask, rng):
    ...         scores = rng.random(legal_action_mask.shape) ** weights["greed"]
    ...         return np.where(legal_action_mask, scores, -1).argmax(1)
    ...     return act
    >>> RolloutPool(2, policy=policy, weights={"greed": 0.5}, size=5)  # doctest: +SKIP
    <RolloutPool: 2 workers of 256 games>

    Policy and weights are pickled. Let a policy take its random numbers from the generator that it is given, which is
    seeded for each rollout. Arrays that it is shown are filled again two steps later.

    Arguments:

    - num_workers: how many actors
    - num_envs: how many games each of them plays
    - policy: None plays uniformly random legal moves
    - weights: what the policy begins with; `broadcast` changes it
    - seed: where all random numbers come from
    - ray_options: what `ray.remote` takes for the actors, such as `{"num_cpus": 1, "scheduling_strategy": "SPREAD"}`
    - max_losses: how often one rollout may lose its worker before the pool gives up
    - start_timeout: how many seconds workers may wait for room in the cluster before the pool gives up
    - options: those of `tengen.VectorEnv`. Unless they say otherwise, a worker has one thread, and planes only if there
      is a policy to look at them. Games that end start over in the same step, so that every action is a move

    Ray is started on this machine if it is not running. Workers share its processors where these are fewer, and a
    warning says so; `ray_options={"num_cpus": 1}` insists on one each.
    """

    def __init__(
        self,
        num_workers: int = 2,
        num_envs: int = 256,
        *,
        policy: Policy | None = None,
        weights: Any = None,
        seed: int = 0,
        ray_options: Mapping[str, Any] | None = None,
        max_losses: int = 3,
        start_timeout: float = 60.0,
        **options: Any,
    ) -> None:
        num_workers = whole("num_workers", num_workers, 1)
        seed = whole("seed", seed, 0)
        if "autoreset" in options:
            raise ValueError("autoreset is 'same-step' in a pool, so that every action is a move")
        super().__init__()
        self._seed = seed
        self._policy = policy
        self._max_losses = max_losses
        self._start_timeout = start_timeout
        self._options: dict[str, Any] = {
            "num_threads": 1,
            "observation": None if policy is None else "agz",
            **options,
            "num_envs": num_envs,
            "autoreset": "same-step",
        }
        # The first snapshots are made here, which also finds mistakes in the options before an actor stumbles over
        # them.
        env = VectorEnv(**self._options)
        env.reset()
        self._seats = []
        self._rolling = False
        self._version = 0
        self._weights = weights
        self.replaced = 0
        """How many workers were lost and replaced."""
        if not self._ray.is_initialized():
            self._ray.init()
        self._ray_options = self._actor_options(num_workers, ray_options)
        self._weights_reference = self._ray.put(weights)
        for number in range(num_workers):
            own = seed_of(seed, number)
            env.reset(seed=own)
            actor = self._new_actor()
            self._seats.append(_Seat(number, own, actor, Start(actor), env.snapshot()))

    def _new_actor(self) -> Any:
        remote = self._ray.remote(**self._ray_options)(_Actor)
        return remote.remote(self._options, self._policy)

    @property
    def num_workers(self) -> int:
        """How many workers there are."""
        return len(self._seats)

    @property
    def version(self) -> int:
        """How often weights were broadcast."""
        return self._version

    def broadcast(self, weights: Any) -> int:
        """Gives the policy new weights, which every rollout has that begins from now on; the number of their version.

        They are stored once, and a worker fetches them with its next rollout.
        """
        self._refuse_if_closed()
        self._weights_reference = self._ray.put(weights)
        self._weights = weights
        self._version += 1
        return self._version

    def rollouts(self, steps: int, rounds: int | None = 1) -> Iterator[Rollout]:
        """Has every worker play so many rollouts of so many steps, and yields each as soon as it is there.

        Without end if `rounds` is None. A worker begins its next rollout before the last one is yielded, so that nobody
        waits; what was broadcast in the meantime comes into effect one rollout later, as `rollout.version` says.
        Learners that cannot have that call this once for each round.

        Rollouts that were not yielded, because the caller left the loop, come the next time.
        """
        self._refuse_if_closed()
        if steps < 1:
            raise ValueError(f"a rollout has at least 1 step, not {steps}")
        if rounds is not None and rounds < 0:
            raise ValueError(f"rounds is 0 or more, or None, not {rounds}")
        return self._rollouts(steps, rounds)

    def _rollouts(self, steps: int, rounds: int | None) -> Iterator[Rollout]:
        if self._rolling:
            raise RuntimeError("rollouts are under way already: one loop at a time")
        self._rolling = True
        under_way: dict[Any, _Task] = {}
        last = {seat.number: None if rounds is None else seat.played + rounds for seat in self._seats}

        def begin(seat: _Seat) -> None:
            end = last[seat.number]
            if end is None or seat.played < end:
                task = _Task(seat, steps, self._version, self._weights_reference)
                under_way[self._submit(task)] = task

        try:
            for seat in self._seats:
                begin(seat)
            looked = time.monotonic()
            while under_way:
                ready, _ = self._ray.wait(list(under_way), num_returns=1, timeout=min(LOOK_EVERY, self._start_timeout))
                if not ready or time.monotonic() - looked > LOOK_EVERY:
                    looked = time.monotonic()
                    starts = [task.seat.start for task in under_way.values()]
                    self._refuse_to_wait_for_ever(starts, self.num_workers, self._ray_options, self._start_timeout)
                if not ready:
                    continue
                task = under_way.pop(ready[0])
                played = self._result(ready[0], task)
                if played is None:
                    under_way[self._submit(task)] = task
                    continue
                rollout = self._rollout(task, played)
                task.seat.at = played.end
                task.seat.played += 1
                begin(task.seat)
                yield rollout
                self._refuse_if_closed()
        finally:
            self._rolling = False

    def _submit(self, task: _Task) -> Any:
        seat = task.seat
        key = (self._seed, seat.number, seat.played)
        # In a tuple the reference stays one: only a worker that does not know the weights yet asks for them.
        return seat.actor.collect.remote(seat.at, task.steps, key, task.version, (task.weights,))

    def _result(self, reference: Any, task: _Task) -> Played | None:
        """What a worker played, or None if it was lost and replaced."""
        errors = self._ray.exceptions
        try:
            played: Played = self._ray.get(reference)
        except (errors.RayActorError, errors.ObjectLostError, errors.NodeDiedError, errors.WorkerCrashedError) as error:
            task.losses += 1
            if task.losses > self._max_losses:
                raise RuntimeError(
                    f"worker {task.seat.number} was lost {task.losses} times in rollout {task.seat.played}"
                ) from error
            self._replace(task.seat, error)
            return None
        return played

    def _replace(self, seat: _Seat, error: Exception) -> None:
        # It may live on where it cannot be reached.
        self._ray.kill(seat.actor, no_restart=True)
        seat.actor = self._new_actor()
        seat.start = Start(seat.actor)
        self.replaced += 1
        logger.warning(
            "worker %d was lost (%s) and replaced; rollout %d is played again",
            seat.number,
            type(error).__name__,
            seat.played,
        )

    def _rollout(self, task: _Task, played: Played) -> Rollout:
        return Rollout(
            worker=task.seat.number,
            index=task.seat.played,
            seed=task.seat.seed,
            version=task.version,
            options=self._options,
            start=task.seat.at,
            actions=played.actions,
            end_steps=played.end_steps,
            end_envs=played.end_envs,
            black_rewards=played.black_rewards,
            scores=played.scores,
            seconds=played.seconds,
        )

    def state(self) -> dict[str, Any]:
        """Where all workers are, and their weights: pickle it, and `restore` goes on from there.

        What is under way counts as not begun, and will be played again.
        """
        return {
            "seed": self._seed,
            "options": dict(self._options),
            "version": self._version,
            "weights": self._weights,
            "workers": [(seat.played, seat.at) for seat in self._seats],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from the state of a pool with the same seed, options and number of workers.

        The weights are broadcast again, under a version of their own.
        """
        self._refuse_if_closed()
        if self._rolling:
            raise RuntimeError("rollouts are under way: leave the loop first")
        for name, own in (("seed", self._seed), ("options", self._options)):
            if state[name] != own:
                raise ValueError(f"the state has {name} {state[name]!r}, and the pool has {own!r}")
        if len(state["workers"]) != self.num_workers:
            raise ValueError(f"the state is one of {len(state['workers'])} workers, and there are {self.num_workers}")
        for seat, (played, at) in zip(self._seats, state["workers"], strict=True):
            seat.played, seat.at = played, at
        # Workers know weights by the number of their version, so it has to be one that none of them has seen.
        self._version = max(self._version, state["version"])
        self.broadcast(state["weights"])

    def __repr__(self) -> str:
        closed = ", closed" if self._closed else ""
        return f"<RolloutPool: {self.num_workers} workers of {self._options['num_envs']} games{closed}>"
