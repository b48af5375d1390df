"""One game of Go between two agents of RLlib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tengen._arguments import single_action
from tengen._native import Game
from tengen.vector import VectorEnv

try:
    import gymnasium as gym
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as error:
    raise ImportError(f'tengen.ray.GoMultiAgentEnv needs RLlib: pip install "ray[rllib]" ({error})') from error

__all__ = ["GoMultiAgentEnv"]

# Agents are named by text, but RLlib's types allow anything that can be hashed, and dictionaries are not covariant.
AgentDict = dict[Any, Any]


class GoMultiAgentEnv(MultiAgentEnv):
    """Go for RLlib: the agents 'black' and 'white' take turns, and only the one to move is shown an observation.

    >>> from tengen.ray import GoMultiAgentEnv
    >>> env = GoMultiAgentEnv({"size": 9, "komi": 7.5})
    >>> observations, infos = env.reset()
    >>> list(observations), observations["black"]["observations"].shape, int(observations["black"]["action_mask"].sum())
    (['black'], (9, 9, 17), 82)
    >>> observations, rewards, terminateds, truncateds, infos = env.step({"black": 40})
    >>> list(observations), rewards, terminateds
    (['white'], {'black': 0.0, 'white': 0.0}, {'black': False, 'white': False, '__all__': False})

    Observations are dictionaries with `observations` (the planes) and `action_mask` (1 for what is legal, 0 for the
    rest), the names and the type that RLlib's own module for masked actions expects. With the last step both agents get
    an observation and their rewards: 1 and -1, or 0 and 0 in a draw.

    Options come as one dictionary, as RLlib passes its `env_config`: size, komi, rules, max_moves, observation and
    layout as in `tengen.VectorEnv`, and

    - dtype: float32 unless given
    - illegal: with 'loses', unless given, the player of an illegal action loses, since some agents do not look at the
      mask; 'error' refuses it
    - render_mode: 'ansi', unless given, or 'svg'
    """

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        # RLlib's EnvContext is a dictionary with more attributes, of which a game needs none: nothing in it is random.
        options = dict(config or {})
        self.render_mode = options.pop("render_mode", "ansi")
        if self.render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is 'ansi' or 'svg', not {self.render_mode!r}")
        known = {"size", "komi", "rules", "max_moves", "observation", "layout", "dtype", "illegal"}
        if unknown := sorted(set(options) - known):
            raise ValueError(f"unknown options {', '.join(unknown)}: there are {', '.join(sorted(known))}, render_mode")
        if options.get("observation", "agz") is None:
            raise ValueError("agents need planes to look at: observation is 'agz' or 'tactical'")
        options.setdefault("dtype", np.float32)
        options.setdefault("illegal", "loses")
        self.possible_agents = ["black", "white"]
        self.agents = list(self.possible_agents)
        # RLlib keeps what it was shown, so that every step makes new arrays.
        self._env = VectorEnv(1, autoreset="disabled", num_threads=1, num_buffers=0, **options)
        self._env.reset()
        self._over = False
        shape = self._env.observation_shape
        space = gym.spaces.Dict(
            {
                "observations": gym.spaces.Box(0, 1, shape, self._env.observation_dtype.type),
                "action_mask": gym.spaces.Box(0.0, 1.0, (self._env.num_actions,), np.float32),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, gym.spaces.Discrete(self._env.num_actions))
        super().__init__()  # type: ignore[no-untyped-call]

    @property
    def game(self) -> Game:
        """A copy of the game as it stands."""
        return self._env.game(0)

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[AgentDict, AgentDict]:
        """Starts a new game. Nothing in Go is random: a seed is taken for the sake of the interface."""
        cast(Any, super()).reset(seed=seed, options=options)
        observation, info = self._env.reset()
        self._over = False
        return {"black": self._shown(observation, info)}, {"black": {}}

    # RLlib's own class differs from Gymnasium's here.
    def step(  # type: ignore[override]
        self, action_dict: Mapping[Any, Any]
    ) -> tuple[AgentDict, AgentDict, AgentDict, AgentDict, AgentDict]:
        """Takes the action of the agent to move, which is all that the dictionary may hold."""
        if self._over:
            raise RuntimeError("the game is over: call reset()")
        mover = self.game.to_move
        if set(action_dict) != {mover}:
            raise ValueError(f"it is the turn of {mover!r} alone, but there are actions of {sorted(action_dict)}")
        observation, rewards, terminated, _, info = self._env.step([single_action(action_dict[mover])])
        self._over = over = bool(terminated[0])
        # Adding 0 makes an ordinary zero of a negative one.
        each = {agent: float(reward) + 0.0 for agent, reward in zip(self.possible_agents, rewards[0], strict=True)}
        terminateds = {"black": over, "white": over, "__all__": over}
        truncateds = {"black": False, "white": False, "__all__": False}
        if not over:
            other = self.possible_agents[int(info["to_move"][0])]
            return {other: self._shown(observation, info)}, each, terminateds, truncateds, {other: {}}
        observations = {
            agent: self._shown(self._env.observe(player), info) for player, agent in enumerate(self.possible_agents)
        }
        ends = {"score": float(info["score"][0]), "moves": int(info["moves"][0]), "result": self.game.result}
        return observations, each, terminateds, truncateds, {agent: dict(ends) for agent in self.possible_agents}

    def _shown(self, planes: npt.NDArray[Any], info: dict[str, Any]) -> dict[str, npt.NDArray[Any]]:
        return {"observations": planes[0], "action_mask": info["legal_action_mask"][0].astype(np.float32)}

    def render(self) -> str:  # type: ignore[override]
        """The board, as text or as SVG."""
        game = self.game
        return game.svg() if self.render_mode == "svg" else str(game)

    def close(self) -> None:
        """There is nothing to let go of."""
        self._env.close()
