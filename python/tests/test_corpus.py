"""The rule cases of the corpus, played through the package."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from corpus import rule_cases

from tengen import Board, Game, IllegalMoveError, Rules

KO = ["simple", "positional", "situational"]
SUICIDE = ["forbidden", "multi-stone", "allowed"]


def diagram(case: Any) -> str:
    ko = f"\nko: {case['ko']}" if "ko" in case else ""
    return f"{case['diagram']}\n{case.get('to_move', 'black')} to move{ko}"


def named(cases: list[Any]) -> Any:
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def expected(verdict: Any, ko: str, suicide: str) -> str | None:
    """The word for these rules, if the case speaks of them."""
    if isinstance(verdict, dict) and "forbidden" in verdict:
        verdict = verdict[suicide]
    return verdict.get(ko) if isinstance(verdict, dict) else verdict


@named(rule_cases("case"))
def test_verdicts(case: Any) -> None:
    checked = 0
    for ko in KO:
        for suicide in case.get("suicide", SUICIDE):
            word = expected(case["verdict"], ko, suicide)
            if word is None:
                continue
            game = Game(setup=diagram(case), rules=Rules(ko=ko, suicide=suicide))
            for move in case["moves"].split():
                game.play(move)
            verdict = game.check(case["next"])
            assert (verdict or "legal") == word, (ko, suicide)
            action = game.to_action(case["next"])
            assert game.legal_mask()[action] == (verdict is None)
            assert (case["next"] in game.legal_moves()) == (verdict is None)
            before = game.copy()
            if verdict is None:
                game.play(case["next"])
                if "after" in case:
                    assert (game.stones == Board.parse(case["after"]).stones).all()
                game.undo()
            else:
                with pytest.raises(IllegalMoveError) as refused:
                    game.play(case["next"])
                assert refused.value.reason == verdict
            assert game == before
            # What superko remembers survives bytes and pickles.
            assert Game.from_bytes(game.to_bytes()).check(case["next"]) == verdict
            checked += 1
    assert checked


@named(rule_cases("game"))
def test_endings(case: Any) -> None:
    game = Game(setup=diagram(case), rules=case["rules"])
    for move in case["moves"].split():
        game.play(move)
    assert game.result == case.get("outcome")
    assert game.is_over == ("outcome" in case)
    assert game.is_over != game.legal_mask().any()


@named(rule_cases("score"))
def test_scores(case: Any) -> None:
    game = Game(setup=diagram(case), rules=case["rules"])
    for move in case.get("moves", "").split():
        game.play(move)
    game.handicap = case.get("handicap", 0)
    agreed = {"dead": case.get("dead", ""), "seki": case.get("seki", "")}
    score = game.score(**agreed)
    assert str(score) == case["result"]
    for part in ["stones", "territory", "prisoners"]:
        assert getattr(score, part) == tuple(case[part]), part
    assert score.dame == case["dame"]
    assert score.compensation == case.get("compensation", 0)
    assert score.margin == score.black - score.white
    # Area and ownership are two ways to say the same.
    if score.scoring == "area":
        owned = game.ownership(dead=agreed["dead"])
        area = [stones + points for stones, points in zip(score.stones, score.territory)]
        assert [np.count_nonzero(owned == 1), np.count_nonzero(owned == -1)] == area


@named(rule_cases("refusal"))
def test_positions_that_cannot_stand(case: Any) -> None:
    with pytest.raises(ValueError, match="liberties|ko point"):
        Game(setup=diagram(case))
