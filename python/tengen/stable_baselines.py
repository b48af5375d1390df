"""Go for Stable-Baselines3: many games at once as its `VecEnv`.

>>> from tengen.stable_baselines import GoVecEnv  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.gymnasium.vector import GoVectorEnv

__all__ = ["GoVecEnv"]

try:
    _vec_env: Any = import_module("stable_baselines3.common.vec_env.base_vec_env")
except ImportError as error:
    raise ImportError("this environment needs Stable-Baselines3: pip install stable-baselines3") from error


class GoVecEnv(_vec_env.VecEnv):
    """Many games of Go against an opponent, stepped together in native code instead of one after the other.

    >>> from stable_baselines3 import PPO  # doctest: +SKIP
    >>> PPO("MlpPolicy", GoVecEnv(64, size=5, opponent="random"), n_steps=64).learn(100_000)  # doctest: +SKIP

    Arguments are those of `tengen.gymnasium.GoVectorEnv`. Games that end start over in the same step, and
    `infos[i]["terminal_observation"]` has the last board, as Stable-Baselines3 wants it. An illegal action loses
    the game unless `illegal='error'`; `action_masks()` is what MaskablePPO of sb3-contrib asks for.
    """

    def __init__(
        self,
        num_envs: int = 1,
        size: Any = 9,
        komi: Any = None,
        rules: Any = "tromp-taylor",
        opponent: Any = "random",
        color: Any = "black",
        *,
        dtype: npt.DTypeLike = np.uint8,
        **options: Any,
    ) -> None:
        if "autoreset_mode" in options:
            raise ValueError("autoreset_mode is 'same-step', since Stable-Baselines3 knows no other")
        self.games: Any = GoVectorEnv(
            num_envs, size, komi, rules, opponent, color, dtype=dtype, autoreset_mode="same-step", **options
        )
        self._seed: int | None = None
        self._actions: Any = None
        _vec_env.VecEnv.__init__(self, num_envs, self.games.single_observation_space, self.games.single_action_space)

    def reset(self) -> Any:
        """Starts all games over, with the seed of `seed()` if there is a new one."""
        observations, infos = self.games.reset(seed=self._seed)
        self._seed = None
        self.reset_infos = self._one_each(infos)
        return observations

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """A seed for the next reset: one is enough for all games."""
        if seed is None:
            seed = int(np.random.default_rng().integers(1 << 32))
        self._seed = seed
        return [seed] * self.num_envs

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes the actions, which `step_wait` plays."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays the actions that were taken."""
        observations, rewards, terminated, _, infos = self.games.step(self._actions)
        listed = self._one_each(infos)
        for index in np.flatnonzero(terminated):
            listed[index]["terminal_observation"] = infos["final_obs"][index]
            listed[index]["TimeLimit.truncated"] = False
            listed[index]["score"] = float(infos["final_info"]["score"][index])
        return observations, rewards.astype(np.float32), terminated, listed

    def _one_each(self, infos: dict[str, Any]) -> list[dict[str, Any]]:
        names = [name for name in ("action_mask", "to_move", "color", "moves") if name in infos]
        return [{name: infos[name][index] for name in names} for index in range(self.num_envs)]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What is legal in each game."""
        return self.games.action_masks()

    def close(self) -> None:
        """Nothing is held that must be given back."""
        self.games.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, for each game; all have the same but for `action_masks`."""
        value = getattr(self if attr_name == "action_masks" else self.games, attr_name)
        return [value for _ in self._indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: games have no attributes of their own."""
        raise AttributeError(f"the games are one environment, and {attr_name!r} cannot be set for some of them")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """What a method says about each game: `action_masks`, or `game`."""
        which = self._indices(indices)
        if method_name == "action_masks":
            masks = self.action_masks()
            return [masks[index] for index in which]
        if method_name == "game":
            return [self.games.game(index) for index in which]
        raise AttributeError(f"the games are one environment, which has no method {method_name!r} for each of them")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped in anything."""
        return [False for _ in self._indices(indices)]

    def get_images(self) -> Sequence[Any]:
        """All games as pixels."""
        return [self.games.game(index).pixels(400) for index in range(self.num_envs)]

    def _indices(self, indices: None | int | Iterable[int]) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return [indices] if isinstance(indices, int) else list(indices)
