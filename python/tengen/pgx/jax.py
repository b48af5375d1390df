"""The same games inside of compiled functions of JAX: states are pytrees, and a step is one callback.

>>> import jax
>>> import tengen.pgx.jax
>>> env = tengen.pgx.jax.make("go_5x5")
>>> init, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
>>> state = init(jax.random.split(jax.random.key(0), 8))
>>> state = step(state, jax.numpy.full(8, 12))
>>> state.observation.shape, bool(state.legal_action_mask[0, 12])
((8, 5, 5, 17), False)

A state holds its moves, and the callback plays them anew: so it can be stored, gathered and branched like any array, as
mctx does with the states of a tree. What differs from the package is written in docs/env/pgx.md.
"""

from __future__ import annotations

import dataclasses
import threading
import weakref
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen import pgx
from tengen._native import Net
from tengen.pgx.game import judged
from tengen.pgx.line import Line, Position, name_white
from tengen.vector import VectorEnv

__all__ = ["Go", "State", "make", "make_baseline_model"]

try:
    _jax: Any = import_module("jax")
except ImportError as error:
    raise ImportError("this needs JAX: pip install jax") from error

Array = npt.NDArray[Any]


@dataclasses.dataclass(frozen=True)
class State:
    """What a game looks like at one point, as `tengen.pgx.State` has it, and the moves that led there: a pytree."""

    current_player: Any
    observation: Any
    rewards: Any
    terminated: Any
    truncated: Any
    legal_action_mask: Any
    _step_count: Any
    _player_order: Any
    _moves: Any
    _num_moves: Any

    def replace(self, **fields: Any) -> State:
        """The same state with other values in these fields."""
        return dataclasses.replace(self, **fields)


_FIELDS = [field.name for field in dataclasses.fields(State)]
_jax.tree_util.register_dataclass(State, data_fields=_FIELDS, meta_fields=[])


