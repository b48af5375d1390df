"""Many games in lockstep."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
from corpus import rule_cases
from test_corpus import KO, SUICIDE, diagram, expected

import tengen
from tengen import Game, IllegalMoveError, Rules, VectorEnv


def play(env: VectorEnv, steps: int) -> list[Any]:
    """Plays random moves and returns copies of everything that was seen."""
    seen = []
    for _ in range(steps):
        actions = env.sample().copy()
        observation, rewards, terminated, truncated, info = env.step(actions)
        arrays = [observation, rewards, terminated, truncated, *info.values()]
        seen.append([actions, *(None if array is None else array.copy() for array in arrays)])
    return seen


def assert_same(one: list[Any], other: list[Any]) -> None:
    for left, right in zip(one, other, strict=True):
        for a, b in zip(left, right, strict=True):
            np.testing.assert_array_equal(a, b)


def test_shapes_and_types() -> None:
    env = VectorEnv(num_envs=8, size=9, komi=7.5, rules="tromp-taylor", seed=1, packed=True)
    observation, info = env.reset()
    assert (observation.shape, observation.dtype) == ((8, 9, 9, 17), np.bool_)
    assert (info["legal_action_mask"].shape, info["legal_action_mask"].dtype) == ((8, 82), np.bool_)
    assert (info["packed_mask"].shape, info["packed_mask"].dtype) == ((8, 11), np.uint8)
    assert (env.num_envs, env.num_actions, env.size, env.observation_shape) == (8, 82, (9, 9), (9, 9, 17))
    observation, rewards, terminated, truncated, info = env.step(env.sample())
    assert (rewards.shape, rewards.dtype) == ((8, 2), np.float32)
    assert (terminated.shape, terminated.dtype) == ((8,), np.bool_)
    assert (truncated.shape, truncated.dtype) == ((8,), np.bool_)
    assert info["to_move"].tolist() == [1] * 8
    assert info["moves"].tolist() == [1] * 8
    assert np.isnan(info["score"]).all()
    unpacked = np.unpackbits(info["packed_mask"], axis=1, count=82, bitorder="little")
    np.testing.assert_array_equal(unpacked.astype(bool), info["legal_action_mask"])


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.float32])
@pytest.mark.parametrize("layout", ["channels-last", "channels-first"])
@pytest.mark.parametrize("observation", ["agz", "tactical"])
def test_every_layout_and_type_holds_the_same(observation: Any, layout: Any, dtype: Any) -> None:
    plain = VectorEnv(4, (5, 7), seed=3, observation=observation)
    other = VectorEnv(4, (5, 7), seed=3, observation=observation, layout=layout, dtype=dtype)
    assert len(other.plane_names) == plain.observation_shape[-1]
    for _ in range(60):
        actions = plain.sample()
        expected = plain.step(actions)[0]
        planes = other.step(actions)[0]
        assert planes.dtype == dtype
        if layout == "channels-first":
            planes = np.moveaxis(planes, 1, -1)
        np.testing.assert_array_equal(planes.astype(bool), expected)


def test_each_game_is_a_game() -> None:
    env = VectorEnv(16, 5, rules="chinese", seed=5, autoreset="disabled")
    _, info = env.reset()
    games = [Game(5, rules=Rules("chinese", max_moves="2x")) for _ in range(16)]
    for _ in range(60):
        actions = env.sample().copy()
        for game, action in zip(games, actions, strict=True):
            if not game.is_over:
                game.play(int(action))
        _, rewards, terminated, _, info = env.step(actions)
        for index, game in enumerate(games):
            assert env.game(index) == game
            assert terminated[index] == game.is_over
            if not game.is_over:
                np.testing.assert_array_equal(info["legal_action_mask"][index], game.legal_mask())
    assert terminated.all()
    assert [env.game(index).result for index in range(16)] == [game.result for game in games]


def test_a_bad_action_names_its_game_and_changes_nothing() -> None:
    env = VectorEnv(4, 9)
    env.step([40, 40, 40, 40])
    before = env.snapshot()
    with pytest.raises(IllegalMoveError, match="game 2: action 40 is illegal: occupied") as caught:
        env.step([0, 1, 40, 40])
    assert (caught.value.game, caught.value.move, caught.value.reason) == (2, 40, "occupied")
    with pytest.raises(IllegalMoveError, match="game 3: action 82 is not on its board"):
        env.step([0, 1, 2, 82])
    with pytest.raises(ValueError, match="`actions` has 3 values instead of 4"):
        env.step([0, 1, 2])
    assert env.snapshot() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 2, "size": [9, 9, 9]}, "size has 3 values for 2 games"),
        ({"size": 26}, "26|25"),
        ({"komi": 7.3}, "half"),
        ({"rules": "checkers"}, "checkers"),
        ({"observation": "everything"}, "everything"),
        ({"layout": "sideways"}, "sideways"),
        ({"dtype": np.int64}, "int64"),
        ({"autoreset": "sometimes"}, "sometimes"),
        ({"illegal": "shrug"}, "shrug"),
        ({"num_threads": 0}, "num_threads"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        VectorEnv(**arguments)


def test_games_of_several_sizes_share_a_frame() -> None:
    env = VectorEnv(3, [5, 9, (7, 3)], komi=[0.5, 7.5, 3], rules="chinese", seed=2)
    assert env.size == (9, 9)
    _, info = env.reset()
    mask = info["legal_action_mask"][:, :-1].reshape(3, 9, 9)
    assert mask.sum((1, 2)).tolist() == [25, 81, 21]
    assert mask[0, :5, :5].all() and mask[2, :3, :7].all()
    assert [env.game(index).komi for index in range(3)] == [0.5, 7.5, 3.0]
    for _ in range(300):
        observation, _, _, _, info = env.step(env.sample())
    assert not observation[0, 5:].any() or not observation[0, 5:, :, :16].any()


def test_buffers_are_filled_in_turn() -> None:
    env = VectorEnv(2, 5, num_buffers=3)
    first = env.step([0, 0])[0]
    shown = first.copy()
    env.step([1, 1])
    env.step([2, 2])
    np.testing.assert_array_equal(first, shown)
    assert env.step([3, 3])[0] is first
    fresh = VectorEnv(2, 5, num_buffers=0)
    assert fresh.step([0, 0])[0] is not fresh.step([1, 1])[0]


def test_out_takes_arrays_of_the_caller() -> None:
    env = VectorEnv(2, 5, seed=1)
    mine = env.buffers()
    actions = np.zeros(2, np.int32)
    assert env.sample(out=actions) is actions
    observation, rewards, terminated, truncated, info = env.step(actions, out=mine)
    assert observation is mine.observation and rewards is mine.rewards
    assert terminated is mine.terminated and truncated is mine.truncated
    assert info["legal_action_mask"] is mine.legal_action_mask
    other = VectorEnv(3, 5)
    with pytest.raises(ValueError, match="instead of"):
        other.step([0, 0, 0], out=mine)


def test_arrays_go_through_dlpack() -> None:
    env = VectorEnv(2, 5, dtype=np.uint8)
    observation, info = env.reset()
    taken = np.from_dlpack(observation)
    assert np.shares_memory(taken, observation)
    env.step([12, 12], out=env._ring[env._turn])
    np.testing.assert_array_equal(taken, observation)


def test_send_and_receive_are_the_halves_of_a_step() -> None:
    env, plain = (VectorEnv(4, 9, seed=7) for _ in range(2))
    for _ in range(50):
        actions = env.sample().copy()
        env.send(actions)
        with pytest.raises(RuntimeError, match="recv"):
            env.sample()
        received = env.recv()
        stepped = plain.step(actions)
        for left, right in zip(received[:4], stepped[:4], strict=True):
            np.testing.assert_array_equal(left, right)
    with pytest.raises(RuntimeError, match="send"):
        env.recv()
    env.send([81, 81, 81, 99])
    with pytest.raises(IllegalMoveError):
        env.recv()
    env.step([81] * 4)
    env.close()


def test_seeds_make_games_the_same_on_any_number_of_threads() -> None:
    one = play(VectorEnv(200, 5, seed=11, num_threads=1), 80)
    assert_same(one, play(VectorEnv(200, 5, seed=11, num_threads=3), 80))
    env = VectorEnv(200, 5, seed=12)
    env.reset(seed=11)
    assert_same(one, play(env, 80))
    other = play(VectorEnv(200, 5, seed=12), 1)
    assert (other[0][0] != one[0][0]).any()


@pytest.mark.parametrize("autoreset", ["next-step", "same-step", "disabled"])
def test_games_that_end(autoreset: Any) -> None:
    env = VectorEnv(1, 3, rules="chinese", komi=0, autoreset=autoreset)
    env.step([4])
    env.step([9])
    observation, rewards, terminated, _, info = env.step([9])
    assert terminated.tolist() == [True]
    assert rewards.tolist() == [[1.0, -1.0]]
    assert info["score"].tolist() == [9.0]
    same = autoreset == "same-step"
    # White is to move on the last board; a new board has no stone.
    assert observation[0, 1, 1, 1] == (not same)
    if same:
        assert info["final_observation"][0, 1, 1, 1]
    _, rewards, terminated, _, info = env.step([0])
    assert rewards.tolist() == [[0.0, 0.0]]
    assert terminated.tolist() == [autoreset == "disabled"]
    assert info["moves"].tolist() == [{"next-step": 0, "same-step": 1, "disabled": 3}[autoreset]]
    _, info = env.reset(mask=[True])
    assert info["moves"].tolist() == [0]


def test_presets_bring_their_lengths() -> None:
    def limit(**arguments: Any) -> Any:
        return VectorEnv(1, 9, **arguments).game(0).rules.max_moves

    assert limit() == "2x"
    assert limit(rules="pgx") == "2x"
    assert limit(rules="petting-zoo") is None
    assert limit(max_moves=10) == 10
    assert limit(max_moves=None) is None


CASES = rule_cases("case")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_masks_are_exact_on_the_corpus(case: Any) -> None:
    checked = 0
    for ko in KO:
        for suicide in case.get("suicide", SUICIDE):
            word = expected(case["verdict"], ko, suicide)
            if word is None:
                continue
            game = Game(setup=diagram(case), rules=Rules(ko=ko, suicide=suicide))
            env = VectorEnv.from_games([game, game])
            for move in case["moves"].split():
                env.step([game.to_action(move)] * 2)
            action = game.to_action(case["next"])
            _, info = env.show()
            assert (info["legal_action_mask"][:, action] == (word == "legal")).all(), (ko, suicide)
            if word == "legal":
                env.step([action] * 2)
            else:
                with pytest.raises(IllegalMoveError) as refused:
                    env.step([action] * 2)
                assert refused.value.reason == word
            checked += 1
    assert checked


def test_repetitions_are_masked_wherever_they_come_up() -> None:
    """Random games on tiny boards repeat all the time: no mask may allow one."""
    env = VectorEnv(64, [(2, 2), (3, 2), (1, 5), (3, 3)] * 16, seed=9, max_moves=60)
    _, info = env.reset()
    banned = 0
    for _ in range(200):
        mask = info["legal_action_mask"].copy()
        for index in range(0, 64, 7):
            game = env.game(index)
            if not game.is_over:
                reasons = game.illegal_moves()
                banned += sum(reason == "superko" for reason in reasons.values())
                assert mask[index].sum() == game.legal_mask().sum()
        _, _, _, _, info = env.step(env.sample())
    assert banned > 100


def test_a_pickle_goes_on_in_another_process() -> None:
    env = VectorEnv(16, 9, seed=4, komi=6.5, rules="aga", packed=True, layout="channels-first")
    play(env, 37)
    saved = pickle.dumps(env)
    script = (
        "import pickle, sys, hashlib\n"
        "env = pickle.load(sys.stdin.buffer)\n"
        "seen = hashlib.sha256()\n"
        "for _ in range(200):\n"
        "    observation, rewards, terminated, truncated, info = env.step(env.sample())\n"
        "    for array in (observation, rewards, terminated, *info.values()):\n"
        "        seen.update(array.tobytes())\n"
        "print(seen.hexdigest())\n"
    )
    elsewhere = subprocess.run([sys.executable, "-c", script], input=saved, capture_output=True, check=True)
    import hashlib

    seen = hashlib.sha256()
    for _ in range(200):
        observation, rewards, terminated, _, info = env.step(env.sample())
        for array in (observation, rewards, terminated, *info.values()):
            seen.update(array.tobytes())
    assert elsewhere.stdout.decode().strip() == seen.hexdigest()


def test_a_copy_goes_its_own_way() -> None:
    env = VectorEnv(4, 5, seed=2)
    play(env, 10)
    copy, snapshot = env.copy(), env.snapshot()
    seen = play(env, 40)
    assert_same(play(copy, 40), seen)
    env.restore(snapshot)
    assert_same(play(env, 40), seen)
    with pytest.raises(ValueError, match="snapshot"):
        env.restore(b"nonsense")
    with pytest.raises(ValueError, match="other boards"):
        env.restore(VectorEnv(4, 9).snapshot())


def test_rewinding() -> None:
    env = VectorEnv(2, 5, seed=2)
    seen = play(env, 20)
    env.rewind([5, 6])
    observation, info = env.show()
    assert info["moves"].tolist() == [5, 6]
    np.testing.assert_array_equal(observation[0], seen[4][1][0])
    np.testing.assert_array_equal(observation[1], seen[5][1][1])


def test_each_player_sees_the_board_from_their_side() -> None:
    env = VectorEnv(2, 5, seed=2)
    play(env, 9)
    black, white = env.observe([0, 0]), env.observe([1, 1])
    np.testing.assert_array_equal(black[..., 0:16:2], white[..., 1:16:2])
    assert black[..., 16].all() and not white[..., 16].any()


@pytest.mark.parametrize("symmetry", range(8))
def test_turned_boards_play_alike(symmetry: int) -> None:
    size = (5, 5) if symmetry & 4 else (4, 6)
    env, turned = VectorEnv(2, size, seed=6), VectorEnv(2, size, seed=6)
    where = tengen.turn_policy(np.arange(env.num_actions), symmetry, size)
    goes_to = np.argsort(where)
    for _ in range(40):
        actions = env.sample()
        observation, _, _, _, info = env.step(actions)
        mirrored, _, _, _, other = turned.step(goes_to[actions])
        np.testing.assert_array_equal(tengen.turn_observation(observation, symmetry), mirrored)
        policy = tengen.turn_policy(info["legal_action_mask"], symmetry, size)
        np.testing.assert_array_equal(policy, other["legal_action_mask"])


def test_what_cannot_be_turned_is_refused() -> None:
    with pytest.raises(ValueError, match=r"three dimensions or more, not the shape \(3, 3\)"):
        tengen.turn_observation(np.zeros((3, 3)), 1)
    with pytest.raises(ValueError, match=r"10 actions here, not \(2, 5\)"):
        tengen.turn_policy(np.zeros((2, 5)), 1, (3, 3))


def test_threads_can_share_an_environment() -> None:
    env = VectorEnv(64, 5, seed=1, num_threads=2)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(200):
                env.step(np.full(64, 25))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not failures and not any(thread.is_alive() for thread in threads)


def _play_in_child(env: VectorEnv, results: Any) -> None:
    results.put(play(env, 20)[-1][0].tolist())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_goes_on_where_its_parent_was() -> None:
    env = VectorEnv(512, 5, seed=1, num_threads=2)
    play(env, 5)
    env.send(env.sample())
    env.recv()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=_play_in_child, args=(env, results))
    child.start()
    there = results.get(timeout=60)
    child.join(timeout=60)
    assert child.exitcode == 0
    assert there == play(env, 20)[-1][0].tolist()


def test_an_interrupt_ends_a_long_loop() -> None:
    script = (
        "import tengen\n"
        "env = tengen.VectorEnv(4096, 9, seed=1)\n"
        "ready = False\n"
        "try:\n"
        "    while True:\n"
        "        env.send(env.sample())\n"
        "        env.recv()\n"
        "        env.step(env.sample())\n"
        "        if not ready:\n"
        "            ready = True\n"
        "            print('ready', flush=True)\n"
        "except KeyboardInterrupt:\n"
        "    if env._pending is not None:\n"
        "        env.recv()\n"
        "    env.step(env.sample())\n"
        "    print('interrupted', flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0] == "interrupted\n"
    assert child.returncode == 0


def test_memory_stays_flat() -> None:
    env = VectorEnv(1024, 5, seed=1)
    play_on = [env.sample() for _ in range(2)]

    def run(steps: int) -> None:
        for _ in range(steps):
            env.step(env.sample(out=play_on[0]))

    run(200)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run(1000)
    for _ in range(20):
        pickle.loads(pickle.dumps(env)).close()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # In kilobytes; a batch has about ten thousand of them.
    assert after - before < 60_000


def test_games_that_are_not_marked_wait() -> None:
    env = VectorEnv(3, 5)
    _, _, _, _, info = env.step([12, -1, 12], mask=[True, False, True])
    assert info["moves"].tolist() == [1, 0, 1]
    assert info["to_move"].tolist() == [1, 0, 1]


def test_games_are_gathered_and_put_back() -> None:
    env = tengen.VectorEnv(6, 5, seed=3, autoreset="disabled", observation="agz")
    env.reset()
    for _ in range(9):
        env.step(env.sample())
    shown, info = env.show()
    chosen = env[[4, 1, 4]]
    seen, told = chosen.show()
    np.testing.assert_array_equal(seen, shown[[4, 1, 4]])
    np.testing.assert_array_equal(told["legal_action_mask"], info["legal_action_mask"][[4, 1, 4]])
    # The generators come along, and what one environment does is nothing to the other.
    np.testing.assert_array_equal(chosen.sample(), env.copy().sample()[[4, 1, 4]])
    chosen.step(chosen.sample())
    np.testing.assert_array_equal(env.show()[0], shown)
    # A branch is taken back.
    before = [env.game(index) for index in range(6)]
    env[[0, 5, 2]] = chosen
    assert [env.game(index) == chosen.game(place) for place, index in enumerate((0, 5, 2))] == [True] * 3
    assert env.game(1) == before[1]
    assert len(env[1:4]) == 3
    assert len(env[[True, False, False, False, False, True]]) == 2
    assert env[-1].game(0) == env.game(5)
    env[:3] = env[3:]
    assert env.game(0) == env.game(3)


def test_games_that_are_not_there_are_named() -> None:
    env = tengen.VectorEnv(3, 5)
    with pytest.raises(IndexError, match="there are 3 games, so no game 3"):
        env[[0, 3]]
    with pytest.raises(ValueError, match="a batch has at least one game"):
        env[[]]
    with pytest.raises(TypeError, match="games are named by a slice, by whole numbers or by truth values"):
        env["first"]
    with pytest.raises(ValueError, match="`indices` has 1 values instead of 2"):
        env[[0]] = env[:2]
    with pytest.raises(ValueError, match="the same frame and planes"):
        env[[0]] = tengen.VectorEnv(1, 9)
