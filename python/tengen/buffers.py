"""The arrays that a step fills."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["ALIGNMENT", "Buffers", "Outputs", "aligned_zeros"]

ALIGNMENT = 64
"""Where arrays begin: at multiples of so many bytes, the lines of the cache. Other libraries take such an array as it
is, JAX among them, and copy one that begins elsewhere; NumPy's own begin anywhere."""


def aligned_zeros(shape: tuple[int, ...], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Zeros in memory that begins at a multiple of `ALIGNMENT`.

    >>> aligned_zeros((3, 5), np.float32).ctypes.data % ALIGNMENT
    0
    """
    kind: np.dtype[Any] = np.dtype(dtype)
    size = math.prod(shape) * kind.itemsize
    memory = np.zeros(size + ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + size].view(kind).reshape(shape)


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where the native side writes: flat arrays, by the names that it knows them by. Truth values are bytes of 0 and 1.

    Whatever is `None` is not computed.
    """

    observation: npt.NDArray[np.uint8] | npt.NDArray[np.float32] | None
    final_observation: npt.NDArray[np.uint8] | npt.NDArray[np.float32] | None
    mask: npt.NDArray[np.uint8] | None
    packed: npt.NDArray[np.uint8] | None
    rewards: npt.NDArray[np.float32] | None
    terminated: npt.NDArray[np.uint8] | None
    to_move: npt.NDArray[np.uint8] | None
    moves: npt.NDArray[np.int32] | None
    score: npt.NDArray[np.float32] | None


class Buffers:
    """The arrays that one step fills. `VectorEnv.buffers` makes them, and `out=` takes them.

    Whatever is `None` is not computed. All of them begin at multiples of `ALIGNMENT` bytes.
    """

    __slots__ = (
        "final_observation",
        "info",
        "legal_action_mask",
        "moves",
        "observation",
        "outputs",
        "packed_mask",
        "rewards",
        "score",
        "terminated",
        "to_move",
        "truncated",
    )

    def __init__(
        self,
        num_envs: int,
        num_actions: int,
        observation_shape: tuple[int, ...] | None,
        dtype: np.dtype[Any],
        *,
        keep_final: bool,
        packed: bool,
    ) -> None:
        def array(dtype: npt.DTypeLike, *shape: int) -> npt.NDArray[Any]:
            return aligned_zeros((num_envs, *shape), dtype)

        self.observation: Any = None
        self.final_observation: Any = None
        if observation_shape is not None:
            self.observation = array(dtype, *observation_shape)
            if keep_final:
                self.final_observation = array(dtype, *observation_shape)
        self.legal_action_mask: npt.NDArray[np.bool_] = array(np.bool_, num_actions)
        self.packed_mask: npt.NDArray[np.uint8] | None = array(np.uint8, (num_actions + 7) // 8) if packed else None
        self.rewards: npt.NDArray[np.float32] = array(np.float32, 2)
        self.terminated: npt.NDArray[np.bool_] = array(np.bool_)
        self.truncated: npt.NDArray[np.bool_] = array(np.bool_)
        self.to_move: npt.NDArray[np.uint8] = array(np.uint8)
        self.moves: npt.NDArray[np.int32] = array(np.int32)
        self.score: npt.NDArray[np.float32] = array(np.float32)
        self.outputs = Outputs(
            observation=_flat(self.observation),
            final_observation=_flat(self.final_observation),
            mask=_flat(self.legal_action_mask),
            packed=_flat(self.packed_mask),
            rewards=_flat(self.rewards),
            terminated=_flat(self.terminated),
            to_move=_flat(self.to_move),
            moves=_flat(self.moves),
            score=_flat(self.score),
        )
        self.info: dict[str, Any] = {
            "legal_action_mask": self.legal_action_mask,
            "to_move": self.to_move,
            "moves": self.moves,
            "score": self.score,
        }
        if packed:
            self.info["packed_mask"] = self.packed_mask
        if self.final_observation is not None:
            self.info["final_observation"] = self.final_observation


def _flat(array: npt.NDArray[Any] | None) -> Any:
    """The same memory as the native side writes it: values in one row, truth values as bytes."""
    if array is None:
        return None
    return array.reshape(-1).view(np.uint8 if array.dtype.itemsize == 1 else array.dtype)
