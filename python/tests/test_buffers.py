"""The arrays that steps fill: where they lie, and how long they stay as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tengen import IllegalMoveError, VectorEnv
from tengen.buffers import ALIGNMENT, Buffers, Outputs


def arrays(buffers: Buffers) -> list[Any]:
    return [getattr(buffers, name) for name in Buffers.__slots__ if name not in ("info", "outputs")]


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.float32])
@pytest.mark.parametrize("num_envs", [1, 3, 12])
def test_all_arrays_begin_at_lines_of_the_cache(num_envs: int, dtype: Any) -> None:
    # What NumPy gives out is aligned now and then, so that one environment shows nothing.
    for size in range(3, 10):
        env = VectorEnv(num_envs, size, dtype=dtype, packed=True, autoreset="same-step")
        assert ALIGNMENT == 64
        for buffers in [*env._ring, env.buffers()]:
            for array in arrays(buffers):
                assert array.ctypes.data % 64 == 0 and array.flags.c_contiguous
        for array in (env.sample(), env.observe(0), env.show()[0]):
            assert array.ctypes.data % 64 == 0


def test_drawn_actions_stay_as_they_are() -> None:
    env = VectorEnv(16, 9, seed=3)
    drawn, copies = [], []
    for _ in range(6):
        drawn.append(env.sample())
        copies.append(drawn[-1].copy())
        env.step(drawn[-1])
    for one, copy in zip(drawn, copies, strict=True):
        np.testing.assert_array_equal(one, copy)
    assert len({array.ctypes.data for array in drawn}) == 6
    mine = np.zeros(16, np.int32)
    assert env.sample(out=mine) is mine


def test_what_is_refused_or_shown_uses_up_no_array() -> None:
    env = VectorEnv(2, 5, num_buffers=2)
    first = env.step([0, 0])
    kept = [array.copy() for array in (first[0], first[4]["moves"], first[4]["legal_action_mask"])]
    second = env.step([1, 1])
    for _ in range(5):
        with pytest.raises(IllegalMoveError):
            env.step([2, 0])
        with pytest.raises(TypeError):
            env.step([0.5, 0.5])
        with pytest.raises(ValueError, match="mask"):
            env.reset(mask=[True])
        env.send([2, 0])
        with pytest.raises(IllegalMoveError):
            env.recv()
        shown, info = env.show()
        assert shown is not first[0] and shown is not second[0]
        np.testing.assert_array_equal(shown, second[0])
        np.testing.assert_array_equal(info["moves"], [2, 2])
    for array, copy in zip((first[0], first[4]["moves"], first[4]["legal_action_mask"]), kept, strict=True):
        np.testing.assert_array_equal(array, copy)
    assert env.step([2, 2])[0] is first[0]


def test_outputs_go_by_their_names() -> None:
    env = VectorEnv(2, 5)
    buffers = env.buffers()
    assert list(Outputs.__slots__) == [
        "observation",
        "final_observation",
        "mask",
        "packed",
        "rewards",
        "terminated",
        "to_move",
        "moves",
        "score",
    ]
    nothing = dict.fromkeys(Outputs.__slots__)
    env._batch.show(Outputs(**{**nothing, "moves": buffers.outputs.moves}))  # type: ignore[arg-type]
    assert buffers.moves.tolist() == [0, 0]
    with pytest.raises(AttributeError, match="no attribute 'observation'"):
        env._batch.show(object())  # type: ignore[arg-type]
