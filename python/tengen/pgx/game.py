"""The game of Go in functions on states."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen._native import Net, Rules
from tengen.pgx.keys import key_data, seats_of, second_of_two, split
from tengen.pgx.line import Position, other_side
from tengen.pgx.state import State
from tengen.vector import VectorEnv

Array = npt.NDArray[Any]

# The native planes show so many boards, which is also what Pgx shows unless told otherwise.
_BOARDS = 8


class Go:
    """The game of Go under the rules of Pgx: simple ko, who repeats a board loses, White wins ties.

    - size: 19, or (columns, rows)
    - komi: what White gets
    - history_length: how many boards an observation shows, 1 to 8
    - max_terminal_steps: after how many moves the game is over and counted; None for two a point
    - rules: other rules, for those who want Pgx's functions without its rules
    - num_threads: how many threads step a batch; None for one on each core

    >>> env = Go(size=5, komi=0.5)
    >>> state = env.init(3)
    >>> state = env.step(env.step(state, 25), 25)
    >>> bool(state.terminated), state.rewards[state._player_order].tolist()
    (True, [-1.0, 1.0])
    """

    def __init__(
        self,
        *,
        size: int | tuple[int, int] = 19,
        komi: float = 7.5,
        history_length: int = 8,
        max_terminal_steps: int | None = None,
        rules: str | Rules = "pgx",
        num_threads: int | None = None,
    ) -> None:
        if not 1 <= history_length <= _BOARDS:
            raise ValueError(f"history_length is 1 to {_BOARDS}, not {history_length}")
        self._columns, self._rows = (size, size) if isinstance(size, int) else size
        self._history_length = history_length
        self._options: dict[str, Any] = {
            "size": (self._columns, self._rows),
            "komi": _half_points(float(komi)),
            "rules": rules,
            "max_moves": "auto" if max_terminal_steps is None else max_terminal_steps,
            "autoreset": "disabled",
            "num_threads": num_threads,
            "num_buffers": 0,
        }
        # Bad sizes, komi and rules are refused here rather than in the first `init`.
        VectorEnv(1, **self._options)

    @property
    def id(self) -> str:
        """The name that `make` takes, such as `go_9x9`: columns, then rows."""
        return f"go_{self._columns}x{self._rows}"

    @property
    def version(self) -> str:
        """The version of Pgx's environment that this one behaves like."""
        return "v1"

    @property
    def num_players(self) -> int:
        """Two."""
        return 2

    @property
    def num_actions(self) -> int:
        """How many actions there are: the points, from the top left row by row, and the pass behind them."""
        return self._columns * self._rows + 1

    @property
    def observation_shape(self) -> tuple[int, ...]:
        """Rows, columns and planes."""
        return (self._rows, self._columns, 2 * self._history_length + 1)

    def init(self, key: Any, batch_size: int | None = None) -> State:
        """The empty board.

        A key decides which player has Black: an integer, a key of JAX, or the two 32-bit numbers that such a key is
        made of. From the same key Pgx seats the players in the same way. An array of keys, or one key and a batch size,
        makes a batch.

        >>> env = make("go_9x9")
        >>> env.init(0).current_player.shape, env.init(0, batch_size=3).current_player.shape
        ((), (3,))
        """
        keys = key_data(key)
        if batch_size is not None:
            if keys.ndim != 1:
                raise ValueError("a batch size goes with one key, not with an array of keys")
            if batch_size < 1:
                raise ValueError(f"batch_size is at least 1, not {batch_size}")
            keys = split(keys, np.arange(batch_size))
        if keys.ndim > 2:
            raise ValueError(f"keys have at most one batch dimension, not {keys.ndim - 1}")
        batched = keys.ndim == 2
        order = seats_of(keys.reshape(-1, 2))
        position = Position.of_new_games(VectorEnv(len(order), **self._options))
        games = len(order)
        return self._state(
            batched,
            position,
            current_player=order[:, 0].copy(),
            rewards=np.zeros((games, 2), np.float32),
            terminated=np.zeros(games, np.bool_),
            truncated=np.zeros(games, np.bool_),
            legal_action_mask=position.legal,
            step_count=np.zeros(games, np.int32),
            player_order=order,
        )

    def step(self, state: State, action: Any, key: Any = None) -> State:
        """The state after these actions, one for each game. The key is there for Pgx's sake: nothing in Go is random.

        Who takes an action that the mask forbids loses at once. A game that is over stays as it is, with zero rewards.

        >>> env = make("go_9x9")
        >>> before = env.init(1)
        >>> after = env.step(before, 40)
        >>> bool(before.legal_action_mask[40]), bool(after.legal_action_mask[40])
        (True, False)
        """
        position = state._position
        games = len(position.moves)
        actions = self._actions(action, state._batched, games)
        rows = np.arange(games)
        order = state._player_order.reshape(games, 2)
        player = state.current_player.reshape(games)
        mask = state.legal_action_mask.reshape(games, -1)
        terminated = state.terminated.reshape(games)
        truncated = state.truncated.reshape(games)

        running = ~(terminated | truncated | position.over)
        # A mask that somebody replaced is obeyed, too, as Pgx does.
        illegal = ~mask[rows, actions] | (running & ~position.legal[rows, actions])
        plays = running & ~illegal
        position, by_color, out_of = position.after(actions, plays, running)
        step_count = state._step_count.reshape(games) + running
        # The mover of a game that goes on is the other player; a game that was over keeps its own.
        next_player = np.where(running, order[rows, step_count % 2], player).astype(np.int32)
        rewards = by_color[rows[:, None], order]
        legal = position.legal
        if not plays.all():
            rewards[~plays] = 0.0
            rewards[illegal] = 1.0
            rewards[illegal, player[illegal]] = -1.0
            legal = np.where(running[:, None], legal, mask)
        terminated = terminated | out_of | illegal
        if terminated.any():
            legal = legal | terminated[:, None]
        return self._state(
            state._batched,
            position,
            current_player=next_player,
            rewards=rewards,
            terminated=terminated,
            truncated=truncated,
            legal_action_mask=legal,
            step_count=step_count.astype(np.int32),
            player_order=order,
        )

    def observe(self, state: State, player_id: Any = None) -> Array:
        """What a player sees: the one to move, or the one with this number, or with the number given for each game.

        >>> env = make("go_9x9")
        >>> state = env.step(env.init(1), 40)
        >>> mine, theirs = (env.observe(state, player) for player in (state.current_player, 1 - state.current_player))
        >>> bool(mine[4, 4, 1]), bool(theirs[4, 4, 0])
        (True, True)
        """
        planes = state._position.planes
        if player_id is not None:
            games = len(planes)
            asked = np.broadcast_to(np.asarray(player_id), (games,))
            waiting = asked != state.current_player.reshape(games)
            if waiting.any():
                planes = np.where(waiting[:, None, None, None], other_side(planes), planes)
        shown = self._shown(planes)
        return shown if state._batched else shown[0]

    def _shown(self, planes: Array) -> Array:
        if self._history_length == _BOARDS:
            return planes
        return np.concatenate([planes[..., : 2 * self._history_length], planes[..., -1:]], axis=-1)

    def _actions(self, action: Any, batched: bool, games: int) -> Array:
        actions = np.asarray(action)
        if not np.issubdtype(actions.dtype, np.integer):
            raise TypeError(f"actions are integers, not {actions.dtype}")
        right = (games,) if batched else ()
        if actions.shape != right:
            raise ValueError(f"actions have the shape {right}, not {actions.shape}")
        actions = actions.reshape(-1)
        wrong = (actions < 0) | (actions >= self.num_actions)
        if wrong.any():
            game = int(np.argmax(wrong))
            last = self.num_actions - 1
            raise ValueError(f"game {game}: there is no action {actions[game]}, they are numbered 0 to {last}")
        return actions.astype(np.int32)

    def _state(
        self,
        batched: bool,
        position: Position,
        *,
        step_count: Array,
        player_order: Array,
        **fields: Array,
    ) -> State:
        arrays = {
            "observation": self._shown(position.planes),
            "_step_count": step_count,
            "_player_order": player_order,
            **fields,
        }
        if not batched:
            # Zero-dimensional arrays rather than NumPy's scalars, as JAX has them.
            arrays = {name: array.reshape(array.shape[1:]) for name, array in arrays.items()}
        return State(_position=position, **arrays)

    def __repr__(self) -> str:
        return f"<Go: {self.id}, {self._options['rules']} rules>"


