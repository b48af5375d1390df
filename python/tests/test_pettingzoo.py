"""PettingZoo's Go: what the real package did, replayed, and its own checks where it is installed."""

from __future__ import annotations

import copy
import doctest
import json
import pickle
import subprocess
import sys
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen
from tengen.pettingzoo import AGENTS, ObservedGame

RECORDED = json.loads((Path(__file__).parents[2] / "testdata" / "env" / "petting-zoo.json").read_text())


def packed(values: Any) -> bytes:
    return np.packbits(np.asarray(values, bool).reshape(-1)).tobytes()


@pytest.mark.parametrize("number", range(len(RECORDED["games"])))
def test_what_the_package_did(number: int) -> None:
    record = RECORDED["games"][number]
    game = ObservedGame(record["size"], record["komi"])
    for to_move, black_sees, white_sees, mask, action in record["steps"]:
        assert game.to_move == to_move
        assert [zlib.crc32(packed(game.observe(player))) for player in (0, 1)] == [black_sees, white_sees]
        assert packed(game.mask).hex() == mask
        assert game.is_over == (action is None)
        if action is not None:
            assert list(game.rewards) == [0, 0]
            game.play(action)
    assert list(game.rewards) == record["rewards"]


def test_the_record_has_what_is_hard() -> None:
    games = RECORDED["games"]
    assert {game["size"] for game in games} == {2, 3, 5, 9, 19}
    ties, repeated = 0, 0
    for record in games:
        game, boards = ObservedGame(record["size"], record["komi"]), set()
        for *_, action in record["steps"][:-1]:
            game.play(action)
            stones = game.game.stones.tobytes()
            repeated += stones in boards and action != record["size"] ** 2
            boards.add(stones)
        ties += game.game.score().margin == 0
    assert ties > 0 and repeated > 0


def test_planes_are_of_whoever_had_moved() -> None:
    game = ObservedGame(5)
    assert not game.observe(0).any() and game.observe(1)[:, :, 16].all()
    game.play(0)
    game.play(1)
    game.play(2)
    planes = game.observe(1)
    shown = [np.flatnonzero(planes[:, :, plane]).tolist() for plane in range(16)]
    assert shown == [[0, 2], [1], [1], [0], [0], []] + [[]] * 10
    other = game.observe(0)
    assert (other[:, :, :16] == planes[:, :, :16]).all() and not other[:, :, 16].any()


def test_exact_rules_forbid_what_the_package_lets_come_back() -> None:
    generator = np.random.default_rng(2)
    found = 0
    while found < 20:
        exact, package = ObservedGame(3, 0.5, "tromp-taylor", max_moves=None), ObservedGame(3, 0.5)
        boards = {package.game.stones.tobytes()}
        for _ in range(60):
            for action in np.flatnonzero(package.mask & ~exact.mask & 1):
                game = package.game
                game.play(int(action))
                assert game.stones.tobytes() in boards, "it is superko that forbids it"
                found += 1
            both = np.flatnonzero((package.mask & exact.mask)[:-1])
            if len(both) == 0:
                break
            action = int(generator.choice(both))
            exact.play(action)
            package.play(action)
            boards.add(package.game.stones.tobytes())


def test_other_planes_and_lengths() -> None:
    game = ObservedGame(4, rules="tromp-taylor", observation="agz")
    game.play(5)
    game.play(6)
    black = game.observe(0)
    assert black[:, :, 16].all() and np.flatnonzero(black[:, :, 0]).tolist() == [5]
    assert not game.observe(1)[:, :, 16].any() and (game.observe(1)[:, :, 1] == black[:, :, 0]).all()
    assert ObservedGame(9, rules="chinese", observation="tactical").shape == (9, 9, 23)
    assert ObservedGame(5).game.rules.max_moves is None
    assert ObservedGame(5, rules="tromp-taylor").game.rules.max_moves is not None


def test_komi_between_half_points_decides_as_in_the_package() -> None:
    for komi, black in [(8.9, 1), (9.0, -1), (9.1, -1), (-0.3, 1)]:
        game = ObservedGame(3, komi)
        for action in (4, 9, 9):
            game.play(action)
        assert game.rewards == (black, -black), komi


