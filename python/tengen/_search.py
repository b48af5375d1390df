"""Searches of many games at once, with any network."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from tengen._arguments import INT32, actions_of, choice, integer, seed_of_games, whole
from tengen._native import Game, Lockstep, Net
from tengen.vector import VectorEnv

__all__ = ["Evaluate", "Leaves", "Search", "SearchResult", "search"]

Floats: TypeAlias = npt.NDArray[np.float32]
Ints: TypeAlias = npt.NDArray[np.int32]

GLOBALS = 8


class Leaves(NamedTuple):
    """Positions to judge, a row each. The arrays are written anew for the next positions: copy what you keep."""

    planes: npt.NDArray[Any]
    """What the player to move sees: rows × height × width × planes, or with the planes first."""
    globals: Floats
    """Eight numbers about komi and rules, as `Net.inputs` gives them."""
    mask: npt.NDArray[np.bool_]
    """The legal actions, superko included; the pass is the last."""
    to_move: npt.NDArray[np.uint8]
    """0 for Black, 1 for White."""
    games: Ints
    """The number of the game that a position belongs to."""


Evaluate: TypeAlias = Callable[[Leaves], tuple[Any, Any] | tuple[Any, Any, Any]] | Net
"""Who judges positions: a network of ours, or a function of leaves that returns policy logits (rows × actions), values
from -1 for a loss of the player to move to 1 for a win, and, if it likes, leads in points."""


class SearchResult(NamedTuple):
    """What was found about each game, all as the player to move sees it."""

    actions: Ints
    """The action to play; -1 where a game is over or was never searched."""
    visits: Ints
    """How many simulations began with each action."""
    policy: Floats
    """The improved policy: what a network should learn. Illegal actions have 0."""
    prior: Floats
    """The policy before the search."""
    action_values: Floats
    """The value of each action from -1 to 1, and not a number where it was not tried."""
    values: Floats
    """The value of the position after the search, from -1 to 1."""
    leads: Floats
    """By how many points the player will be ahead; 0 if nobody has said it."""
    raw_values: Floats
    """The value before the search."""
    variations: list[list[int]]
    """The actions that were tried most, from the one to play on: principal variations."""


class _Half:
    """Games that are searched while the other half is judged."""

    def __init__(self, lockstep: Lockstep, first: int, dtype: str, fixed: int) -> None:
        self.lockstep = lockstep
        self.first = first
        games = lockstep.num_games
        self.rows = slice(first, first + games)
        # So many rows have room, at least, and are shown where the number is fixed.
        games = max(games, fixed)
        self.shown = games if fixed else None
        self.planes = np.zeros((games, *lockstep.observation_shape), dtype)
        self.globals = np.zeros((games, GLOBALS), np.float32)
        self.mask = np.zeros((games, lockstep.num_actions), np.uint8)
        self.to_move = np.zeros(games, np.uint8)
        self.games = np.zeros(games, np.int32)
        self._out = _Flat(
            self.planes.reshape(-1), self.globals.reshape(-1), self.mask.reshape(-1), self.to_move, self.games
        )

    def next(self, answers: tuple[Floats, Floats, Floats | None] | None) -> int:
        """Takes answers, and says how many positions are to be judged next."""
        if answers is not None:
            self.lockstep.answer(*answers)
        return self.lockstep.advance(self._out)

    def leaves(self, rows: int) -> Leaves:
        mask = self.mask[:rows].view(np.bool_)
        return Leaves(self.planes[:rows], self.globals[:rows], mask, self.to_move[:rows], self.games[:rows])


class _Flat(NamedTuple):
    """Flat views of the arrays that leaves are written into."""

    planes: npt.NDArray[Any]
    globals: Floats
    mask: npt.NDArray[np.uint8]
    to_move: npt.NDArray[np.uint8]
    games: Ints


class Search:
    """Searches many games in lockstep: Gumbel AlphaZero or PUCT, with any network.

    `evaluate` is a `Net`, or a function that takes `Leaves` and returns policy logits, values and, if it likes, leads.
    The search itself runs without the interpreter lock; half of the games are searched while the other half is judged.
    `games` are games, or a `VectorEnv` whose games are copied. Superko is exact in the tree. One seed gives one result,
    whatever the number of threads.

    `fixed_batch` hands out arrays that always have a row for each game of a half, or as many as it says, so that a
    compiled function has one shape: rows without a position hold old ones, and answers to them are not looked at.

    >>> import numpy as np, tengen
    >>> def evaluate(leaves):
    ...     return np.zeros(leaves.mask.shape, np.float32), np.zeros(len(leaves.mask), np.float32)
    >>> searched = tengen.Search(evaluate, [tengen.Game(5) for _ in range(4)], seed=1)
    >>> found = searched.run(32)
    >>> found.policy.shape, int(found.visits[0].sum())
    ((4, 26), 32)
    >>> searched.play(found.actions)
    >>> [len(game.turns) for game in searched.games]
    [1, 1, 1, 1]
    """

    def __init__(
        self,
        evaluate: Evaluate,
        games: Sequence[Game] | VectorEnv,
        *,
        method: Literal["gumbel", "puct"] = "gumbel",
        noise: bool = True,
        seed: int = 0,
        reuse: bool = True,
        considered: int = 16,
        value_scale: float = 1.0,
        value_visits: float = 50.0,
        rescale_values: bool = False,
        halving: Literal["ranked", "counted"] = "ranked",
        exploration: float = 1.25,
        exploration_base: float = 19652.0,
        untried_reduction: float = 0.0,
        dirichlet_share: float = 0.25,
        dirichlet_alpha: float = 0.3,
        temperature: float = 1.0,
        score_weight: float = 0.0,
        observation: Literal["agz", "tactical"] = "agz",
        layout: Literal["channels-last", "channels-first"] = "channels-last",
        dtype: Literal["float32", "uint8"] = "float32",
        halves: Literal[1, 2] = 2,
        fixed_batch: bool | int = False,
        num_threads: int = 1,
    ) -> None:
        _check_evaluate(evaluate)
        for name, value, least, most in (
            ("value_scale", value_scale, 0.0, 1e6),
            ("value_visits", value_visits, 0.0, 1e9),
            ("exploration", exploration, 0.0, 1e6),
            ("exploration_base", exploration_base, 1e-6, 1e12),
            ("untried_reduction", untried_reduction, 0.0, 2.0),
            ("dirichlet_share", dirichlet_share, 0.0, 1.0),
            ("dirichlet_alpha", dirichlet_alpha, 1e-3, 1e6),
            ("temperature", temperature, 0.0, 1e6),
            ("score_weight", score_weight, 0.0, 1.0),
        ):
            number(name, value, least, most)
        self.evaluate = evaluate
        self.reuse = bool(reuse)
        fixed = int(fixed_batch) if isinstance(fixed_batch, bool) else whole("fixed_batch", fixed_batch, 1)
        options: dict[str, Any] = {
            "method": choice("method", method, ["gumbel", "puct"]),
            "considered": whole("considered", considered, 1, 2**31 - 1),
            "noise": bool(noise),
            "halving": choice("halving", halving, ["ranked", "counted"]),
            "rescale_values": bool(rescale_values),
            "value_visits": float(value_visits),
            "value_scale": float(value_scale),
            "score_weight": float(score_weight),
            "exploration": float(exploration),
            "exploration_base": float(exploration_base),
            "untried_reduction": float(untried_reduction),
            "dirichlet_share": float(dirichlet_share),
            "dirichlet_alpha": float(dirichlet_alpha),
            "temperature": float(temperature),
            "observation": choice("observation", observation, ["agz", "tactical"]),
            "layout": choice("layout", layout, ["channels-last", "channels-first"]),
            "seed": seed_of_games(seed),
            "num_threads": whole("num_threads", num_threads, 0),
        }
        choice("dtype", dtype, ["float32", "uint8"])
        if whole("halves", halves, 1) > 2:
            raise ValueError(f"halves is 1 or 2, not {halves!r}")
        self._halves = list(self._divide(games, options, 1 if isinstance(evaluate, Net) else halves, dtype, fixed))
        self.num_games = sum(half.lockstep.num_games for half in self._halves)
        self.num_actions = self._halves[0].lockstep.num_actions
        self.observation_shape = tuple(self._halves[0].lockstep.observation_shape)

    @staticmethod
    def _divide(
        games: Sequence[Game] | VectorEnv, options: dict[str, Any], halves: int, dtype: str, fixed: int
    ) -> Iterator[_Half]:
        if isinstance(cast(Any, games), Game) or not hasattr(games, "__len__"):
            name = type(games).__name__
            raise TypeError(f"games is a list of tengen.Game, such as [game], or a VectorEnv, not {name}")
        count = games.num_envs if isinstance(games, VectorEnv) else len(games)
        if count == 0:
            raise ValueError("there are no games to search")
        if isinstance(games, VectorEnv):
            frame = games.size
        else:
            for index, game in enumerate(cast("Sequence[Any]", games)):
                if not isinstance(game, Game):
                    raise TypeError(f"games are tengen.Game, and games[{index}] is {game!r}")
            frame = (max(game.size[0] for game in games), max(game.size[1] for game in games))
        middle = (count + 1) // 2 if halves == 2 and count > 1 else count
        for first, last in ((0, middle), (middle, count)):
            if first == last:
                continue
            chosen = {**options, "frame": frame, "first": first}
            if isinstance(games, VectorEnv):
                lockstep = Lockstep.of_batch(games._batch, first, last, chosen)
            else:
                lockstep = Lockstep(list(games[first:last]), chosen)
            yield _Half(lockstep, first, dtype, fixed)

    def __len__(self) -> int:
        return self.num_games

    @property
    def games(self) -> list[Game]:
        """Copies of all games."""
        return [half.lockstep.game(index) for half in self._halves for index in range(half.lockstep.num_games)]

    def game(self, index: int) -> Game:
        """A copy of one of the games."""
        half, place = self._place(index)
        return half.lockstep.game(place)

    def _place(self, index: int) -> tuple[_Half, int]:
        place = whole("index", index, 0, self.num_games - 1)
        half = self._halves[-1] if place >= self._halves[-1].first else self._halves[0]
        return half, place - half.first

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games are over."""
        return self.ended(None, False)

    def ended(self, most_turns: int | None, decided: bool) -> npt.NDArray[np.bool_]:
        """Which games are over, or have so many turns, or, if that counts, have every point settled for certain."""
        ended = [over for half in self._halves for over in half.lockstep.over(most_turns, decided)]
        return np.array(ended, np.bool_)

    def run(self, simulations: npt.ArrayLike = 64) -> SearchResult:
        """Searches all games with so many simulations each, or with a number for each game; a negative number leaves a
        game alone. What earlier searches know about the positions is kept, unless `reuse` is False."""
        budgets = simulations_of(simulations, self.num_games)
        for half in self._halves:
            half.lockstep.begin(np.ascontiguousarray(budgets[half.rows]))
        if isinstance(self.evaluate, Net):
            for half in self._halves:
                half.lockstep.finish(self.evaluate)
        else:
            self._judge(self.evaluate)
        return joined([half.lockstep.found() for half in self._halves])

    def _judge(self, evaluate: Callable[[Leaves], tuple[Any, ...]]) -> None:
        """Judges one half while the other is searched, until all searches are done."""
        with ThreadPoolExecutor(1, "tengen-search") as worker:
            pending: list[tuple[_Half, Future[int]]] = []
            pending.extend((half, worker.submit(half.next, None)) for half in self._halves)
            while pending:
                half, future = pending.pop(0)
                rows = future.result()
                if rows == 0:
                    continue
                shown = half.shown or rows
                answers = read_answers(evaluate(half.leaves(shown)), shown, self.num_actions)
                logits, values, leads = answers
                taken = (logits[:rows].reshape(-1), values[:rows], None if leads is None else leads[:rows])
                pending.append((half, worker.submit(half.next, taken)))

    def play(self, actions: npt.ArrayLike) -> None:
        """Plays an action in each game; a negative one leaves the game alone. The part of the tree that follows is kept
        for the next search, unless `reuse` is False."""
        numbers, written = actions_of(actions, self.num_games)
        if written is not None:
            index = int(np.flatnonzero((written < INT32.min) | (written > INT32.max))[0])
            raise ValueError(f"actions[{index}] is {written[index]}: actions are 0 to {self.num_actions - 1}")
        # An action that is refused leaves every game as it was.
        for half in self._halves:
            half.lockstep.check(np.ascontiguousarray(numbers[half.rows]))
        for half in self._halves:
            half.lockstep.play(np.ascontiguousarray(numbers[half.rows]), self.reuse)

    def replace(self, index: int, game: Game) -> None:
        """Puts a copy of another game in the place of one."""
        half, place = self._place(index)
        half.lockstep.replace(place, game)

    def __reduce__(self) -> Any:
        raise TypeError("searches under way cannot be pickled or copied: send the games, and search them there")


