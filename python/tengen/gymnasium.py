"""Go for Gymnasium: `GoEnv`, one agent against an opponent, and `GoVectorEnv`, many games at once.

Importing this module registers `tengen/Go-v0` and one environment for each customary size, such as `tengen/Go9x9-v0`:

>>> import gymnasium
>>> env = gymnasium.make("tengen.gymnasium:tengen/Go9x9-v0", opponent="random")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(mask=info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
>>> observation.shape, reward, terminated, info["moves"]
((9, 9, 17), 0.0, False, 2)
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Literal, cast

import numpy as np
import numpy.typing as npt

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as missing:
    raise ImportError("tengen.gymnasium needs Gymnasium 1.1 or later: pip install 'gymnasium>=1.1'") from missing

from tengen._arguments import single_action
from tengen._native import Game, Rules
from tengen.vector import Buffers, Size, VectorEnv

__all__ = ["Games", "GoEnv", "GoVectorEnv", "register"]

Observation = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
Info = dict[str, Any]
Opponent = Literal["random", "pass"] | Callable[[Any, Mask, Any], Any]
RenderMode = Literal["ansi", "rgb_array"]

_COLORS = {"black": 0, "white": 1}
_SIZES = (5, 6, 7, 9, 13, 19)
_PICTURE_WIDTH = 400


class GoEnv(gymnasium.Env[Observation, "int | np.integer[Any]"]):
    """One agent that plays Go against an opponent, which answers within the same step.

    >>> from tengen.gymnasium import GoEnv
    >>> env = GoEnv(size=5, komi=0.5, opponent="pass")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(12)
    >>> observation, reward, terminated, truncated, info = env.step(25)
    >>> reward, terminated, info["score"]
    (1.0, True, 24.5)

    An action is a point, counted from the top left row by row, or the number behind the last point for a pass. The
    reward is 1 for a game won and -1 for a game lost, 0 for a draw and before the end. `info["action_mask"]` has a 1
    for each legal action, as `env.action_space.sample(mask=...)` wants it; `action_masks()` has them as sb3-contrib's
    MaskablePPO does.

    Arguments:

    - size, komi, rules, max_moves, layout: as of `tengen.VectorEnv`
    - opponent: 'random' draws from the legal actions, all equally likely; 'pass' always passes; or a function that is
      given what the opponent sees, the mask of its legal actions and a copy of the game, and returns an action
    - color: 'black', 'white', or 'random' to draw one for each game
    - observation, dtype: 'agz' or 'tactical', of bool, uint8 or float32
    - illegal: 'loses' ends the game when the agent's action is illegal; 'error' raises `tengen.IllegalMoveError`, and
      nothing has changed
    - render_mode: 'ansi' for a diagram, 'rgb_array' for a picture
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # type: ignore[misc]
    # Gymnasium declares an instance variable, and means one of the class.

    def __init__(
        self,
        size: Size = 9,
        komi: float | None = None,
        rules: str | Rules = "tromp-taylor",
        opponent: Opponent = "random",
        color: Literal["black", "white", "random"] = "black",
        observation: Literal["agz", "tactical"] = "agz",
        *,
        max_moves: int | str | None = "auto",
        layout: Literal["channels-last", "channels-first"] = "channels-last",
        dtype: npt.DTypeLike = np.bool_,
        illegal: Literal["error", "loses"] = "loses",
        render_mode: RenderMode | None = None,
    ) -> None:
        if opponent is None:
            raise ValueError("one agent needs an opponent: GoVectorEnv has games of a program with itself")
        _check_choices(opponent, color, render_mode, self.metadata)
        self._games = VectorEnv(
            1,
            size,
            komi,
            rules,
            observation=_check_observation(observation),
            max_moves=max_moves,
            layout=layout,
            dtype=dtype,
            autoreset="disabled",
            illegal=illegal,
            num_threads=1,
            num_buffers=0,
        )
        self._opponent = opponent
        self._color_choice = color
        self._color = 0
        self._mask: Mask | None = None
        self._over = False
        self._seeded = False
        self.render_mode = render_mode
        self.observation_space = _observation_space(self._games)
        self.action_space = cast(Any, spaces.Discrete(self._games.num_actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Starts a game; where the agent is White, the opponent has made its first move."""
        super().reset(seed=seed)
        self._color = _draw_color(self._color_choice, self.np_random)
        observation, shown = self._games.reset(seed=_native_seed(self, seed))
        if self._color == 1:
            observation, _, terminated, _, shown = self._games.step([self._reply(observation, shown)])
            _refuse_ended_opening(terminated[0])
        self._over = False
        return observation[0], self._info(shown)

    def step(self, action: int | np.integer[Any]) -> tuple[Observation, float, bool, bool, Info]:
        """Plays the action, and the opponent's answer if that has not ended the game."""
        if self._mask is None or self._over:
            raise ResetNeeded("no game is under way: call reset() first")
        number = single_action(action)
        if not 0 <= number < self._games.num_actions:
            last = self._games.num_actions - 1
            raise ValueError(f"there is no action {number}: actions are 0 to {last}, the last a pass")
        observation, rewards, terminated, _, shown = self._games.step([number])
        if not terminated[0]:
            observation, rewards, terminated, _, shown = self._games.step([self._reply(observation, shown)])
        # Whoever has to move sees the last board, but it is for the agent.
        if shown["to_move"][0] != self._color:
            observation = self._games.observe(self._color)
        self._over = bool(terminated[0])
        return observation[0], float(rewards[0, self._color]), self._over, False, self._info(shown)

    def _reply(self, observation: Observation, shown: Info) -> int:
        if self._opponent == "random":
            return int(self._games.sample()[0])
        if self._opponent == "pass":
            return self._games.num_actions - 1
        mask: Mask = shown["legal_action_mask"][0]
        opponent: Any = self._opponent
        chosen = operator.index(opponent(observation[0], mask.copy(), self.game))
        if not (0 <= chosen < len(mask) and mask[chosen]):
            raise ValueError(f"the opponent chose action {chosen}, which is illegal")
        return chosen

    def _info(self, shown: Info) -> Info:
        mask: Mask = shown["legal_action_mask"][0]
        self._mask = mask
        info: Info = {
            "action_mask": mask.astype(np.int8),
            "color": self._color,
            "moves": int(shown["moves"][0]),
        }
        if self._over:
            info["score"] = float(shown["score"][0])
        return info

    def action_masks(self) -> Mask:
        """What is legal for the agent, as sb3-contrib's MaskablePPO asks for it."""
        if self._mask is None:
            raise ResetNeeded("no game is under way: call reset() first")
        return np.array(self._mask)

    @property
    def game(self) -> Game:
        """A copy of the game, to look at or to play on."""
        return self._games.game(0)

    def render(self) -> Any:
        """The game as a diagram or as pixels, or None without a `render_mode`."""
        return _rendered(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is held that must be given back."""
        self._games.close()


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
        _check_choices(opponent, color, render_mode, self.metadata)
        native_modes = {AutoresetMode.NEXT_STEP: "next-step", AutoresetMode.SAME_STEP: "same-step"}
        # Against an opponent a step is two moves, and games are started over between or behind them.
        native_mode = "disabled" if opponent is not None else native_modes.get(self._mode, "disabled")
        self._games = VectorEnv(
            num_envs,
            size,
            komi,
            rules,
            observation=_check_observation(observation),
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
        self.single_observation_space = _observation_space(self._games)
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
        self._games.reset(seed=_native_seed(self, seed), mask=which, out=buffers)
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
        _refuse_ended_opening((first_move & buffers.terminated).any())
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
            self._colors = np.full(self.num_envs, _COLORS[self._color_choice], np.int8)

    def _open(self, which: Mask, buffers: Buffers) -> None:
        """The opponent's first move in games that have just been started, and none in the others."""
        if not which.any():
            return
        self._games.step(self._replies(which, buffers), mask=which, out=buffers)
        _refuse_ended_opening((which & buffers.terminated).any())

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
        return tuple(_rendered(self.game(index), self.render_mode) for index in range(self.num_envs))

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


def register() -> None:
    """Makes `gymnasium.make("tengen/Go-v0")` and the same for each customary size work. Importing the module has done
    so."""
    sizes: dict[str, dict[str, Any]] = {f"Go{size}x{size}": {"size": size} for size in _SIZES}
    for name, settings in {"Go": {}, **sizes}.items():
        identifier = f"tengen/{name}-v0"
        if identifier not in gymnasium.registry:
            cast(Any, gymnasium).register(
                id=identifier,
                entry_point="tengen.gymnasium:GoEnv",
                vector_entry_point="tengen.gymnasium:GoVectorEnv",
                # The two would otherwise differ in what they do without being told.
                kwargs={"opponent": "random", **settings},
            )


def _check_choices(opponent: Any, color: Any, render_mode: Any, metadata: dict[str, Any]) -> None:
    if not (opponent in (None, "random", "pass") or callable(opponent)):
        raise ValueError(f"opponent is 'random', 'pass' or a function, not {opponent!r}")
    if color not in ("black", "white", "random"):
        raise ValueError(f"color is 'black', 'white' or 'random', not {color!r}")
    if render_mode is not None and render_mode not in metadata["render_modes"]:
        raise ValueError(f"render_mode is 'ansi', 'rgb_array' or None, not {render_mode!r}")


def _check_observation(observation: Any) -> Any:
    if observation is None:
        raise ValueError("Gymnasium's environments have observations: 'agz' or 'tactical'")
    return observation


def _observation_space(games: VectorEnv) -> spaces.Box:
    return spaces.Box(0, 1, games.observation_shape, cast(Any, games.observation_dtype.type))


def _autoreset_mode(mode: Any) -> AutoresetMode:
    names = {
        "next-step": AutoresetMode.NEXT_STEP,
        "same-step": AutoresetMode.SAME_STEP,
        "disabled": AutoresetMode.DISABLED,
    }
    return names[mode] if mode in names else AutoresetMode(mode)


def _draw_color(choice: str, generator: np.random.Generator) -> int:
    return int(generator.integers(2)) if choice == "random" else _COLORS[choice]


def _native_seed(env: Any, seed: int | None) -> int | None:
    """A seed for the games' generators: when there is a new one, and the first time."""
    if seed is None and env._seeded:
        return None
    env._seeded = True
    return int(env.np_random.integers(1 << 63))


def _refuse_ended_opening(ended: Any) -> None:
    if ended:
        raise ValueError("the opponent's first move has ended the game: max_moves leaves White none")


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


def _rendered(game: Game, mode: str | None) -> Any:
    if mode == "ansi":
        return str(game)
    if mode == "rgb_array":
        return game.pixels(_PICTURE_WIDTH)
    return None


register()
