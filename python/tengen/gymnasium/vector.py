"""Many games at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from tengen._native import Game, Rules
from tengen.gymnasium._choices import (
    COLORS,
    Info,
    Mask,
    Observation,
    Opponent,
    RenderMode,
    check_choices,
    check_observation,
    native_seed,
    observation_space,
    refuse_ended_opening,
    rendered,
)
from tengen.gymnasium.single import GoEnv
from tengen.vector import Buffers, Size, VectorEnv


class Games(Sequence[Game]):
    """Some of the games of a `GoVectorEnv`, copied when they are looked at."""

    def __init__(self, env: VectorEnv, indices: npt.NDArray[np.intp]) -> None:
        self._env = env
        self.indices = indices

    def __len__(self) -> int:
        return len(self.indices)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Games(self._env, self.indices[index])
        return self._env.game(int(self.indices[index]))

    def __iter__(self) -> Iterator[Game]:
        return (self._env.game(int(index)) for index in self.indices)


class GoVectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[np.integer[Any]], npt.NDArray[Any]]):
    """Many games of Go at once, as Gymnasium's vector environments are.

    Without an opponent every step is one move in each game, observations are as the player to move sees them, whose
    number is `info["to_move"]`, and the reward is that of the player who has just moved:

    >>> from tengen.gymnasium import GoVectorEnv
    >>> envs = GoVectorEnv(num_envs=3, size=5)
    >>> observations, infos = envs.reset(seed=1)
    >>> for _ in range(10):
    ...     actions = envs.sample()
    ...     observations, rewards, terminations, truncations, infos = envs.step(actions)
    >>> observations.shape, infos["moves"].tolist(), infos["to_move"].tolist()
    ((3, 5, 5, 17), [10, 10, 10], [0, 0, 0])

    With an opponent every step is a move of the agent and the answer, as in `GoEnv`, and observations and rewards are
    the agent's, whose colours are `info["color"]`:

    >>> envs = GoVectorEnv(num_envs=3, size=5, opponent="random", color="white")
    >>> observations, infos = envs.reset(seed=1)
    >>> infos["moves"].tolist(), infos["color"].tolist()
    ([1, 1, 1], [1, 1, 1])

    An opponent that is a function is given the rows of those games that wait for it: observations, masks and `Games`,
    from which it may take copies. It returns one action for each row.

    Arguments: those of `GoEnv`, where size and komi may be a list with one for each game, and

    - num_envs: how many games
    - autoreset_mode: 'next-step', 'same-step' or 'disabled', or Gymnasium's `AutoresetMode`
    - num_threads: how many threads step the games; None for one on each core
    - num_buffers: 0 makes new arrays at every step, as Gymnasium asks for. With 2, say, observations and masks are
      handed out without a copy and filled again two steps later, which is faster
    """

    def __init__(
        self,
        num_envs: int = 1,
        size: Size | Sequence[Size] = 9,
        komi: float | Sequence[float] | None = None,
        rules: str | Rules = "tromp-taylor",
        opponent: Opponent | None = None,
        color: Literal["black", "white", "random"] = "black",
        observation: Literal["agz", "tactical"] = "agz",
        *,
        max_moves: int | str | None = "auto",
        layout: Literal["channels-last", "channels-first"] = "channels-last",
        dtype: npt.DTypeLike = np.bool_,
        illegal: Literal["error", "loses"] = "loses",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: RenderMode | None = None,
        num_threads: int | None = None,
        num_buffers: int = 0,
    ) -> None:
        self._mode = _autoreset_mode(autoreset_mode)
        self.metadata = {**GoEnv.metadata, "autoreset_mode": self._mode}
        check_choices(opponent, color, render_mode, self.metadata)
        native_modes = {AutoresetMode.NEXT_STEP: "next-step", AutoresetMode.SAME_STEP: "same-step"}
        # Against an opponent a step is two moves, and games are started over between or behind them.
        native_mode = "disabled" if opponent is not None else native_modes.get(self._mode, "disabled")
        self._games = VectorEnv(
            num_envs,
            size,
            komi,
            rules,
            observation=check_observation(observation),
            max_moves=max_moves,
            layout=layout,
            dtype=dtype,
            autoreset=cast(Any, native_mode),
            illegal=illegal,
            num_threads=num_threads,
            num_buffers=0,
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = observation_space(self._games)
        self.single_action_space = spaces.Discrete(self._games.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._opponent = opponent
        self._color_choice = color
        self._colors = np.zeros(num_envs, np.int8)
        self._ended = np.zeros(num_envs, np.bool_)
        self._moves = np.zeros(num_envs, np.int32)
        self._mask: Mask | None = None
        self._seeded = False
        self._num_buffers = num_buffers
        self._make_buffers()

    def _make_buffers(self) -> None:
        self._ring = [self._games.buffers() for _ in range(self._num_buffers)]
        self._turn = 0
        # What stands between the two moves of a step is shown to a function only.
        shape = self._games.observation_shape if callable(self._opponent) else None
        self._between = Buffers(
            self.num_envs,
            self._games.num_actions,
            shape,
            self._games.observation_dtype,
            keep_final=False,
            packed=False,
        )

    def _next_buffers(self) -> Buffers:
        """The arrays for a step, which are used up only when it was made."""
        if not self._ring:
            return self._games.buffers()
        return self._ring[(self._turn + 1) % len(self._ring)]

    def _use_up(self) -> None:
        if self._ring:
            self._turn = (self._turn + 1) % len(self._ring)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Starts all games over, or those where `options["reset_mask"]` is true. A seed is for the generators of all
        games."""
        super().reset(seed=seed)
        which = self._reset_mask(options)
        if self._mask is None:
            which = np.ones(self.num_envs, np.bool_)
        buffers = self._next_buffers()
        self._games.reset(seed=native_seed(self, seed), mask=which, out=buffers)
        self._use_up()
        self._ended = buffers.terminated.copy()
        self._draw_colors(which)
        if self._opponent is not None:
            self._open(which & (self._colors == 1), buffers)
            self._show_to_agent(self._ended, buffers)
        return buffers.observation, self._infos(buffers, which)

    def _reset_mask(self, options: dict[str, Any] | None) -> Mask:
        given: Any = (options or {}).get("reset_mask")
        if given is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(given, np.ndarray) or cast(Any, given).dtype != np.bool_:
            raise TypeError(f"options['reset_mask'] is a NumPy array of bool, not {given!r}")
        mask = cast(Mask, given)
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"options['reset_mask'] has one value for each of {self.num_envs} games, at least one of them true"
            )
        return mask

    def step(
        self, actions: npt.NDArray[np.integer[Any]]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Info]:
        """Takes one action in every game. What is illegal under `illegal='error'` changes nothing in any game."""
        taken = self._checked(actions)
        if self._opponent is None:
            return self._step_alone(taken)
        return self._step_against(taken)

    def _checked(self, actions: Any) -> npt.NDArray[np.int32]:
        if self._mask is None:
            raise ResetNeeded("no games are under way: call reset() first")
        if self._mode == AutoresetMode.DISABLED and self._ended.any():
            ended = np.flatnonzero(self._ended).tolist()
            raise ResetNeeded(f"games {ended} have ended: call reset(options={{'reset_mask': ...}}) first")
        taken = np.asarray(actions)
        if not np.issubdtype(taken.dtype, np.integer):
            raise TypeError(f"actions are integers, not {taken.dtype}: {actions!r}")
        if taken.shape != (self.num_envs,):
            raise ValueError(
                f"there is one action for each of {self.num_envs} games, not an array of shape {taken.shape}"
            )
        wrong = np.flatnonzero((taken < 0) | (taken >= self._games.num_actions))
        if len(wrong):
            game = wrong[0]
            last = self._games.num_actions - 1
            raise ValueError(f"game {game}: there is no action {taken[game]}: actions are 0 to {last}, the last a pass")
        return np.ascontiguousarray(taken, np.int32)

    def _step_alone(
        self, actions: npt.NDArray[np.int32]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Info]:
        movers, moves, buffers = self._colors, self._moves, self._next_buffers()
        assert self._mask is not None, "games are under way"
        played = self._mask[np.arange(self.num_envs), actions]
        self._games.step(actions, out=buffers)
        self._use_up()
        rewards = _of_players(buffers.rewards, movers)
        terminated = buffers.terminated.copy()
        infos: Info = {}
        same_step = self._mode == AutoresetMode.SAME_STEP
        if same_step and terminated.any():
            # An illegal action that lost the game is no move of it.
            last_moves = moves + played
            last_mover = np.where(played, 1 - movers, movers).astype(np.int8)
            only_pass = _only_pass(buffers.legal_action_mask)
            final = self._facts(only_pass, last_mover, last_moves, buffers.score, terminated)
            infos = _final(buffers.final_observation, final, terminated)
        self._ended = np.zeros_like(terminated) if same_step else terminated
        self._colors = buffers.to_move.astype(np.int8)
        everything = np.ones(self.num_envs, np.bool_)
        infos.update(self._infos(buffers, everything, ended=None if same_step else terminated))
        return buffers.observation, rewards, terminated, np.zeros_like(terminated), infos

    def _step_against(
        self, actions: npt.NDArray[np.int32]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], Info]:
        # Games that ended before stand still during both moves, so all others wait for the same player. Those that
        # start over with the opponent's move do so before it, and those that start with the agent's move behind it.
        starting, between, buffers = self._ended, self._between, self._next_buffers()
        self._games.step(actions, out=between)
        rewards = _of_players(between.rewards, self._colors)
        scores = between.score.copy()
        ended_by_agent = between.terminated & ~starting
        first_move = np.zeros_like(starting)
        if starting.any():
            self._draw_colors(starting)
            first_move = starting & (self._colors == 1)
            if first_move.any():
                self._games.reset(mask=first_move, out=between)
        waiting = ~between.terminated
        self._games.step(self._replies(waiting, between), out=buffers)
        self._use_up()
        rewards += _of_players(buffers.rewards, self._colors)
        scores = np.where(ended_by_agent, scores, buffers.score)
        refuse_ended_opening((first_move & buffers.terminated).any())
        terminated = buffers.terminated & ~starting
        if (starting & ~first_move).any():
            self._games.reset(mask=starting & ~first_move, out=buffers)
        self._show_to_agent(terminated, buffers)

        infos: Info = {}
        self._ended = terminated
        if self._mode == AutoresetMode.SAME_STEP and terminated.any():
            final = self._facts(buffers.legal_action_mask.copy(), self._colors, buffers.moves, scores, terminated)
            infos = _final(buffers.observation, final, terminated)
            self._ended = np.zeros_like(terminated)
            self._draw_colors(terminated)
            self._games.reset(mask=terminated, out=buffers)
            self._open(terminated & (self._colors == 1), buffers)
        everything = np.ones(self.num_envs, np.bool_)
        np.copyto(buffers.score, scores)
        ended = self._ended if self._ended.any() else None
        infos.update(self._infos(buffers, everything, ended=ended))
        return buffers.observation, rewards, terminated.copy(), np.zeros_like(terminated), infos

    def _show_to_agent(self, ended: Mask, buffers: Buffers) -> None:
        # Whoever would have to move sees the last board of a game, but it is for the agent.
        others = ended & (buffers.to_move != self._colors)
        if others.any():
            buffers.observation[others] = self._games.observe(self._colors)[others]

    def _draw_colors(self, which: Mask) -> None:
        if self._opponent is None:
            self._colors = np.where(which, 0, self._colors).astype(np.int8)
        elif self._color_choice == "random":
            drawn = self.np_random.integers(2, size=self.num_envs, dtype=np.int8)
            self._colors = np.where(which, drawn, self._colors)
        else:
            self._colors = np.full(self.num_envs, COLORS[self._color_choice], np.int8)

    def _open(self, which: Mask, buffers: Buffers) -> None:
        """The opponent's first move in games that have just been started, and none in the others."""
        if not which.any():
            return
        self._games.step(self._replies(which, buffers), mask=which, out=buffers)
        refuse_ended_opening((which & buffers.terminated).any())

    def _replies(self, waiting: Mask, shown: Buffers) -> npt.NDArray[np.int32]:
        if self._opponent == "random":
            return self._games.sample()
        replies = np.full(self.num_envs, self._games.num_actions - 1, np.int32)
        if self._opponent == "pass" or not waiting.any():
            return replies
        indices = np.flatnonzero(waiting)
        opponent = cast(Callable[[Any, Mask, Any], Any], self._opponent)
        masks = shown.legal_action_mask[indices]
        chosen = np.asarray(opponent(shown.observation[indices], masks.copy(), Games(self._games, indices)))
        if chosen.shape != indices.shape or not np.issubdtype(chosen.dtype, np.integer):
            raise ValueError(f"the opponent returns one action for each of {len(indices)} games, not {chosen!r}")
        on_board = (chosen >= 0) & (chosen < self._games.num_actions)
        legal = on_board & masks[np.arange(len(indices)), np.where(on_board, chosen, 0)]
        if not legal.all():
            wrong = np.flatnonzero(~legal)[0]
            raise ValueError(f"the opponent chose action {chosen[wrong]} in game {indices[wrong]}, which is illegal")
        replies[indices] = chosen
        return replies

    def _infos(self, buffers: Buffers, which: Mask, ended: Mask | None = None) -> Info:
        self._mask = buffers.legal_action_mask
        self._moves = buffers.moves.copy()
        infos = self._facts(buffers.legal_action_mask, self._colors, self._moves, None, which)
        if ended is not None and ended.any():
            infos.update(_fact("score", np.where(ended, buffers.score, 0.0), ended))
        return infos

    def _facts(
        self, mask: Mask, players: npt.NDArray[np.int8], moves: Any, scores: Any, which: Mask
    ) -> Info:
        facts = {
            **_fact("action_mask", mask.view(np.int8), which),
            **_fact("to_move" if self._opponent is None else "color", players.copy(), which),
            **_fact("moves", moves.copy(), which),
        }
        if scores is not None:
            facts.update(_fact("score", np.where(which, scores, 0.0), which))
        return facts

    def action_masks(self) -> Mask:
        """What is legal in each game, which `info["action_mask"]` says in zeros and ones."""
        if self._mask is None:
            raise ResetNeeded("no games are under way: call reset() first")
        return self._mask

    def sample(self) -> npt.NDArray[np.int32]:
        """Draws a legal action for every game, all equally likely, from the games' own random generators."""
        return self._games.sample()

    def game(self, index: int) -> Game:
        """A copy of one of the games, to look at or to play on."""
        return self._games.game(index)

    def render(self) -> tuple[Any, ...] | None:
        """All games as diagrams or as pixels, or None without a `render_mode`."""
        if self.render_mode is None:
            return None
        return tuple(rendered(self.game(index), self.render_mode) for index in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is held that must be given back."""
        self._games.close()

    def __getstate__(self) -> dict[str, Any]:
        # The arrays of buffers are views of each other, which a copy would tear apart.
        left_out = ("_ring", "_between")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_buffers()


def _autoreset_mode(mode: Any) -> AutoresetMode:
    names = {
        "next-step": AutoresetMode.NEXT_STEP,
        "same-step": AutoresetMode.SAME_STEP,
        "disabled": AutoresetMode.DISABLED,
    }
    return names[mode] if mode in names else AutoresetMode(mode)


def _of_players(rewards: npt.NDArray[np.float32], players: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
    return rewards[np.arange(len(players)), players].astype(np.float64)


def _only_pass(mask: Mask) -> Mask:
    passes = np.zeros_like(mask)
    passes[:, -1] = True
    return passes


def _fact(name: str, values: Any, which: Mask) -> Info:
    return {name: values, f"_{name}": which.copy()}


def _final(observations: Observation, infos: Info, ended: Mask) -> Info:
    """The last observations and infos of games, in the form of Gymnasium's own vector environments."""
    final = np.full(len(ended), None, dtype=object)
    for index in np.flatnonzero(ended):
        final[index] = observations[index].copy()
    return {**_fact("final_obs", final, ended), **_fact("final_info", infos, ended)}