def search(
    evaluate: Evaluate, games: Sequence[Game] | VectorEnv, simulations: npt.ArrayLike = 64, **options: Any
) -> SearchResult:
    """Searches many games at once: `Search(evaluate, games, **options).run(simulations)`.

    >>> import tengen
    >>> net = tengen.Net.random(1, 16, seed=1)
    >>> found = tengen.search(net, [tengen.Game(5), tengen.Game(5, komi=24)], simulations=[16, 32], seed=1)
    >>> found.visits.sum(1).tolist()
    [16, 32]
    """
    return Search(evaluate, games, **options).run(simulations)


def _check_evaluate(value: Any) -> None:
    if not callable(value) and not isinstance(value, Net):
        raise TypeError(f"evaluate is a Net or a function of leaves, not {value!r}")


def number(name: str, value: Any, least: float, most: float) -> float:
    """A number within bounds."""
    if isinstance(value, bool | np.bool_ | str) or not np.isscalar(value):
        raise TypeError(f"{name} is a number from {least:g} to {most:g}, not {value!r}")
    found = float(value)  # type: ignore[arg-type]
    if not least <= found <= most:
        raise ValueError(f"{name} is a number from {least:g} to {most:g}, not {value!r}")
    return found


def simulations_of(value: npt.ArrayLike, games: int) -> Ints:
    """A number of simulations for each game; one alone is for all of them."""
    alone = integer(value)
    if alone is not None:
        return np.full(games, whole("simulations", value, 0, INT32.max), np.int32)
    array: npt.NDArray[Any] = np.asarray(value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"simulations are whole numbers, not {value!r}")
    if array.shape != (games,):
        raise ValueError(f"simulations have the shape {array.shape} instead of ({games},): one for each game")
    return np.ascontiguousarray(np.clip(array, -1, INT32.max), np.int32)


