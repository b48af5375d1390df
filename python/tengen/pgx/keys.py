"""Keys of JAX's default generator, threefry 2x32, so that one key means the same seats here and in Pgx."""

from __future__ import annotations

import operator
from typing import Any, cast

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def key_data(key: Any) -> Array:
    """The two numbers of a key, or of each key."""
    if isinstance(key, int | np.integer) and not isinstance(key, bool):
        number = operator.index(cast("int", key))
        high = number >> 32 if number >= 1 << 32 else 0
        return np.array([high & 0xFFFFFFFF, number & 0xFFFFFFFF], np.uint32)
    if str(getattr(key, "dtype", "")).startswith("key<"):
        # Such an array exists only where JAX is.
        import jax

        key = jax.random.key_data(key)
    keys = np.asarray(key)
    if keys.ndim == 0 and np.issubdtype(keys.dtype, np.integer):
        return key_data(int(keys))
    if keys.dtype != np.uint32 or keys.shape[-1:] != (2,):
        raise ValueError("a key is an integer, a key of JAX, or an array of type uint32 whose last dimension is 2")
    return keys


def seats_of(keys: Array) -> Array:
    """The players that have Black and White."""
    high, low = _threefry(keys, np.zeros(len(keys), np.uint32))
    black = ((high ^ low) >> 31) == 0
    return np.stack([black, ~black], axis=1).astype(np.int32)


def split(key: Array, numbers: Array) -> Array:
    """Of the keys that one is split into, those with these numbers."""
    keys = np.broadcast_to(key, (len(numbers), 2))
    return np.stack(_threefry(keys, numbers.astype(np.uint32)), axis=1)


def second_of_two(keys: Array) -> Array:
    """The second of the two keys that each of these is split into."""
    return np.stack(_threefry(keys, np.ones(len(keys), np.uint32)), axis=1)


def _threefry(keys: Array, counts: Array) -> tuple[Array, Array]:
    first, second = keys[:, 0], keys[:, 1]
    schedule = (first, second, first ^ second ^ np.uint32(0x1BD11BDA))
    x, y = first.copy(), second + counts
    for round_ in range(5):
        for turn in ((13, 15, 26, 6), (17, 29, 16, 24))[round_ % 2]:
            x = x + y
            y = ((y << np.uint32(turn)) | (y >> np.uint32(32 - turn))) ^ x
        x = x + schedule[(round_ + 1) % 3]
        y = y + schedule[(round_ + 2) % 3] + np.uint32(round_ + 1)
    return x, y
