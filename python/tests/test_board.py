"""Boards from Python."""

import copy
import pickle

import numpy as np
import pytest

from tengen import Board, Game, IllegalMoveError

KO = """
    . X O .
    X . X O
    . X O .
"""


def test_stones_are_an_array_and_back() -> None:
    board = Board.parse(KO)
    stones = board.stones
    assert stones.dtype == np.int8
    assert stones.shape == (3, 4)
    assert stones.tolist() == [[0, 1, 2, 0], [1, 0, 1, 2], [0, 1, 2, 0]]
    for dtype in [np.int8, np.uint8, np.int64, np.int32]:
        assert Board.from_stones(stones.astype(dtype)) == board
    assert Board.from_stones(stones.tolist()) == board
    # Neither a view nor a transposed array is laid out as its numbers are read.
    assert Board.from_stones(np.flipud(np.flipud(stones).copy())) == board
    assert Board.from_stones(stones.T.copy().T) == board
    # The array is the caller's.
    stones[:] = 0
    assert board == Board.parse(KO)


@pytest.mark.parametrize(
    ("stones", "error", "message"),
    [
        ([[0, 3]], ValueError, "3 in row 0, column 1 is no stone"),
        ([0, 1], ValueError, "two dimensions"),
        ([[0.5]], TypeError, "whole numbers"),
        (np.zeros((26, 9), np.int8), ValueError, "1 to 25"),
        (np.zeros((0, 9), np.int8), ValueError, "1 to 25"),
        ([[1]], ValueError, "without liberties"),
    ],
)
def test_arrays_that_are_no_board(stones: object, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        Board.from_stones(stones)


def test_diagrams_that_are_none() -> None:
    with pytest.raises(ValueError, match="line 1, column 3"):
        Board.parse(". ?")


def test_chains() -> None:
    board = Board.parse(KO)
    chains = board.chains()
    assert [chain.stones for chain in chains] == [
        ["B3"], ["C3"], ["A2"], ["C2"], ["D2"], ["B1"], ["C1"],
    ]  # fmt: skip
    chain = board.chain("C2")
    assert chain is not None
    assert (chain.color, chain.liberties, len(chain), chain.in_atari) == ("black", ["B2"], 1, True)
    assert board.chain("B2") is None
    assert board.captures("B2", "white") == ["C2"]
    assert board.captures("B2", "black") == []


def test_after_a_stone() -> None:
    board = Board.parse(KO)
    taken = board.after("B2", "white")
    assert taken.color_at("C2") is None
    assert taken.ko == "C2"
    assert board.color_at("C2") == "black"
    with pytest.raises(IllegalMoveError) as refused:
        taken.after("C2", "black")
    assert refused.value.reason == "ko"


def test_equality_hash_copies_and_pickles() -> None:
    board = Board.parse(KO)
    taken = board.after("B2", "white")
    assert taken != board
    # The ko point is part of the position.
    assert Board.from_stones(taken.stones) != taken
    assert Board.from_stones(taken.stones).hash == taken.hash
    for again in [copy.copy(taken), copy.deepcopy(taken), taken.copy(), pickle.loads(pickle.dumps(taken))]:
        assert again == taken
        assert hash(again) == hash(taken)
        assert again.ko == "C2"
    assert {board: 1}[Board.parse(str(board))] == 1
    assert Board(9) != Board(13)
    assert Board((9, 13)).size == (9, 13)
    assert Board((9, 13)).stones.shape == (13, 9)


def test_symmetries() -> None:
    board = Board.parse("X O .\n. . .")
    images = {board.transformed(symmetry) for symmetry in range(8)}
    assert len(images) == 8
    assert board.transformed(4).size == (2, 3)
    assert board.transformed(4).stones.tolist() == board.stones.T.tolist()
    with pytest.raises(ValueError, match="0 to 7"):
        board.transformed(8)


def test_pass_alive_and_territory() -> None:
    board = Board.parse(". X . X O\nX X X X O\nO O O O O\n. . . . .")
    assert board.pass_alive().tolist()[0] == [1, 1, 1, 1, 0]
    assert board.territory().tolist()[3] == [-1] * 5
    dead = [point for point in board.chain("E4").stones]
    assert (board.territory(dead=dead)[2:] == 1).all()
    assert board.is_eye("A4", "black")


def test_a_game_has_its_board() -> None:
    game = Game(9)
    board = game.board
    game.play("E5")
    assert board == Board(9)
    assert game.board.color_at("E5") == "black"