def test_an_illegal_action_changes_nothing() -> None:
    game = ObservedGame(5)
    game.play(12)
    with pytest.raises(tengen.IllegalMoveError, match="occupied"):
        game.play(12)
    assert len(game.game.moves) == 1 and game.to_move == 1


def test_what_to_install_is_said() -> None:
    program = """
import sys
sys.modules["pettingzoo"] = None
import tengen.pettingzoo
assert tengen.pettingzoo.ObservedGame(5).to_move == 0
for make in (tengen.pettingzoo.env, tengen.pettingzoo.raw_env):
    try:
        make()
    except ImportError as missing:
        assert "pip install pettingzoo" in str(missing)
    else:
        raise AssertionError("it was made without the package")
assert "gymnasium" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


# With the package.


@pytest.fixture
def adapter() -> Any:
    pytest.importorskip("pettingzoo")
    import tengen.pettingzoo

    return tengen.pettingzoo


# PettingZoo says so of every environment with an observation and a mask that is not on its own list of names, and of
# Go's first observation, which is all zeros in its own environment, too.
ABOUT_EVERY_GAME = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation numpy array is all zeros.",
}


@pytest.mark.parametrize(
    "settings",
    [
        {"board_size": 9},
        {"board_size": 5, "rules": "tromp-taylor", "observation": "agz"},
        {"board_size": 7, "observation": "tactical"},
    ],
)
def test_the_checks_of_pettingzoo(adapter: Any, settings: dict[str, Any], capsys: Any) -> None:
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(adapter.env(**settings), num_cycles=200)
        api_test(adapter.raw_env(**settings), num_cycles=200)
        seed_test(lambda: adapter.env(**settings), num_cycles=100)
    assert {str(warning.message) for warning in caught} <= ABOUT_EVERY_GAME
    assert "Passed API test" in capsys.readouterr().out


def test_examples_hold(adapter: Any) -> None:
    results = doctest.testmod(adapter)
    assert results.failed == 0 and results.attempted > 5


def test_a_game_to_its_end(adapter: Any) -> None:
    env = adapter.env(board_size=5, komi=0.5)
    env.reset(seed=1)
    assert env.possible_agents == ["black_0", "white_0"] and env.agent_selection == "black_0"
    env.step(12)
    assert not env.observe("black_0")["action_mask"].any() and not env.observe("white_0")["action_mask"][12]
    env.step(25)
    env.step(25)
    assert env.agent_selection == "white_0" and all(env.terminations.values())
    assert env.rewards == {"black_0": 1, "white_0": -1}
    observation, reward, terminated, truncated, _ = env.last()
    assert (reward, terminated, truncated) == (-1, True, False)
    assert np.flatnonzero(observation["action_mask"]).tolist() == [25]
    env.step(None)
    assert env.agents == ["black_0"] and env.last()[1] == 1
    env.step(None)
    assert env.agents == []


def test_an_illegal_action_ends_the_game(adapter: Any) -> None:
    env = adapter.env(board_size=5)
    env.reset()
    env.step(12)
    env.step(12)
    assert env.rewards == {"black_0": 0, "white_0": -1}
    assert all(env.terminations.values()) and all(env.truncations.values())


def test_copies_continue_the_same_game(adapter: Any) -> None:
    env = adapter.env(board_size=5)
    env.reset()
    env.step(3)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        other.step(4)
        assert len(env.unwrapped.game.moves) == 1 and len(other.unwrapped.game.moves) == 2
        assert not other.last()[0]["action_mask"][3]


def test_pictures(adapter: Any) -> None:
    env = adapter.env(board_size=5, render_mode="ansi")
    env.reset()
    assert env.render() == str(env.unwrapped.game)
    env = adapter.env(board_size=5, render_mode="rgb_array", screen_height=120)
    env.reset()
    assert env.render().shape == (120, 120, 3)
    with pytest.raises(ValueError, match="render_mode"):
        adapter.env(render_mode="human")


def test_made_by_name(adapter: Any) -> None:
    import pettingzoo

    if not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no registry")
    env = pettingzoo.make("aec", "tengen/go-v0", board_size=7)
    env.reset()
    assert env.action_space(AGENTS[0]).n == 50
