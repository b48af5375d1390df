"""Games in parts."""

from __future__ import annotations

import numpy as np
import pytest

import tengen


def test_parts_play_as_the_whole_does() -> None:
    whole = tengen.VectorEnv(12, 5, seed=3, num_threads=1, num_buffers=0)
    with tengen.AsyncEnv(whole, batch_size=4) as env:
        assert len(env) == 12
        env.async_reset()
        seen: dict[int, list[object]] = {0: [], 4: [], 8: []}
        for _ in range(3 * 60):
            observation, rewards, terminated, truncated, info = env.recv()
            ids = info["env_id"]
            assert ids.tolist() == list(range(ids[0], ids[0] + 4))
            assert not truncated.any()
            seen[int(ids[0])].append((observation, rewards, terminated, info["legal_action_mask"]))
            turn = len(seen[int(ids[0])])
            env.send(info["legal_action_mask"].argmax(1) if turn % 7 else np.full(4, 25), ids)
        _, info = whole.reset()
        observation, rewards, terminated = whole.show()[0], np.zeros((12, 2), np.float32), np.zeros(12, np.bool_)
        for turn in range(min(map(len, seen.values()))):
            for first, part in seen.items():
                rows = slice(first, first + 4)
                for mine, theirs in zip(
                    part[turn],  # type: ignore[call-overload]
                    (observation, rewards, terminated, info["legal_action_mask"]),
                    strict=True,
                ):
                    np.testing.assert_array_equal(mine, theirs[rows])
            actions = info["legal_action_mask"].argmax(1) if (turn + 1) % 7 else np.full(12, 25)
            observation, rewards, terminated, _, info = whole.step(actions)


def test_what_cannot_be_sent_or_received_is_refused() -> None:
    with pytest.raises(ValueError, match="batch_size divides the number of games, 6, and 4 does not"):
        tengen.AsyncEnv(tengen.VectorEnv(6, 3), 4)
    with tengen.AsyncEnv(tengen.VectorEnv(6, 3, num_threads=1, num_buffers=0), 3) as env:
        assert repr(env) == "<AsyncEnv: 2 parts of 3 games>"
        with pytest.raises(RuntimeError, match="nothing is under way"):
            env.recv()
        env.async_reset()
        with pytest.raises(RuntimeError, match="parts are under way"):
            env.async_reset()
        first, second = (env.recv()[4]["env_id"] for _ in range(2))
        for wrong in ([0, 1], [1, 2, 3], [2, 1, 0], 0, [], [6, 7, 8], [0.0, 1.0, 2.0]):
            with pytest.raises(ValueError, match="whole and in its order"):
                env.send([0, 0, 0], wrong)
        env.send([0, 0, 0], [3, 4, 5])
        with pytest.raises(RuntimeError, match="games 3 to 5 are under way"):
            env.send([0, 0, 0], [3, 4, 5])
        env.recv()
        env.send([1, 0, 1], [3, 4, 5])
        with pytest.raises(tengen.IllegalMoveError, match="game 4: action 0 is illegal: occupied") as refused:
            env.recv()
        assert refused.value.game == 4
        env.send([1, 1, 1], [3, 4, 5])
        assert env.recv()[4]["moves"].tolist() == [2, 2, 2]
        assert sorted([*first, *second]) == list(range(6))