class Go:
    """Pgx's functions for one game, to be compiled and mapped: `jax.jit(jax.vmap(env.step))`.

    - env: the game of Go that is played, with its rules, length and threads
    """

    def __init__(self, env: pgx.Go) -> None:
        self.env = env
        self._games: dict[int, VectorEnv] = {}
        # One callback at a time, since they play on the same games.
        self._lock = threading.Lock()
        self._longest = _longest(VectorEnv(1, **env._options).game(0))

    def init(self, key: Any) -> State:
        """The empty board; the key decides who has Black, as in Pgx."""
        numpy = _jax.numpy
        rows, columns, planes = self.env.observation_shape
        black = _jax.random.bernoulli(key).astype(numpy.int32)
        order = numpy.stack([black, 1 - black])
        return State(
            current_player=order[0],
            observation=numpy.zeros((rows, columns, planes), bool),
            rewards=numpy.zeros(2, numpy.float32),
            terminated=numpy.zeros((), bool),
            truncated=numpy.zeros((), bool),
            legal_action_mask=numpy.ones(self.env.num_actions, bool),
            _step_count=numpy.zeros((), numpy.int32),
            _player_order=order,
            _moves=numpy.zeros(self._longest, numpy.int16),
            _num_moves=numpy.zeros((), numpy.int32),
        )

    def step(self, state: State, action: Any, key: Any = None) -> State:
        """The state after this action. The key is there for Pgx's sake: nothing in Go is random."""
        del key
        # All fields of a state come back in their own shapes, but the players' order, which does not change.
        changed = [name for name in _FIELDS if name != "_player_order"]
        fields = {name: _jax.numpy.asarray(getattr(state, name)) for name in _FIELDS}
        shapes = [_jax.ShapeDtypeStruct(fields[name].shape, fields[name].dtype) for name in changed]
        action = _jax.numpy.asarray(action).astype(np.int32)
        found = _jax.pure_callback(self._step, shapes, fields, action, vmap_method="broadcast_all")
        return state.replace(**dict(zip(changed, found, strict=True)))

    def observe(self, state: State, player_id: Any = None) -> Any:
        """What a player sees: the one to move, or the one with this number."""
        if player_id is None:
            return state.observation
        seen = state.observation
        pairs = seen[..., :-1].reshape(*seen.shape[:-1], -1, 2)[..., ::-1].reshape(*seen.shape[:-1], -1)
        other = _jax.numpy.concatenate([pairs, ~seen[..., -1:]], axis=-1)
        return _jax.numpy.where(player_id == state.current_player, seen, other)

    def _step(self, fields: dict[str, Any], action: Any) -> list[Array]:
        """What the callback does: any number of leading dimensions, all of them games."""
        leading = np.shape(fields["_num_moves"])
        flat = _flat(fields, leading)
        counts, rows = flat["_num_moves"], np.arange(len(flat["_num_moves"]))
        actions = np.asarray(action).reshape(-1)
        with self._lock:
            before = self._state(flat)
            after = self.env.step(before, actions)
            ran = ~(before.terminated | before.truncated | before._position.over)
            played = after._position.moves > counts
        moves = flat["_moves"].copy()
        moves[rows[played], counts[played]] = actions[played]
        found = {name: getattr(after, name) for name in _FIELDS if name not in ("_moves", "_num_moves")}
        # A game that is over shows what it has shown, an illegal action carried out included.
        found["observation"] = np.where(ran[:, None, None, None], after.observation, flat["observation"])
        found |= {"_moves": moves, "_num_moves": counts + played}
        return [
            found[name].astype(flat[name].dtype).reshape(leading + flat[name].shape[1:])
            for name in _FIELDS
            if name != "_player_order"
        ]

    def _state(self, flat: dict[str, Array]) -> pgx.State:
        """These games as a state of `tengen.pgx`, played anew."""
        games = len(flat["_num_moves"])
        env = self._games.get(games)
        if env is None:
            env = self._games[games] = VectorEnv(games, **self.env._options)
        env.reset()
        moves, counts = flat["_moves"].astype(np.int32), flat["_num_moves"]
        for turn in range(int(counts.max())):
            env.step(moves[:, turn], mask=counts > turn)
        shown = env.buffers()
        env.show(out=shown)
        name_white(shown.observation)
        line = Line(env)
        position = Position(
            line, shown.moves, shown.observation, shown.legal_action_mask, shown.terminated, fresh=None
        )
        line.head = weakref.ref(position)
        names = [name for name in _FIELDS if name not in ("_moves", "_num_moves")]
        return pgx.State(_position=position, **{name: flat[name] for name in names})

    def _judge(self, net: Net, fields: dict[str, Any]) -> tuple[Array, Array]:
        leading = np.shape(fields["_num_moves"])
        flat = _flat(fields, leading)
        with self._lock:
            logits, values = judged(net, self._state(flat)._position.line.env)
        return logits.reshape(*leading, -1), values.reshape(leading)

    def __repr__(self) -> str:
        return f"<Go for JAX: {self.env.id}>"


def _flat(fields: dict[str, Any], leading: tuple[int, ...]) -> dict[str, Array]:
    """Fields of states with any number of leading dimensions as rows."""
    rows = {name: np.asarray(field) for name, field in fields.items()}
    return {name: field.reshape(-1, *field.shape[len(leading) :]) for name, field in rows.items()}


def _longest(game: Any) -> int:
    limit, (columns, rows) = game.rules.max_moves, game.size
    if limit is None:
        raise ValueError("a state holds its moves, so that games need a length: pass max_terminal_steps")
    return int(limit) if isinstance(limit, int) else int(limit.removesuffix("x")) * columns * rows


def make(env_id: str, **options: Any) -> Go:
    """The environment with this name, as `tengen.pgx.make` takes it and its options.

    >>> make("go_9x9").env.num_actions
    82
    """
    return Go(pgx.make(env_id, **options))


def make_baseline_model(env: Go, net: Net | None = None) -> Callable[[State], tuple[Any, Any]]:
    """A function that judges states of this environment, to be compiled and mapped: logits of all actions, and the
    value for the player to move, from -1 to 1. The network is the baseline of the package unless one is given.
    """
    judge = Net.baseline() if net is None else net

    def model(state: State) -> tuple[Any, Any]:
        shapes = (
            _jax.ShapeDtypeStruct((env.env.num_actions,), np.float32),
            _jax.ShapeDtypeStruct((), np.float32),
        )
        fields = {name: getattr(state, name) for name in _FIELDS}
        callback = partial(env._judge, judge)
        judgement: tuple[Any, Any] = _jax.pure_callback(callback, shapes, fields, vmap_method="broadcast_all")
        return judgement

    return model