def _half_points(komi: float) -> float:
    """The whole or half number that decides like this komi, since by area Black is always ahead by a whole number."""
    return komi if (2 * komi).is_integer() else math.floor(komi) + 0.5


def make(env_id: str, **options: Any) -> Go:
    """The environment with this name: `go_9x9`, `go_19x19`, or any other size, columns first.

    >>> make("go_13x13").num_actions
    170
    """
    size = re.fullmatch(r"go_(\d+)x(\d+)", env_id)
    if size is None:
        raise ValueError(f"there is no environment `{env_id}`: use a name such as {', '.join(available_envs())}")
    columns, rows = map(int, size.groups())
    return Go(size=(columns, rows), **options)


def make_baseline_model(env_id: str, net: Net | None = None) -> Callable[[State], tuple[Array, Array]]:
    """A function that judges states: logits of all actions, and the value for the player to move, from -1 to 1.

    The name is that of an environment, or Pgx's of its model, such as `go_9x9_v0`. The network is the baseline of this
    package unless another is given. It reads ladders and ko of the games themselves, so that it takes a state and not
    its observation.

    >>> env = make("go_9x9")
    >>> logits, value = make_baseline_model("go_9x9_v0")(env.init(0, batch_size=2))
    >>> logits.shape, value.shape
    ((2, 82), (2,))
    """
    env = make(re.sub(r"_v\d+$", "", env_id))
    judge = Net.baseline() if net is None else net

    def model(state: State) -> tuple[Array, Array]:
        if state.env_id != env.id:
            raise ValueError(f"this model is for {env.id}, not for {state.env_id}")
        logits, values = judged(judge, state._position.games())
        return (logits, values) if state._batched else (logits[0], values[0])

    return model


