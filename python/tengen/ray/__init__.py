"""Go on many machines: self-play, reviews of game records and rollouts on Ray actors, and an environment for RLlib.

Nothing here imports Ray before it is used, and only the environment needs RLlib.

>>> from tengen.ray import RolloutPool
>>> from tengen.ray import GoMultiAgentEnv  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tengen.ray._actors import Resources, resources
from tengen.ray._review import review
from tengen.ray._replay import ShardedReplay, ShardState
from tengen.ray._reviewed import ReviewedGame
from tengen.ray._selfplay import GamePool, selfplay
from tengen.ray.pool import RolloutPool
from tengen.ray.rollout import Frame, Rollout
from tengen.ray.run_pool import SelfPlayPool

if TYPE_CHECKING:
    from tengen.ray.rllib import GoMultiAgentEnv

__all__ = [
    "Frame",
    "GamePool",
    "GoMultiAgentEnv",
    "Resources",
    "ReviewedGame",
    "Rollout",
    "RolloutPool",
    "SelfPlayPool",
    "ShardState",
    "ShardedReplay",
    "resources",
    "review",
    "selfplay",
]


def __getattr__(name: str) -> Any:
    # RLlib is large, and the class derives from one of its own: whoever asks for the class pays for it.
    if name == "GoMultiAgentEnv":
        from tengen.ray.rllib import GoMultiAgentEnv

        return GoMultiAgentEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
