"""Exact values of small boards, and proofs of them."""

from __future__ import annotations

import _thread
import threading
from pathlib import Path

import pytest

from tengen import Board, Game, solve, solve_local, verify


@pytest.mark.parametrize(
    ("board", "lower", "upper"),
    [("1x3", 3, 3), ("2x2", -4, 4), ("3x3", 9, 9), ("2x4", 8, 8), ("3x4", 4, 12)],
)
def test_values_that_are_known(board: str, lower: int, upper: int) -> None:
    solution = solve(board)
    assert (solution.lower, solution.upper, solution.complete) == (lower, upper, True)
    assert solution.value == (lower if lower == upper else None)
    assert solution.any_ko_rule == (lower == upper)
    assert solution.nodes > 0


def test_positions_of_every_kind() -> None:
    game = Game(3)
    game.play("B2")
    assert solve(game).value == 9
    diagram = "...\n.X.\n..."
    assert solve(diagram).value == solve(Board.parse(diagram)).value == 9


def test_every_move_has_its_result() -> None:
    moves = solve("3x3", all_moves=True).moves
    assert moves is not None
    results = {move: (lower, upper) for move, lower, upper in moves}
    assert results["B2"] == (9, 9)
    assert results["A1"] == (-9, -9)
    assert results["B1"] == (3, 9)
    assert solve("3x3").moves is None


@pytest.mark.parametrize(("rules", "value"), [("positional", (0, 0)), ("situational", (0, 0))])
def test_where_repetitions_decide_a_rule_does(rules: str, value: tuple[int, int]) -> None:
    assert solve("2x3", rules=rules).under_rule == value  # type: ignore[arg-type]


def test_proofs_are_checked(tmp_path: Path) -> None:
    file = tmp_path / "proof"
    solve("3x3", proof=file)
    theorem = verify(file)
    assert theorem.claim == "black >= 9 on 3x3, black to move"
    assert theorem.ko_rules == ["simple", "situational", "positional"]
    assert repr(theorem) == f"<Theorem {theorem.claim}>"
    data = bytearray(file.read_bytes())
    assert verify(bytes(data)).nodes == theorem.nodes
    data[len(data) // 2] ^= 1
    with pytest.raises(ValueError):
        verify(bytes(data))
    with pytest.raises(FileNotFoundError):
        verify(tmp_path / "absent")


def test_time_ends_a_search() -> None:
    solution = solve("5x6", time=0.2, memory=1 << 24)
    assert not solution.complete
    assert solution.lower >= -30 and solution.upper <= 30


def test_an_interrupt_ends_a_search() -> None:
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solve("6x6", memory=1 << 24)
    timer.join()


def test_a_wrong_request_is_refused() -> None:
    with pytest.raises(ValueError, match="not 'chess'|not \"chess\""):
        solve("3x3", rules="chess")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threads"):
        solve("3x3", threads=0)
    with pytest.raises(ValueError):
        solve("9x9")
    with pytest.raises(ValueError, match="time"):
        solve("3x3", time=-1)


SHUT_IN = """
. . . O X .
O O O O X .
X X X X X .
. . . . . ."""


def test_stones_that_are_shut_in_live_or_die() -> None:
    solution = solve_local(SHUT_IN)
    assert (solution.defender, solution.complete) == ("white", True)
    assert len(solution.target) == 5 and len(solution.region) == 8
    black, white = solution.answers
    assert (black.first, black.verdict, black.reached, black.moves) == ("black", "dies", "capture", ["B4"])
    assert (white.first, white.verdict, white.reached, white.moves) == ("white", "lives", "live", ["B4"])
    assert {outcome for _, _, outcome in black.outcomes} == {"captured"}
    assert solution.proofs == []
    assert "dies if black is first" in repr(solution)


def test_points_can_be_named_in_many_ways() -> None:
    game = Game(6, setup=SHUT_IN + 2 * "\n. . . . . .")
    whole = solve_local(game, region="A5:D6", target="A5", first="white")
    assert [answer.verdict for answer in whole.answers] == ["lives"]
    corner = [(x, y) for x in range(4) for y in range(2)]
    assert solve_local(game, region=corner, target=["D6"]).region == whole.region
    assert solve_local(game, region="A5:D6").target == whole.target


def test_local_proofs_are_checked(tmp_path: Path) -> None:
    solution = solve_local(SHUT_IN, proof=tmp_path / "proof")
    assert [path.name for path in solution.proofs] == ["proof", "proof.2"]
    dies, lives = (verify(path) for path in solution.proofs)
    assert dies.claim.startswith("black captures white's D4")
    assert lives.claim.startswith("white gives unconditional life")
    assert dies.ko_rules == lives.ko_rules == []


def test_a_local_search_ends_in_time() -> None:
    square = ".....X.\n...OXX.\n...OX..\n.OOOX..\n.XXXX..\nXX.....\n......."
    solution = solve_local(square, time=0.1)
    assert not solution.complete
    assert solution.answers[0].verdict == "open"


def test_what_is_no_local_problem_is_refused() -> None:
    with pytest.raises(ValueError, match="shut in"):
        solve_local("3x3")
    with pytest.raises(ValueError, match="`C9` is no point"):
        solve_local(".X.\n...", region="A1:C9")
    with pytest.raises(ValueError, match="both players"):
        solve_local("XO.\n...", region="A1:C2")
    with pytest.raises(ValueError, match="time"):
        solve_local(SHUT_IN, time=-1)
