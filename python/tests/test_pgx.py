"""The functional API in the manner of Pgx."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import subprocess
import sys
import threading
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen
import tengen.pgx

RECORDS = json.loads((Path(__file__).parents[2] / "testdata/env/pgx.json").read_text(encoding="utf-8"))
FIELDS = (
    "current_player",
    "observation",
    "rewards",
    "terminated",
    "truncated",
    "legal_action_mask",
    "_step_count",
    "_player_order",
)


def same(one: tengen.pgx.State, other: tengen.pgx.State) -> None:
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def random_actions(rng: np.random.Generator, state: tengen.pgx.State, pass_weight: float = 0.3) -> np.ndarray:
    noise = rng.random(state.legal_action_mask.shape) * state.legal_action_mask
    noise[..., -1] *= pass_weight
    return np.argmax(noise, axis=-1)


@pytest.mark.parametrize("record", RECORDS["games"], ids=lambda game: f"{game['size']}-{game['key']}")
def test_games_that_pgx_played(record: dict[str, Any]) -> None:
    env = tengen.pgx.Go(size=record["size"], komi=record["komi"])
    state = env.init(record["key"])
    for action, (player, reward, over, mask, checksum) in zip([None, *record["actions"]], record["steps"], strict=True):
        if action is not None:
            state = env.step(state, action)
        seen = np.stack([env.observe(state, player) for player in (0, 1)])
        assert state.current_player == player
        assert state.rewards.tolist() == [reward, -reward]
        assert state.terminated == over
        assert np.packbits(state.legal_action_mask).tobytes().hex() == mask
        assert zlib.crc32(np.packbits(seen).tobytes()) == checksum


@pytest.mark.parametrize("key", [0, np.array([0, 7], np.uint32), np.arange(8, dtype=np.uint32).reshape(4, 2)])
def test_what_every_state_promises(key: Any) -> None:
    """What pgx.api_test asks of an environment, for a single game and for a batch."""
    env = tengen.pgx.make("go_5x5")
    rng = np.random.default_rng(1)
    batch = (4,) if np.ndim(key) == 2 else ()
    state = env.init(key)
    assert env.num_players == 2 and env.num_actions == 26 and env.observation_shape == (5, 5, 17)
    assert env.id == state.env_id == "go_5x5" and env.version == "v1"
    assert not state.rewards.any() and state.legal_action_mask.all()
    while True:
        for name, dtype, shape in (
            ("current_player", np.int32, ()),
            ("observation", np.bool_, (5, 5, 17)),
            ("rewards", np.float32, (2,)),
            ("terminated", np.bool_, ()),
            ("truncated", np.bool_, ()),
            ("legal_action_mask", np.bool_, (26,)),
            ("_step_count", np.int32, ()),
            ("_player_order", np.int32, (2,)),
        ):
            array = getattr(state, name)
            assert isinstance(array, np.ndarray) and array.dtype == dtype and array.shape == batch + shape, name
        assert ((state.current_player == 0) | (state.current_player == 1)).all()
        assert not state.truncated.any()
        assert state.legal_action_mask[state.terminated].all()
        np.testing.assert_array_equal(env.observe(state), state.observation)
        np.testing.assert_array_equal(env.observe(state, state.current_player), state.observation)
        if state.terminated.all():
            break
        counts = state._step_count + ~state.terminated
        state = env.step(state, random_actions(rng, state), key=5)
        np.testing.assert_array_equal(state._step_count, counts)
    after = env.step(state, random_actions(rng, state))
    assert not after.rewards.any()
    same(after, state.replace(rewards=np.zeros_like(state.rewards)))


def test_an_illegal_action_loses() -> None:
    env = tengen.pgx.make("go_5x5")
    state = env.step(env.init(0, batch_size=3), np.array([12, 12, 12]))
    mover = state.current_player
    state = env.step(state, np.array([12, 13, 25]))
    assert state.terminated.tolist() == [True, False, False]
    assert state.rewards[0, mover[0]] == -1 and state.rewards[0, 1 - mover[0]] == 1 and not state.rewards[1:].any()
    assert state.legal_action_mask[0].all() and not state.legal_action_mask[1].all()
    assert (state.current_player == 1 - mover).all()
    state = env.step(state, np.array([3, 3, 3]))
    assert state._step_count.tolist() == [2, 3, 3] and not state.rewards.any()


def test_states_branch() -> None:
    """Any state can be stepped again, whatever was played from it before; a game from the start shows what must come
    out."""
    env = tengen.pgx.Go(size=4, komi=1)
    rng = np.random.default_rng(2)
    known = [(env.init(9, batch_size=6), ())]
    for _ in range(400):
        state, path = known[rng.integers(len(known))]
        actions = random_actions(rng, state)
        bad = rng.random(6) < 0.02
        actions = np.where(bad, rng.integers(0, 16, 6), actions)
        known.append((env.step(state, actions), (*path, actions)))
        del known[1 : len(known) - 25]
    for state, path in known:
        straight = env.init(9, batch_size=6)
        for actions in path:
            straight = env.step(straight, actions)
        same(state, straight)


def test_a_game_can_go_on_after_a_truncation() -> None:
    env = tengen.pgx.make("go_5x5")
    state = env.step(env.init(0, batch_size=2), np.array([0, 0]))
    stopped = env.step(state.replace(truncated=np.array([True, False])), np.array([1, 1]))
    stopped = env.step(stopped, np.array([2, 2]))
    assert stopped._step_count.tolist() == [1, 3]
    on = env.step(stopped.replace(truncated=np.array([False, False])), np.array([3, 3]))
    assert on._step_count.tolist() == [2, 4] and not on.terminated.any()
    assert on.observation[0, 0, 3, 1] and on.observation[0, 0, 0, 0] and not on.observation[0, 0, 1:3, :2].any()


def test_auto_reset_starts_over() -> None:
    env = tengen.pgx.Go(size=3, komi=0)
    step = tengen.pgx.auto_reset(env.step, env.init)
    rng = np.random.default_rng(3)
    state = env.init(1, batch_size=8)
    ends = 0
    kept = []
    for number in range(300):
        actions = random_actions(rng, state)
        before, state = state, step(state, actions, number)
        # Without the reset, the same step shows how the games ended.
        plain = before.replace(terminated=np.zeros(8, bool))
        same_ends = env.step(plain, actions)
        np.testing.assert_array_equal(state.terminated, same_ends.terminated)
        np.testing.assert_array_equal(state.rewards, same_ends.rewards)
        over = state.terminated
        ends += int(over.sum())
        assert state.legal_action_mask[over].all() and not state.observation[over].any()
        assert not state._step_count[over].any()
        for name in ("observation", "legal_action_mask", "current_player", "_step_count"):
            np.testing.assert_array_equal(getattr(state, name)[~over], getattr(same_ends, name)[~over])
        if number % 40 == 0:
            kept.append((before, actions, number, state))
    assert ends > 50
    for before, actions, number, after in kept:
        same(step(before, actions, number), after)
    with pytest.raises(TypeError, match="one tengen.pgx.Go"):
        tengen.pgx.auto_reset(env.step, tengen.pgx.Go(size=3).init)


def test_a_long_line_forgets_its_past() -> None:
    env = tengen.pgx.Go(size=5)
    step = tengen.pgx.auto_reset(env.step, env.init)
    rng = np.random.default_rng(4)
    state = env.init(1, batch_size=4)
    for number in range(500):
        state = step(state, random_actions(rng, state), number)
    line = state._position.line
    gc.collect()
    assert [position for position in line.positions if position is not state._position] == []
    assert int(line.env.show()[1]["moves"].max()) <= 50


def test_a_search_from_one_state_needs_no_copies() -> None:
    env = tengen.pgx.make("go_9x9")
    root = env.step(env.init(0), 40)
    line = root._position.line
    for first in range(20):
        state = env.step(env.step(root, first), 60)
        assert state._position.line is line, "nobody else holds a state of this line"
        del state
    branches = [env.step(root, first) for first in range(3)]
    assert len({id(branch._position.line) for branch in branches}) == 3


def test_states_are_pickled_and_copied() -> None:
    env = tengen.pgx.Go(size=5, komi=2)
    rng = np.random.default_rng(5)
    states = [env.init(3, batch_size=4)]
    for _ in range(20):
        states.append(env.step(states[-1], random_actions(rng, states[-1])))
    for state in (states[7], states[-1]):
        for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), state.replace()):
            same(twin, state)
            actions = random_actions(rng, state)
            same(env.step(twin, actions), env.step(state, actions))


def test_threads_share_a_state() -> None:
    env = tengen.pgx.Go(size=5)
    root = env.step(env.init(3, batch_size=4), np.array([1, 2, 3, 4]))
    wanted = [env.step(root, np.full(4, action)) for action in range(6, 20)]
    found: list[Any] = [None] * len(wanted)

    def work(index: int) -> None:
        for _ in range(50):
            found[index] = env.step(root, np.full(4, 6 + index))

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(wanted))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(found, wanted, strict=True):
        same(one, other)


def test_keys_seat_the_players() -> None:
    env = tengen.pgx.make("go_5x5")
    seats = env.init(0, batch_size=1000).current_player
    assert 400 < seats.sum() < 600
    np.testing.assert_array_equal(seats, env.init(0, batch_size=1000).current_player)
    assert (seats != env.init(1, batch_size=1000).current_player).any()
    for wrong in (1.5, "key", np.zeros(3, np.uint32), np.zeros((2, 2), np.int64)):
        with pytest.raises(ValueError, match="a key is"):
            env.init(wrong)
    with pytest.raises(ValueError, match="one key"):
        env.init(np.zeros((3, 2), np.uint32), batch_size=3)


def test_bad_arguments_are_refused() -> None:
    env = tengen.pgx.make("go_5x5")
    state = env.init(0, batch_size=2)
    for actions, error, message in (
        ([0, 26], ValueError, "game 1: there is no action 26"),
        ([-1, 0], ValueError, "game 0"),
        ([0], ValueError, "shape"),
        ([0.0, 1.0], TypeError, "integers"),
    ):
        with pytest.raises(error, match=message):
            env.step(state, actions)
    with pytest.raises(ValueError, match="go_9x9"):
        tengen.pgx.make("chess")
    with pytest.raises(ValueError, match="history_length"):
        tengen.pgx.Go(size=5, history_length=9)
    with pytest.raises(ValueError, match="columns"):
        tengen.pgx.make("go_99x99")


def test_options() -> None:
    env = tengen.pgx.make("go_7x5", history_length=2, max_terminal_steps=3, komi=-0.5)
    state = env.init(0)
    assert state.env_id == env.id == "go_7x5" and state.observation.shape == env.observation_shape == (5, 7, 5)
    for action in (3, 4, 5):
        assert not state.terminated
        state = env.step(state, action)
    assert state.terminated and state.rewards[state._player_order].tolist() == [1, -1]
    assert state.observation[0, 5, 1] and state.observation[0, 4, 2] and not state.observation[0, 5, 3]


def test_pictures(tmp_path: Path) -> None:
    env = tengen.pgx.make("go_5x5")
    states = [env.init(0, batch_size=3)]
    for action in range(4):
        states.append(env.step(states[-1], np.full(3, action)))
    for theme in ("light", "dark", "wood", None):
        root = ElementTree.fromstring(states[-1].to_svg(color_theme=theme, scale=0.5))
        assert len(root) == 3, "a picture of each board"
        assert root.attrib["width"] != root.attrib["viewBox"].split()[2]
    states[-1].save_svg(tmp_path / "batch.svg")
    tengen.pgx.save_svg(env.init(0), tmp_path / "one.svg")
    tengen.pgx.save_svg_animation(states, tmp_path / "all.svg", frame_duration_seconds=0.5)
    root = ElementTree.parse(tmp_path / "all.svg").getroot()
    assert len([child for child in root if child.get("class") == "f"]) == 5
    with pytest.raises(ValueError, match=r"\.svg"):
        states[0].save_svg(tmp_path / "board.png")
    with pytest.raises(ValueError, match="at least one"):
        tengen.pgx.save_svg_animation([], tmp_path / "none.svg")


def test_neither_pgx_nor_jax_is_imported() -> None:
    program = (
        "import sys, tengen.pgx\n"
        "env = tengen.pgx.make('go_9x9')\n"
        "env.step(env.init(0), 3)\n"
        "assert not {'jax', 'pgx'} & set(sys.modules), 'imported'"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
