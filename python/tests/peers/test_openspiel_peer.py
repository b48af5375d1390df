"""python_tengen_go and OpenSpiel's own go, step by step through random games."""

from __future__ import annotations

import random
from typing import Any

import pytest

pyspiel = pytest.importorskip("pyspiel")
import tengen.openspiel  # noqa: E402


def same(ours: Any, theirs: Any, *, thoroughly: bool) -> None:
    what = theirs.history()
    assert ours.is_terminal() == theirs.is_terminal(), what
    assert ours.current_player() == theirs.current_player(), what
    assert ours.legal_actions() == theirs.legal_actions(), what
    assert ours.returns() == theirs.returns(), what
    for player in (0, 1):
        assert ours.observation_tensor(player) == theirs.observation_tensor(player), what
    if thoroughly:
        assert str(ours) == str(theirs)
        assert ours.rewards() == theirs.rewards(), what
        assert ours.legal_actions_mask() == theirs.legal_actions_mask(), what
        assert ours.to_dict() == theirs.to_dict(), what
        assert ours.information_state_string(0) == theirs.information_state_string(0)
        assert ours.observation_string(1) == theirs.observation_string(1)


def choose(rng: random.Random, legal: list[int], passing: float) -> int:
    return legal[-1] if rng.random() < passing else rng.choice(legal)


@pytest.mark.parametrize(
    ("parameters", "games", "passing"),
    [
        ("board_size=2,komi=0.5", 1000, 0.05),
        ("board_size=3,komi=0.0", 1000, 0.05),
        ("board_size=4,komi=2.0", 1000, 0.02),
        ("board_size=5", 1000, 0.0),
        ("board_size=5,komi=3.0", 1000, 0.1),
        ("board_size=5,max_game_length=17,komi=1.0", 200, 0.0),
        ("board_size=3,komi=0.25", 200, 0.2),
        ("board_size=3,komi=-1.75", 200, 0.2),
        ("board_size=9", 300, 0.0),
        ("board_size=9,komi=-7.0", 100, 0.1),
        ("board_size=13", 20, 0.0),
        ("board_size=19", 5, 0.0),
        *((f"handicap={stones},komi={stones}.5", 1, 0.02) for stones in range(10)),
        *((f"handicap={stones},komi=-1.0", 3, 0.5) for stones in range(10)),
    ],
)
def test_random_games_are_the_same(parameters: str, games: int, passing: float) -> None:
    real, ours = pyspiel.load_game(f"go({parameters})"), pyspiel.load_game(f"{tengen.openspiel.NAME}({parameters})")
    assert ours.observation_tensor_shape() == real.observation_tensor_shape()
    assert ours.num_distinct_actions() == real.num_distinct_actions()
    assert ours.max_game_length() == real.max_game_length()
    rng = random.Random(parameters)
    steps = draws = 0
    for game in range(games):
        mine, theirs = ours.new_initial_state(), real.new_initial_state()
        same(mine, theirs, thoroughly=True)
        while not theirs.is_terminal():
            action = choose(rng, theirs.legal_actions(), passing)
            assert mine.action_to_string(action) == theirs.action_to_string(action)
            mine.apply_action(action)
            theirs.apply_action(action)
            steps += 1
            same(mine, theirs, thoroughly=game % 10 == 0 or theirs.is_terminal())
        draws += theirs.returns() == [0.0, 0.0]
    print(parameters, games, "games", steps, "steps", draws, "draws")


def test_undo_goes_back_to_what_was() -> None:
    ours = pyspiel.load_game(f"{tengen.openspiel.NAME}(board_size=4)")
    real = pyspiel.load_game("go(board_size=4)")
    rng = random.Random(3)
    for _ in range(100):
        mine, path = ours.new_initial_state(), []
        for _ in range(120):
            if path and (mine.is_terminal() or rng.random() < 0.4):
                action = path.pop()
                mine.undo_action(1 - mine.current_player() if not mine.is_terminal() else 0, action)
            else:
                path.append(choose(rng, mine.legal_actions(), 0.05))
                mine.apply_action(path[-1])
            # A new game, played to the same point, has nothing to undo.
            theirs = real.new_initial_state()
            for action in path:
                theirs.apply_action(action)
            same(mine, theirs, thoroughly=True)
            assert mine.history() == theirs.history() and mine.move_number() == theirs.move_number()