def judged(net: Net, games: VectorEnv) -> tuple[Array, Array]:
    """What a network says of these games: logits, and values for the players to move."""
    found = net.evaluate([games.game(index) for index in range(games.num_envs)])
    return found.logits, found.win - found.loss


def available_envs() -> tuple[str, ...]:
    """The usual names. `make` takes those of other sizes, too."""
    return ("go_9x9", "go_13x13", "go_19x19")


def auto_reset(step: Callable[..., State], init: Callable[..., State]) -> Callable[[State, Any, Any], State]:
    """A step that starts games over as soon as they are over, as `pgx.experimental.auto_reset` does.

    The state that it returns shows the new game, but keeps `terminated`, `truncated` and `rewards` of the old one. The
    third argument is a key, or one for each game, that seats the players of new games.

    >>> env = make("go_5x5")
    >>> step = auto_reset(env.step, env.init)
    >>> state = step(env.init(0), 25, 1)
    >>> state = step(state, 25, 2)
    >>> bool(state.terminated), int(state._step_count), int(step(state, 3, 3)._step_count)
    (True, 0, 1)
    """
    owners: list[object] = [getattr(method, "__self__", None) for method in (step, init)]
    env = owners[0]
    if not isinstance(env, Go) or owners != [env, env]:
        raise TypeError("auto_reset takes the methods `step` and `init` of one tengen.pgx.Go")

    def step_or_start_over(state: State, action: Any, key: Any) -> State:
        games = len(state._position.moves)
        done = state.terminated | state.truncated
        if done.any():
            state = state.replace(
                terminated=np.zeros_like(done),
                truncated=np.zeros_like(done),
                rewards=np.where(done[..., None], np.float32(0), state.rewards),
            )
        state = env.step(state, action)
        over = (state.terminated | state.truncated).reshape(games)
        if not over.any():
            return state
        which = np.flatnonzero(over)
        keys = key_data(key)
        one_for_all = keys.ndim == 1 and state._batched
        keys = split(keys, which) if one_for_all else keys.reshape(-1, 2)[which]
        order = state._player_order.reshape(games, 2).copy()
        order[which] = seats_of(second_of_two(keys))
        player = np.where(over, order[:, 0], state.current_player.reshape(games))
        return env._state(
            state._batched,
            state._position.restarted(over),
            current_player=player.astype(np.int32),
            rewards=state.rewards.reshape(games, 2),
            terminated=state.terminated.reshape(games),
            truncated=state.truncated.reshape(games),
            legal_action_mask=state.legal_action_mask.reshape(games, -1) | over[:, None],
            step_count=np.where(over, 0, state._step_count.reshape(games)).astype(np.int32),
            player_order=order,
        )

    return step_or_start_over


def act_randomly(key: Any, legal_action_mask: Array) -> Array:
    """Legal actions, all equally likely.

    >>> int(act_randomly(0, np.array([False, False, True])))
    2
    """
    mask = np.asarray(legal_action_mask)
    noise = np.random.default_rng(key_data(key).reshape(-1).tolist()).random(mask.shape)
    chosen: Array = np.asarray(np.argmax(np.where(mask, noise, -1.0), axis=-1), np.int32)
    return chosen
