"""A network that knows nothing and has an opinion about everything: sines of the stones, the same on every machine."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def judge(planes: npt.NDArray[Any], actions: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Logits and values of positions whose first two planes are the stones of the player and the opponent."""
    stones = planes[..., 0].astype(np.float64) - planes[..., 1].astype(np.float64)
    stones = stones.reshape(len(planes), -1)
    weights = np.arange(1, stones.shape[1] + 1)
    kinds = np.arange(actions)
    waves = (stones * weights).sum(1)[:, None] * 0.37 * (kinds % 5 + 1) + 1.7 * kinds
    values = np.sin((stones * np.sqrt(weights)).sum(1) * 0.91 + 0.3)
    return (2 * np.sin(waves)).astype(np.float32), (0.9 * values).astype(np.float32)


def evaluate(leaves: Any) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The same about leaves of a search."""
    return judge(leaves.planes, leaves.mask.shape[1])
