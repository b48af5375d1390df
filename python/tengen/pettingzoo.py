"""Go for PettingZoo: what `pettingzoo.classic.go_v5` does, and exact rules on request.

>>> from tengen import pettingzoo
>>> env = pettingzoo.env(board_size=9)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter(max_iter=20):
...     observation, reward, termination, truncation, info = env.last()
...     action = None if termination or truncation else env.action_space(agent).sample(observation["action_mask"])
...     env.step(action)
>>> env.agent_selection, observation["observation"].shape
('black_0', (9, 9, 17))
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

import numpy as np
import numpy.typing as npt

from tengen._arguments import single_action
from tengen._native import Game, Rules
from tengen.vector import Buffers, VectorEnv

# The package brings no types: what comes of it can be anything.
_package: Any = None
try:
    import pettingzoo as _installed  # type: ignore[import-untyped]  # pyright: ignore[reportMissingTypeStubs]

    _package = cast(Any, _installed)
except ImportError:
    # The rest of the module can be used without the package, and `raw_env` says what is missing.
    pass

if TYPE_CHECKING:

    class AECEnv:
        """What the environment below asks of PettingZoo's own class."""

        rewards: dict[str, Any]
        _cumulative_rewards: dict[str, Any]

        def _was_dead_step(self, action: Any) -> None: ...
        def _accumulate_rewards(self) -> None: ...

else:
    AECEnv = object if _package is None else _package.AECEnv

__all__ = ["ObservedGame", "env", "raw_env", "register"]

Planes = npt.NDArray[Any]
AGENTS = ("black_0", "white_0")


