"""Go as Pgx's users know it: `init`, `step` and `observe` on states that never change, in NumPy.

>>> import tengen.pgx
>>> env = tengen.pgx.make("go_9x9")
>>> state = env.init(0, batch_size=16)
>>> state.observation.shape, state.legal_action_mask.shape
((16, 9, 9, 17), (16, 82))
>>> while not (state.terminated | state.truncated).all():
...     state = env.step(state, tengen.pgx.act_randomly(int(state._step_count.max()), state.legal_action_mask))
>>> state.rewards.sum(axis=1).tolist() == [0.0] * 16
True

Neither Pgx nor JAX is needed. What differs from the package is written in docs/env/pgx.md.
"""

from __future__ import annotations

from tengen.pgx.game import Go, act_randomly, auto_reset, available_envs, make, make_baseline_model
from tengen.pgx.picture import save_svg, save_svg_animation
from tengen.pgx.state import State

__all__ = [
    "Go",
    "State",
    "act_randomly",
    "auto_reset",
    "available_envs",
    "make",
    "make_baseline_model",
    "save_svg",
    "save_svg_animation",
]
