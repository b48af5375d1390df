"""Rules from Python."""

import copy
import pickle

import pytest

from tengen import Game, Rules


@pytest.mark.parametrize("name", Rules.presets())
def test_every_preset_survives_text_repr_and_pickle(name: str) -> None:
    rules = Rules(name)
    assert Rules(str(rules)) == rules
    assert eval(repr(rules)) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert copy.deepcopy(rules) == rules
    assert hash(Rules(name)) == hash(rules)
    assert Game(9, name).rules == rules


AXES = {
    "ko": ["simple", "positional", "situational"],
    "repetition": ["play-on", "loses", "draws", "no-result"],
    "repetition_window": [None, 8],
    "suicide": ["forbidden", "multi-stone", "allowed"],
    "scoring": ["area", "territory", "area-and-prisoners"],
    "dead_stones": ["captured", "agreed"],
    "komi": [None, 7.5, -3.0],
    "ties": ["draw", "black", "white"],
    "handicap": ["fixed", "free"],
    "compensation": ["none", "per-stone", "per-stone-but-first"],
    "passes": [1, 3],
    "max_moves": [None, 100, "2x"],
}


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("preset", ["tromp-taylor", "japanese", "pgx"])
def test_every_axis_can_be_set_and_read(axis: str, preset: str) -> None:
    for value in AXES[axis]:
        rules = Rules(preset, **{axis: value})
        assert getattr(rules, axis) == value
        assert eval(repr(rules)) == rules
        others = [other for other in AXES if other != axis]
        assert [getattr(rules, other) for other in others] == [
            getattr(Rules(preset), other) for other in others
        ]


def test_rules_are_made_from_rules() -> None:
    assert Rules(Rules("pgx"), komi=None).komi is None
    assert Rules("pgx", komi=None).komi_for(19) == 7.5
    assert Rules("Pgx") == Rules("pgx")
    assert Rules("pgx") != "pgx"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": "chines"}, "unknown rules `chines`: use tromp-taylor"),
        ({"rules": "koSOMETIMES"}, "SIMPLE, POSITIONAL, SITUATIONAL"),
        ({"ko": "super"}, "ko is one of 'simple', 'positional', 'situational', not \"super\""),
        ({"komi": 7.3}, "a half more"),
        ({"komi": float("nan")}, "komi is"),
        ({"komi": 1e9}, "at most 625"),
        ({"passes": 1000}, "255"),
        ({"max_moves": "many"}, "max_moves is a number"),
    ],
)
def test_refusals_say_what_is_possible(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rules(**arguments)


def test_wrong_types_are_type_errors() -> None:
    with pytest.raises(TypeError):
        Rules(7)
    with pytest.raises(TypeError):
        Rules(unknown="axis")
    with pytest.raises(AttributeError):
        Rules().ko = "simple"
