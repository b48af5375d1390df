"""Mistakes of callers are refused by the name, the index and the value that they wrote."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tengen import IllegalMoveError, VectorEnv


def state(env: VectorEnv) -> bytes:
    return env.snapshot()


@pytest.mark.parametrize(
    ("actions", "kind", "message"),
    [
        ([0, 13.99], TypeError, r"actions\[1\] is 13\.99"),
        ([0.2, 0.9], TypeError, r"actions\[0\] is 0\.2"),
        (np.zeros(2), TypeError, r"actions are integers, and actions\[0\]"),
        ([True, False], TypeError, r"actions\[0\] is .*True"),
        (["3", "4"], TypeError, r"actions\[0\] is .*3"),
        ([3, None], TypeError, r"actions\[1\] is None"),
        ([3, 2.5j], TypeError, r"actions\[1\] is 2\.5j"),
        ([3], ValueError, "`actions` has 1 values instead of 2"),
        ([[3, 4]], ValueError, r"shape \(1, 2\) instead of \(2,\)"),
        (3, ValueError, r"shape \(\) instead of \(2,\)"),
    ],
)
def test_actions_that_are_no_integers_are_refused(actions: Any, kind: type[Exception], message: str) -> None:
    env = VectorEnv(2, 9)
    before = state(env)
    for take in (env.step, env.send):
        with pytest.raises(kind, match=message):
            take(actions)
    assert state(env) == before


@pytest.mark.parametrize("action", [4294967308, -4294967284, 2**31, 2**63, 2**64 + 12, 10**30, 82, -1])
def test_actions_that_are_out_of_range_are_named_as_they_were_written(action: int) -> None:
    env = VectorEnv(3, 9)
    before = state(env)
    with pytest.raises(IllegalMoveError, match=f"game 1: action {action} is not on its board") as refused:
        env.step([12, action, 12])
    assert (refused.value.game, refused.value.move, refused.value.reason) == (1, action, "off board")
    env.send([12, action, 12])
    with pytest.raises(IllegalMoveError, match=f"action {action} "):
        env.recv()
    assert state(env) == before
    # A game that waits ignores its action, and one in which illegal actions lose does not.
    env.step([12, action, 12], mask=[True, False, True])
    assert [len(env.game(index).moves) for index in range(3)] == [1, 0, 1]
    losing = VectorEnv(3, 9, illegal="loses")
    assert losing.step([12, action, 12])[2].tolist() == [False, True, False]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint16, np.int64, np.uint32, np.uint64])
def test_integers_of_every_type_are_actions(kind: Any) -> None:
    env = VectorEnv(2, 9)
    env.step(np.array([40, 81], kind))
    assert [env.game(index).moves for index in range(2)] == [["E5"], ["pass"]]


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"seed": None}, TypeError, "seed is a whole number.*not None"),
        ({"seed": -1}, ValueError, "seed is .*not -1"),
        ({"seed": 2**64}, ValueError, f"seed is .*not {2**64}"),
        ({"seed": 1.5}, TypeError, "seed is .*not 1.5"),
        ({"seed": True}, TypeError, "seed is .*not True"),
        ({"autoreset": True}, TypeError, "autoreset is 'next-step', 'same-step' or 'disabled', not True"),
        ({"illegal": None}, TypeError, "illegal is 'error' or 'loses', not None"),
        ({"layout": 1}, TypeError, "layout is .*not 1"),
        ({"observation": 17}, TypeError, "observation is 'agz', 'tactical' or None, not 17"),
        ({"num_envs": 1.5}, TypeError, "num_envs is a whole number, 1 or more, not 1.5"),
        ({"num_envs": "4"}, TypeError, "num_envs is .*'4'"),
        ({"num_buffers": -1}, ValueError, "num_buffers is .*-1"),
        ({"num_threads": 0.5}, TypeError, "num_threads is .*0.5"),
        ({"size": 9.0}, TypeError, "size .*9.0"),
        ({"size": True}, TypeError, "size .*True"),
        ({"size": None}, TypeError, "size .*None"),
        ({"size": [9, "a board"]}, ValueError, "a board|size"),
    ],
)
def test_options_are_refused_by_name(arguments: dict[str, Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        VectorEnv(**{"num_envs": 2, **arguments})


@pytest.mark.parametrize("size", [np.int64(5), np.uint8(5), "5", (np.int32(5), 5), [np.int64(5), 5], np.array([5, 5])])
def test_sizes_are_numbers_of_every_kind(size: Any) -> None:
    env = VectorEnv(np.int64(2), size, seed=np.uint64(2**64 - 1))
    assert (env.size, env.num_envs) == ((5, 5), 2)


@pytest.mark.parametrize(
    ("mask", "kind", "message"),
    [
        ([True], ValueError, r"mask has the shape \(1,\) instead of \(3,\)"),
        ([0, 2, 1], ValueError, r"mask\[1\] is 2"),
        ([0.5, 0, 1], TypeError, r"mask has truth values, and mask\[0\]"),
        (True, ValueError, r"mask has the shape \(\)"),
        (["a", "b", "c"], TypeError, "mask"),
    ],
)
def test_bad_masks_are_named(mask: Any, kind: type[Exception], message: str) -> None:
    env = VectorEnv(3, 5)
    before = state(env)
    with pytest.raises(kind, match=message):
        env.step([0, 0, 0], mask=mask)
    with pytest.raises(kind, match=message):
        env.reset(mask=mask, seed=5)
    assert state(env) == before
    env.step([0, 0, 0], mask=[1, 0, 1])
    assert [len(env.game(index).moves) for index in range(3)] == [1, 0, 1]


def test_players_games_and_moves_are_checked() -> None:
    env = VectorEnv(3, 5)
    with pytest.raises(ValueError, match="players are 0 for Black and 1 for White, not 2 in game 0"):
        env.observe(2)
    with pytest.raises(ValueError, match="not -1 in game 2"):
        env.observe([0, 1, -1])
    with pytest.raises(TypeError, match="players are whole numbers, not .*0.5"):
        env.observe(0.5)
    with pytest.raises(ValueError, match=r"players have the shape \(2,\)"):
        env.observe([0, 1])
    for index in (-1, 3, 2**70):
        with pytest.raises(IndexError, match=f"there is no game {index}: games are 0 to 2"):
            env.game(index)
    with pytest.raises(TypeError, match="not 1.0"):
        env.game(1.0)  # type: ignore[arg-type]
    assert env.game(np.int64(1)).moves == []
    with pytest.raises(ValueError, match="moves are 0 or more, not -1 in game 0"):
        env.rewind(-1)
    with pytest.raises(TypeError, match="moves are whole numbers"):
        env.rewind(1.5)
    with pytest.raises(TypeError, match="seed"):
        env.reset(seed=0.5)  # type: ignore[arg-type]


def test_arrays_to_fill_are_checked() -> None:
    env = VectorEnv(3, 5)
    for out, kind, message in [
        (np.zeros(3, np.int64), TypeError, "out is an array of int32.*int64"),
        (np.zeros(6, np.int32)[::2], TypeError, "several pieces"),
        (np.zeros(4, np.int32), ValueError, r"out has the shape \(4,\) instead of \(3,\)"),
        ([0, 0, 0], TypeError, "out is an array of int32"),
    ]:
        with pytest.raises(kind, match=message):  # type: ignore[call-overload]
            env.sample(out=out)  # type: ignore[arg-type]
    for call in (env.reset, env.show, lambda out: env.step([0, 0, 0], out=out)):
        with pytest.raises(TypeError, match=r"out is what env.buffers\(\) returns"):
            call(out=np.zeros(3))  # type: ignore[operator]


def test_nothing_touches_the_games_while_a_step_is_under_way() -> None:
    env = VectorEnv(2, 5)
    env.send([0, 0])
    assert "2 games" in repr(env)
    calls: list[Any] = [
        lambda: env.step([0, 0]),
        lambda: env.send([0, 0]),
        env.reset,
        env.show,
        env.sample,
        env.snapshot,
        env.copy,
        lambda: env.rewind(0),
        lambda: env.game(0),
        lambda: env.observe(0),
        lambda: env.restore(b""),
        env.__getstate__,
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match=r"call recv\(\) first"):
            call()
    env.recv()
    assert env.game(0).moves == ["A5"]
