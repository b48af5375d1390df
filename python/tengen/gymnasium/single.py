"""One agent against an opponent."""

from __future__ import annotations

import operator
from typing import Any, ClassVar, Literal, cast

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from tengen._arguments import single_action
from tengen._native import Game, Rules
from tengen.gymnasium._choices import (
    Info,
    Mask,
    Observation,
    Opponent,
    RenderMode,
    check_choices,
    check_observation,
    draw_color,
    native_seed,
    observation_space,
    refuse_ended_opening,
    rendered,
)
from tengen.vector import Size, VectorEnv


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
        check_choices(opponent, color, render_mode, self.metadata)
        self._games = VectorEnv(
            1,
            size,
            komi,
            rules,
            observation=check_observation(observation),
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
        self.observation_space = observation_space(self._games)
        self.action_space = cast(Any, spaces.Discrete(self._games.num_actions))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Starts a game; where the agent is White, the opponent has made its first move."""
        super().reset(seed=seed)
        self._color = draw_color(self._color_choice, self.np_random)
        observation, shown = self._games.reset(seed=native_seed(self, seed))
        if self._color == 1:
            observation, _, terminated, _, shown = self._games.step([self._reply(observation, shown)])
            refuse_ended_opening(terminated[0])
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
        return rendered(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is held that must be given back."""
        self._games.close()
