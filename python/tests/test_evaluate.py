"""How strong an agent is."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import sines

import tengen
from tengen import sgf

# A program that speaks GTP and always passes, or resigns.
GTP = """
import sys
for line in sys.stdin:
    words = line.split()
    answer = "%s" if words[0] == "genmove" else ""
    print("= " + answer + "\\n", flush=True)
    if words[0] == "quit":
        break
"""


def test_a_network_beats_random_play_and_a_table_says_so() -> None:
    found = tengen.evaluate(tengen.Net.baseline(), ["random"], games=10, size=5, seed=1)
    (versus,) = found.versus
    assert (versus.wins, versus.games) == (10, 10)
    assert versus.black_wins == 5
    by, error = versus.difference
    assert by > 400 and error > 100
    table = str(found)
    assert "random" in table and "100.0%" in table and table.count("\n") == 2
    # Random play has its place on the scale of 5x5.
    assert versus.elo == 0 and found.elo == versus.difference
    again = pickle.loads(pickle.dumps(found))
    assert again == found


def test_equals_get_about_half_with_shared_openings_and_both_colours(tmp_path: Path) -> None:
    found = tengen.evaluate("random", ["random"], games=40, size=3, seed=3, folder=tmp_path, opening_moves=2)
    (versus,) = found.versus
    assert 8 <= versus.points <= 32
    files = sorted(tmp_path.glob("*.sgf"))
    assert len(files) == 40
    games = [tengen.Game.from_sgf(file.read_text()) for file in files]
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert [turn.move for turn in one.turns[:2]] == [turn.move for turn in other.turns[:2]]
    assert sgf.loads(files[0].read_bytes())[0]["RE"]


def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    calls = 0

    def evaluate(leaves: tengen.Leaves) -> Any:
        nonlocal calls
        calls += 1
        if calls == limit:
            raise KeyboardInterrupt
        return sines.evaluate(leaves)

    limit = -1
    settings: dict[str, Any] = {"games": 12, "size": 4, "simulations": 4, "num_games": 4, "seed": 1}
    expected = tengen.evaluate(evaluate, ["random"], **settings)
    limit, calls = calls // 2, 0
    with pytest.raises(KeyboardInterrupt):
        tengen.evaluate(evaluate, ["random"], folder=tmp_path, **settings)
    kept = len((tmp_path / "results.jsonl").read_text().splitlines()) - 1
    assert 0 < kept < 12
    with (tmp_path / "results.jsonl").open("a") as file:
        file.write('{"oppo')
    limit, calls = -1, 0
    assert tengen.evaluate(evaluate, ["random"], folder=tmp_path, **settings) == expected
    first_half = calls
    calls = 0
    assert tengen.evaluate(evaluate, ["random"], folder=tmp_path, **settings) == expected
    assert calls == 0 < first_half
    with pytest.raises(ValueError, match="has games with other settings"):
        tengen.evaluate(evaluate, ["random"], folder=tmp_path, **{**settings, "seed": 2})
    lines = (tmp_path / "results.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["settings"]["size"] == "4x4"


def test_agents_of_every_kind_play(tmp_path: Path) -> None:
    passing = [sys.executable, "-c", GTP % "pass"]
    resigning = [sys.executable, "-c", GTP % "resign"]
    engine = tengen.Engine(net="none", threads=1)
    against = [passing, resigning, "rollouts@10", "baseline@2", engine, tengen.Net.random(1, 16)]
    found = tengen.evaluate(sines.evaluate, against, games=2, size=3, simulations=2, seed=1)
    names = [versus.opponent for versus in found.versus]
    assert names[2:] == ["rollouts@10", "baseline@2", "engine@2", "network@2"]
    assert found.versus[1].wins == 2
    assert all(versus.games == 2 for versus in found.versus)


def test_a_mixed_opponent_lies_between() -> None:
    found = tengen.evaluate("rollouts@4/50", ["random", "rollouts@4"], games=30, size=4, seed=1)
    over_random, under_rollouts = (versus.points for versus in found.versus)
    assert found.name == "rollouts@4/50"
    assert over_random > 15 > under_rollouts


def test_elo_is_that_of_the_likeliest_strength() -> None:
    versus = (
        tengen.Versus("a", 0.0, 75, 0, 25, 40),
        tengen.Versus("b", None, 0, 0, 100, 0),
    )
    found = tengen.Evaluation("agent", (9, 9), versus)
    assert found.elo is not None
    # Three of four points are 190.8 Elo, and half a drawn game more keeps it finite.
    assert found.elo[0] == pytest.approx(190, abs=2)
    assert found.elo[1] == pytest.approx(79, abs=3)
    assert "Elo 190" in str(found)
    assert tengen.Evaluation("agent", (9, 9), versus[1:]).elo is None


def test_a_picture_shows_shares_and_the_scale(tmp_path: Path) -> None:
    versus = (
        tengen.Versus("random", 0.0, 75, 0, 25, 40),
        tengen.Versus("<mine>", None, 0, 0, 0, 0),
    )
    found = tengen.Evaluation("agent & co", (9, 9), versus)
    picture = ElementTree.fromstring(found.svg())
    texts = [text.text or "" for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0].startswith("agent & co on 9×9: Elo 190 ± ")
    assert "<mine> (0)" in texts and "75.0%" in texts and "random 0" in texts
    # A circle for each opponent, and on the scale one for each that has a place, and for the agent.
    assert len(list(picture.iter("{http://www.w3.org/2000/svg}circle"))) == 4
    assert found._repr_svg_() == found.svg()
    without = tengen.Evaluation("agent", (9, 9), versus[1:])
    assert len(list(ElementTree.fromstring(without.svg()).iter("{http://www.w3.org/2000/svg}circle"))) == 1
    found.save(tmp_path / "found.svg")
    found.save(tmp_path / "found.txt")
    assert (tmp_path / "found.svg").read_text(encoding="utf-8") == found.svg()
    assert (tmp_path / "found.txt").read_text(encoding="utf-8") == f"{found}\n"


def test_anchors_have_places_on_a_fixed_scale() -> None:
    from tengen._anchors import ANCHORS

    page = (Path(__file__).resolve().parents[2] / "docs/env/search.md").read_text(encoding="utf-8")
    for (columns, rows), places in ANCHORS.items():
        assert places["random"] == 0
        table = page.partition(f"| opponent on {columns}×{rows} |")[2].partition("\n\n")[0]
        assert all(f"| `{name}` | {place:.0f} |" in table for name, place in places.items())
        assert all(np.isfinite(place) for place in places.values())


@pytest.mark.parametrize(
    ("agent", "options", "problem"),
    [
        ("alphago", {}, "there is no opponent 'alphago'"),
        ("rollouts@", {}, "there is no opponent 'rollouts@'"),
        (3, {}, "an agent is a function, a Net, an Engine, a name or a GTP command, not 3"),
        (["/nowhere/gtp"], {}, "cannot start '/nowhere/gtp'"),
        ("random", {"games": 0}, "games is a whole number, 1 or more, not 0"),
        ("random", {"against": "random"}, r"against is a list of opponents, such as \['random'\]"),
    ],
)
def test_mistakes_are_named(agent: Any, options: dict[str, Any], problem: str) -> None:
    with pytest.raises((TypeError, ValueError), match=problem):
        tengen.evaluate(agent, **{"against": ["random"], "games": 2, "size": 3, **options})
