"""Go for OpenSpiel, and the rules preset `open-spiel` on games that OpenSpiel played."""

from __future__ import annotations

import copy
import json
import pickle
import random
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen

RECORDS = json.loads((Path(__file__).parents[2] / "testdata/env/open-spiel.json").read_text(encoding="utf-8"))
NAME = "python_tengen_go"


@pytest.fixture
def pyspiel() -> Any:
    module = pytest.importorskip("pyspiel")
    import tengen.openspiel

    assert tengen.openspiel.NAME == NAME
    return module


@pytest.mark.parametrize(
    "record", RECORDS["games"], ids=lambda game: f"{game['size']}-{game['komi']}-{len(game['actions'])}"
)
def test_games_that_openspiel_played(record: dict[str, Any]) -> None:
    """By the preset alone, without OpenSpiel."""
    size = record["size"]
    game = tengen.Game(size, tengen.Rules("open-spiel", komi=record["komi"]))
    for action, (player, black, legal, checksum) in zip([None, *record["actions"]], record["steps"], strict=True):
        if action is not None:
            row, column = divmod(action, size)
            game.play(None if action == size * size else (column, size - 1 - row))
        assert game.is_over == (player < 0)
        if not game.is_over:
            assert (game.to_move == "white") == player
            points = game.legal_mask()[:-1].reshape(size, size)[::-1]
            assert np.packbits([*points.reshape(-1), True]).tobytes().hex() == legal
        assert {"black": 1.0, "white": -1.0, None: 0.0}[game.winner] == black
        stones = game.stones[::-1]
        planes = np.stack([stones == 1, stones == 2, stones == 0, np.full((size, size), game.to_move == "white")])
        assert zlib.crc32(np.packbits(planes).tobytes()) == checksum


@pytest.mark.parametrize(
    "record", RECORDS["games"], ids=lambda game: f"{game['size']}-{game['komi']}-{len(game['actions'])}"
)
def test_the_registered_game_plays_them_too(pyspiel: Any, record: dict[str, Any]) -> None:
    game = pyspiel.load_game(NAME, {"board_size": record["size"], "komi": record["komi"]})
    state = game.new_initial_state()
    for action, (player, black, legal, checksum) in zip([None, *record["actions"]], record["steps"], strict=True):
        if action is not None:
            state.apply_action(action)
        assert state.current_player() == player
        assert state.returns() == [black, -black]
        if player >= 0:
            assert np.packbits(state.legal_actions_mask()).tobytes().hex() == legal
        tensor = np.array(state.observation_tensor(0), bool)
        assert zlib.crc32(np.packbits(tensor).tobytes()) == checksum


@pytest.mark.parametrize("parameters", ["board_size=3", "board_size=5,komi=0.5", "board_size=9", "handicap=4"])
def test_openspiels_own_checks(pyspiel: Any, parameters: str, capfd: pytest.CaptureFixture[str]) -> None:
    game = pyspiel.load_game(f"{NAME}({parameters})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_states_are_cloned_pickled_and_serialised(pyspiel: Any) -> None:
    game = pyspiel.load_game(f"{NAME}(board_size=4)")
    rng = random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        text = pyspiel.serialize_game_and_state(game, state)
        same_game, restored = pyspiel.deserialize_game_and_state(text)
        assert str(same_game) == str(game)
        action = rng.choice(state.legal_actions())
        for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state)), restored):
            assert str(twin) == str(state) and twin.history() == state.history()
            twin.apply_action(action)
            assert twin.legal_actions() == state.child(action).legal_actions()
            assert twin.is_terminal() == state.child(action).is_terminal()
        state.apply_action(action)


def test_moves_are_taken_back(pyspiel: Any) -> None:
    game = pyspiel.load_game(f"{NAME}(board_size=4)")
    rng = random.Random(2)
    for _ in range(10):
        state, before = game.new_initial_state(), []
        while not state.is_terminal():
            before.append((str(state), state.legal_actions(), state.history(), state.current_player()))
            state.apply_action(rng.choice(state.legal_actions()))
        while before:
            text, legal, history, player = before.pop()
            state.undo_action(player, state.history()[-1])
            assert (str(state), state.legal_actions(), state.history()) == (text, legal, history)
            assert state.move_number() == len(history) == len(state.full_history())
        assert state.is_initial_state()
    with pytest.raises(ValueError, match="the last move was not 3"):
        state.undo_action(0, 3)
    state.apply_action(5)
    assert state.clone().history() == [5] and state.history_str() == "5"


def test_texts(pyspiel: Any) -> None:
    state = pyspiel.load_game(f"{NAME}(board_size=3,komi=0.5)").new_initial_state()
    for action in (0, 5, 9):
        state.apply_action(action)
    assert str(state) == "GoState(komi=0.5, to_play=W, history.size()=3)\n\n 3 +++\n 2 ++O\n 1 X++\n   ABC\n"
    assert state.observation_string(0) == str(state)
    assert state.information_state_string(1) == "0, 5, 9"
    assert [state.action_to_string(player, action) for player, action in ((0, 1), (1, 8), (1, 9))] == [
        "B b1",
        "W c3",
        "W PASS",
    ]
    assert state.string_to_action("W b1") == 1
    assert state.to_dict()["previous_move_a1"] == "PASS"


def test_observers(pyspiel: Any) -> None:
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(f"{NAME}(board_size=3)")
    observation = make_observation(game)
    state = game.new_initial_state()
    state.apply_action(1)
    observation.set_from(state, 0)
    planes = observation.dict["observation"]
    assert planes.shape == (4, 3, 3) and planes[0, 0, 1] == 1 and planes[3].all() and planes[2].sum() == 8
    assert game.observation_tensor_shape() == [4, 3, 3] and not planes[1].any()


def test_the_search_of_openspiel_beats_random_play(pyspiel: Any) -> None:
    from open_spiel.python.algorithms import mcts
    from open_spiel.python.bots.uniform_random import UniformRandomBot

    game = pyspiel.load_game(f"{NAME}(board_size=3,komi=0.5)")
    won = 0.0
    for seed in range(4):
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
        searcher = mcts.MCTSBot(game, 1.4, 60, evaluator, random_state=np.random.RandomState(seed), solve=True)
        bots = [searcher, UniformRandomBot(1, np.random.RandomState(seed))]
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(bots[state.current_player()].step(state))
        won += state.returns()[0]
    assert won >= 2, "Black wins 3x3 and random play does not stop it"


def test_bad_parameters_are_refused(pyspiel: Any) -> None:
    for parameters, message in (
        ("board_size=1", "board_size is 2 to 19"),
        ("board_size=20", "board_size is 2 to 19"),
        ("board_size=9,handicap=2", "19x19"),
        ("handicap=10", "handicap is 0 to 9"),
        ("max_game_length=-1", "max_game_length"),
    ):
        with pytest.raises(ValueError, match=message):
            pyspiel.load_game(f"{NAME}({parameters})")
    state = pyspiel.load_game(f"{NAME}(board_size=5)").new_initial_state()
    state.apply_action(0)
    with pytest.raises(tengen.IllegalMoveError, match="occupied"):
        state.apply_action(0)
