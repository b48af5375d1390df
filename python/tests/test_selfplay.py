"""Self-play with any network."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest
import sines

import tengen


def play(**options: Any) -> list[tengen.PlayedGame]:
    settings = {"games": 7, "num_games": 3, "size": 4, "simulations": 6, "seed": 1, **options}
    return list(tengen.selfplay(sines.evaluate, **settings))


def test_games_end_and_say_what_is_to_be_learned() -> None:
    for played in play():
        game = played.game
        assert game.is_over
        assert len(played) == len(game.turns) == len(played.values) == len(played.visits)
        assert (played.visits >= 6).all()
        positions = played.positions()
        again = tengen.Game(4)
        for row, turn in enumerate(game.turns):
            np.testing.assert_array_equal(positions.mask[row], again.legal_mask())
            own = 1 if again.to_move == "black" else 2
            np.testing.assert_array_equal(positions.planes[row, :, :, 0], again.stones == own)
            np.testing.assert_array_equal(positions.globals[row], tengen.Net.inputs(again)[1])
            assert not played.policy[row][~again.legal_mask()].any()
            sign = 1 if again.to_move == "black" else -1
            winner = {"black": 1, "white": -1, None: 0}[game.winner]
            assert positions.value[row] == sign * winner
            assert positions.lead[row] == sign * played.lead
            np.testing.assert_array_equal(positions.ownership[row], sign * played.ownership)
            again.play(turn.move)
        # The owners of points and komi make up the lead.
        assert played.lead == played.ownership.sum() - game.komi
        assert (played.lead > 0) == (game.winner == "black")


def test_all_games_of_a_number_are_played_once_and_the_same() -> None:
    first, second = play(), play()
    assert sorted(one.number for one in first) == list(range(7))
    for one, other in zip(first, second, strict=True):
        assert one.game == other.game
        np.testing.assert_array_equal(one.policy, other.policy)
    assert any(one.game != other.game for one, other in zip(first, play(seed=2), strict=True))
    assert play(games=0) == []


def test_it_goes_on_without_end() -> None:
    numbers = [one.number for one in itertools.islice(tengen.selfplay(sines.evaluate, num_games=2, size=3), 5)]
    assert len(set(numbers)) == 5


def test_games_stop_when_all_is_settled_or_they_last_too_long() -> None:
    short = play(max_moves=5, stop_when_decided=False)
    assert all(len(one) <= 5 for one in short)
    settled = play(games=20, num_games=20, size=3)
    played_on = play(games=20, num_games=20, size=3, stop_when_decided=False)
    assert sum(map(len, settled)) < sum(map(len, played_on))


@pytest.mark.parametrize("layout", ["channels-last", "channels-first"])
@pytest.mark.parametrize("observation", ["agz", "tactical"])
def test_positions_come_in_every_form(layout: str, observation: str) -> None:
    (played,) = play(games=1, size=(4, 3))
    planes = played.positions(observation, layout, "uint8").planes
    depth = {"agz": 17, "tactical": 23}[observation]
    assert planes.shape[1:] == ((3, 4, depth) if layout == "channels-last" else (depth, 3, 4))
    assert planes.dtype == np.uint8
    with pytest.raises(ValueError, match="observation is 'agz' or 'tactical', not 'rgb'"):
        played.positions("rgb")


def test_games_are_pickled() -> None:
    (played,) = play(games=1)
    again = pickle.loads(pickle.dumps(played))
    assert again.game == played.game
    np.testing.assert_array_equal(again.policy, played.policy)


def test_mistakes_are_named_at_once() -> None:
    with pytest.raises(ValueError, match="num_games is a whole number, 1 or more, not 0"):
        tengen.selfplay(sines.evaluate, num_games=0)
    with pytest.raises(TypeError, match="evaluate is a Net or a function"):
        tengen.selfplay(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="method is 'gumbel' or 'puct'"):
        tengen.selfplay(sines.evaluate, method="minimax")