class ObservedGame:
    """One game with PettingZoo's observations. It does not need the package.

    >>> from tengen.pettingzoo import ObservedGame
    >>> game = ObservedGame(board_size=5)
    >>> game.play(12)
    >>> game.to_move, int(game.mask.sum()), game.observe(1)[:, :, 0].sum().item()
    (1, 25, 1)
    """

    def __init__(
        self,
        board_size: int = 19,
        komi: float | None = 7.5,
        rules: str | Rules = "petting-zoo",
        observation: Literal["petting-zoo", "agz", "tactical"] = "petting-zoo",
        max_moves: int | str | None = "auto",
    ) -> None:
        self._env = VectorEnv(
            1,
            board_size,
            None if komi is None else _half_points(komi),
            rules,
            observation="agz" if observation == "petting-zoo" else observation,
            max_moves=max_moves,
            autoreset="disabled",
            num_threads=1,
            num_buffers=0,
        )
        self._observation = observation
        self._make_buffers()
        self.restart()

    def _make_buffers(self) -> None:
        # Planes are for `observe` to make, when somebody asks.
        env = self._env
        self._shown = Buffers(1, env.num_actions, None, env.observation_dtype, keep_final=False, packed=False)

    def restart(self) -> None:
        """Starts over."""
        self._env.reset(out=self._shown)
        self._take()

    def play(self, action: int) -> None:
        """Takes an action of the player to move; `tengen.IllegalMoveError` says why it is illegal, and changes
        nothing."""
        self._env.step([single_action(action)], out=self._shown)
        self._take()

    def _take(self) -> None:
        shown = self._shown
        black, white = shown.rewards[0]
        self.rewards = (int(black), int(white))
        self.is_over = bool(shown.terminated[0])
        self.to_move = int(shown.to_move[0])
        # A pass alone is left in a game that is over, as in the package.
        self.mask: npt.NDArray[np.int8] = shown.legal_action_mask[0].astype(np.int8)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an observation."""
        shape = self._env.observation_shape
        assert shape is not None, "the environment was made with planes"
        return shape

    @property
    def num_actions(self) -> int:
        """How many actions there are, the last of which is a pass."""
        return self._env.num_actions

    @property
    def game(self) -> Game:
        """A copy of the game, to look at or to play on."""
        return self._env.game(0)

    def observe(self, player: int) -> Planes:
        """What a player sees (0 for Black, 1 for White), whosever turn it is."""
        own = self._observation != "petting-zoo"
        planes: Planes = self._env.observe(player if own else 1 - self.to_move)[0]
        if own:
            return planes
        # The package shows each board from the side of whoever had just moved, which is the other player on every
        # second one.
        own_stones, other_stones = planes[:, :, 2:16:4], planes[:, :, 3:16:4]
        own_stones[:], other_stones[:] = other_stones.copy(), own_stones.copy()
        planes[:, :, 16] = player
        return planes

    def __getstate__(self) -> dict[str, Any]:
        # The arrays of buffers are views of each other, which a copy would tear apart.
        return {name: value for name, value in self.__dict__.items() if name != "_shown"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_buffers()


class raw_env(AECEnv):
    """Go between two agents, `black_0` and `white_0`, in PettingZoo's agent environment cycle, without wrappers.

    Arguments:

    - board_size, komi, render_mode: as in `pettingzoo.classic.go_v5`
    - rules: 'petting-zoo' for what the package plays, or any other, such as 'tromp-taylor', or `tengen.Rules`
    - observation: 'petting-zoo' for the planes of the package; 'agz' for those that it documents as AlphaGo Zero's, or
      'tactical', both as the agent sees them
    - max_moves: as of `tengen.VectorEnv`, and no end but by passes under 'petting-zoo'
    - screen_height: of pictures, in pixels
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "rgb_array"],
        "name": "tengen_go_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        board_size: int = 19,
        komi: float | None = 7.5,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        screen_height: int | None = 800,
        *,
        rules: str | Rules = "petting-zoo",
        observation: Literal["petting-zoo", "agz", "tactical"] = "petting-zoo",
        max_moves: int | str | None = "auto",
    ) -> None:
        if _package is None:
            raise ImportError("tengen.pettingzoo needs PettingZoo: pip install pettingzoo")
        from gymnasium import spaces

        super().__init__()
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is 'ansi', 'rgb_array' or None, not {render_mode!r}")
        self._game = ObservedGame(board_size, komi, rules, observation, max_moves)
        self.render_mode = render_mode
        self.screen_height = screen_height or 800
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        self.observation_spaces: dict[str, Any] = {
            agent: spaces.Dict(
                {
                    # Gymnasium's types know NumPy's own scalars alone.
                    "observation": spaces.Box(0, 1, self._game.shape, cast(Any, bool)),
                    "action_mask": spaces.Box(0, 1, (self._game.num_actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces: dict[str, Any] = {agent: spaces.Discrete(self._game.num_actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of the actions: points row by row from the top left, then a pass."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. There is nothing random about it, so that a seed changes nothing."""
        self._game.restart()
        self.agents = list(AGENTS)
        self.agent_selection: str = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations: dict[str, bool] = dict.fromkeys(AGENTS, False)
        self.truncations: dict[str, bool] = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}

    def step(self, action: int | None) -> None:
        """Takes the action of the agent whose turn it is, or None when its game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("None is the action of an agent whose game is over")
        self._game.play(action)
        self._cumulative_rewards[agent] = 0
        self.rewards = dict(zip(AGENTS, self._game.rewards, strict=True))
        self.terminations = dict.fromkeys(AGENTS, self._game.is_over)
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Planes]:
        """What an agent sees, and what is legal for it: nothing unless it is its turn."""
        mask = self._game.mask.copy() if agent == self.agent_selection else np.zeros_like(self._game.mask)
        return {"observation": self._game.observe(AGENTS.index(agent)), "action_mask": mask}

    @property
    def game(self) -> Game:
        """A copy of the game, to look at or to play on."""
        return self._game.game

    def render(self) -> Any:
        """The game as a diagram or as pixels, or None without a `render_mode`."""
        if self.render_mode == "ansi":
            return str(self.game)
        if self.render_mode == "rgb_array":
            return self.game.pixels(self.screen_height)
        return None

    def close(self) -> None:
        """Nothing is held that must be given back."""


def env(**settings: Any) -> Any:
    """`raw_env` in the wrappers of `pettingzoo.classic.go_v5`: an illegal action ends the game, -1 for the agent who
    chose it."""
    try:
        from pettingzoo import utils  # type: ignore[import-untyped]  # pyright: ignore[reportMissingTypeStubs]
    except ImportError as missing:
        raise ImportError("tengen.pettingzoo needs PettingZoo: pip install pettingzoo") from missing
    wrappers = cast(Any, utils).wrappers
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**settings), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def register() -> None:
    """Makes `pettingzoo.make("aec", "tengen/go-v0")` work where PettingZoo has a registry. Importing the module has
    done so."""
    if not hasattr(_package, "register"):
        return
    if "tengen/go-v0" not in _package.aec_registry:
        _package.register("aec", "tengen/go-v0", "tengen.pettingzoo:env")


def _half_points(komi: float) -> float:
    """The whole or half number that decides like this komi, since by area Black is always ahead by a whole number."""
    return komi if komi == math.floor(komi) else math.floor(komi) + 0.5


register()
