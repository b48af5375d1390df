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

from typing import Any, cast

try:
    import gymnasium
    import gymnasium.vector

    # Earlier releases do not have it.
    gymnasium.vector.AutoresetMode  # noqa: B018  # pyright: ignore[reportUnusedExpression]
except (ImportError, AttributeError) as missing:
    raise ImportError("tengen.gymnasium needs Gymnasium 1.1 or later: pip install 'gymnasium>=1.1'") from missing

from tengen.gymnasium.single import GoEnv
from tengen.gymnasium.vector import Games, GoVectorEnv

__all__ = ["Games", "GoEnv", "GoVectorEnv", "register"]

_SIZES = (5, 6, 7, 9, 13, 19)


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


register()