def read_answers(said: Any, rows: int, actions: int) -> tuple[Floats, Floats, Floats | None]:
    """What a function said about leaves, as arrays."""
    kind = type(said).__name__
    parts: list[Any] = list(said) if issubclass(type(said), tuple | list) else []
    if len(parts) not in (2, 3):
        raise TypeError(f"evaluate returns (logits, values) or (logits, values, leads), not {kind}")
    logits = _floats("logits", parts[0], (rows, actions))
    values = _floats("values", parts[1], (rows,))
    leads = None if len(parts) == 2 or parts[2] is None else _floats("leads", parts[2], (rows,))
    return logits, values, leads


def _floats(name: str, value: Any, shape: tuple[int, ...]) -> Floats:
    # A tensor of PyTorch that knows its gradient, or is on another device, does not become an array by itself.
    if hasattr(value, "detach"):
        value = value.detach().cpu()
    if np.iscomplexobj(value):
        raise TypeError(f"evaluate returned {name} that are complex numbers")
    array: npt.NDArray[Any] = np.asarray(value, np.float32)
    if array.size == np.prod(shape) and array.ndim == len(shape) + 1 and array.shape[-1] == 1:
        array = array[..., 0]
    if array.shape != shape:
        raise ValueError(f"evaluate returned {name} of the shape {array.shape} instead of {shape}")
    return np.ascontiguousarray(array)


def joined(found: Sequence[Any]) -> SearchResult:
    """What the halves found, together."""
    actions, visits, policy, prior, action_values, said = (
        np.concatenate([half[place] for half in found]) for place in range(6)
    )
    # Where there is no policy there is nothing to play.
    actions[~prior.any(1)] = -1
    variations = [line for half in found for line in half[6]]
    return SearchResult(
        actions,
        visits,
        policy,
        prior,
        action_values,
        np.ascontiguousarray(said[:, 0]),
        np.ascontiguousarray(said[:, 1]),
        np.ascontiguousarray(said[:, 2]),
        variations,
    )


# Users know these by the name of the package.
for _public in (Leaves, Search, SearchResult, search):
    _public.__module__ = "tengen"
