"""What the two environments are told, checked, and what they show in the same way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from tengen._native import Game
from tengen.vector import VectorEnv

Observation = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
Info = dict[str, Any]
Opponent = Literal["random", "pass"] | Callable[[Any, Mask, Any], Any]
RenderMode = Literal["ansi", "rgb_array"]

COLORS = {"black": 0, "white": 1}
_PICTURE_WIDTH = 400


def check_choices(opponent: Any, color: Any, render_mode: Any, metadata: dict[str, Any]) -> None:
    if not (opponent in (None, "random", "pass") or callable(opponent)):
        raise ValueError(f"opponent is 'random', 'pass' or a function, not {opponent!r}")
    if color not in ("black", "white", "random"):
        raise ValueError(f"color is 'black', 'white' or 'random', not {color!r}")
    if render_mode is not None and render_mode not in metadata["render_modes"]:
        raise ValueError(f"render_mode is 'ansi', 'rgb_array' or None, not {render_mode!r}")


def check_observation(observation: Any) -> Any:
    if observation is None:
        raise ValueError("Gymnasium's environments have observations: 'agz' or 'tactical'")
    return observation


def observation_space(games: VectorEnv) -> spaces.Box:
    return spaces.Box(0, 1, games.observation_shape, cast(Any, games.observation_dtype.type))


def draw_color(choice: str, generator: np.random.Generator) -> int:
    return int(generator.integers(2)) if choice == "random" else COLORS[choice]


def native_seed(env: Any, seed: int | None) -> int | None:
    """A seed for the games' generators: when there is a new one, and the first time."""
    if seed is None and env._seeded:
        return None
    env._seeded = True
    return int(env.np_random.integers(1 << 63))


def refuse_ended_opening(ended: Any) -> None:
    if ended:
        raise ValueError("the opponent's first move has ended the game: max_moves leaves White none")


def rendered(game: Game, mode: str | None) -> Any:
    if mode == "ansi":
        return str(game)
    if mode == "rgb_array":
        return game.pixels(_PICTURE_WIDTH)
    return None
