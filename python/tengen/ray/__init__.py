"""Go on many machines: an environment for RLlib, and a pool of Ray actors that play games.

Nothing here imports Ray before it is used, and the pool needs no RLlib.

>>> from tengen.ray import RolloutPool
>>> from tengen.ray import GoMultiAgentEnv  # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tengen.ray.pool import RolloutPool
from tengen.ray.rollout import Frame, Rollout

if TYPE_CHECKING:
    from tengen.ray.rllib import GoMultiAgentEnv

__all__ = ["Frame", "GoMultiAgentEnv", "Rollout", "RolloutPool"]


def __getattr__(name: str) -> Any:
    # RLlib is large, and the class derives from one of its own: whoever asks for the class pays for it.
    if name == "GoMultiAgentEnv":
        from tengen.ray.rllib import GoMultiAgentEnv

        return GoMultiAgentEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
