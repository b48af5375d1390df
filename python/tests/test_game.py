"""Games from Python."""

import copy
import pickle

import numpy as np
import pytest

from tengen import Board, Game, IllegalMoveError, Rules

KO = """
    . X O .
    X . X O
    . X O .
    White to move
"""


@pytest.mark.parametrize("move", ["D4", "d4", " D4 ", (3, 5), (np.int8(3), 5), 48, np.int64(48), np.uint8(48)])
def test_a_move_can_be_written_in_many_ways(move: object) -> None:
    game = Game(9)
    game.play(move)
    assert game.moves == ["D4"]
    assert game.stones[5, 3] == 1
    assert game.check(move) == "occupied"
    assert (game.to_action(move), game.to_gtp(move), game.to_point(move)) == (48, "D4", (3, 5))


@pytest.mark.parametrize("move", ["pass", "PASS", None, 81])
def test_a_pass_can_be_written_in_many_ways(move: object) -> None:
    game = Game(9)
    game.play(move)
    assert game.moves == ["pass"]
    assert game.to_point(move) is None
    game.pass_()
    assert game.is_over


@pytest.mark.parametrize("move", ["K1", "A10", (9, 0), (0, -1), -1, 82, 10**9, (300, 300)])
def test_a_move_off_the_board(move: object) -> None:
    game = Game(9)
    assert game.check(move) == "off board"
    assert not game.is_legal(move)
    with pytest.raises(IllegalMoveError, match="off board") as refused:
        game.play(move)
    assert refused.value.reason == "off board"
    assert refused.value.move == str(move)
    with pytest.raises(ValueError, match="is not on a 9x9 board"):
        game.to_action(move)


@pytest.mark.parametrize(
    ("move", "error", "message"),
    [
        ("", ValueError, "such as `D4`"),
        ("I5", ValueError, "no column I"),
        ("resign", ValueError, "such as `D4`"),
        (True, TypeError, "a move is text"),
        (4.0, TypeError, "a move is text"),
        ((1, 2, 3), TypeError, "a pair"),
        (b"D4", TypeError, "not bytes"),
        ({}, TypeError, "not dict"),
    ],
)
def test_what_is_no_move(move: object, error: type, message: str) -> None:
    for method in [Game(9).play, Game(9).check, Game(9).to_action]:
        with pytest.raises(error, match=message):
            method(move)


def test_refusals_name_the_move_and_the_reason() -> None:
    game = Game(setup=KO, rules="chinese")
    game.play("B2")
    reasons = game.illegal_moves()
    assert reasons["C2"] == "ko"
    assert reasons["D3"] == "suicide"
    assert reasons["B3"] == "occupied"
    assert set(reasons) | set(game.legal_moves()) - {"pass"} == {
        f"{column}{row}" for column in "ABCD" for row in "123"
    }
    with pytest.raises(IllegalMoveError) as refused:
        game.play((2, 1))
    error = refused.value
    assert isinstance(error, ValueError)
    assert (error.reason, error.move) == ("ko", "C2")
    assert "C2 is illegal (ko)" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (again.reason, again.move, str(again)) == ("ko", "C2", str(error))
    # A refused move changes nothing.
    assert game.moves == ["B2"]


def test_masks_moves_and_verdicts_agree() -> None:
    rng = np.random.default_rng(7)
    for name in Rules.presets():
        game = Game((5, 4), name)
        while not game.is_over and len(game.moves) < 100:
            mask = game.legal_mask()
            assert mask.dtype == np.bool_
            assert mask.shape == (21,)
            assert [game.is_legal(action) for action in range(21)] == mask.tolist()
            assert [game.to_action(move) for move in game.legal_moves()] == np.flatnonzero(mask).tolist()
            before = game.copy()
            game.play(rng.choice(np.flatnonzero(mask)))
            assert game != before
            turn = game.undo()
            assert turn is not None
            assert game == before
            game.play(turn.move)
        if game.is_over:
            assert not game.legal_mask().any()
            assert game.legal_moves() == []
            assert game.check("pass") == "game over"


def test_sizes() -> None:
    assert Game().size == (19, 19)
    assert Game((9, 13)).size == (9, 13)
    assert Game("9x13").stones.shape == (13, 9)
    for size in [0, 26, -1, (9, 0), 10**30, "big"]:
        with pytest.raises((ValueError, TypeError)):
            Game(size)
    with pytest.raises(TypeError, match="a pair"):
        Game(9.5)


def test_komi() -> None:
    assert Game(19).komi == 7.5
    assert Game(7).komi == 9
    assert Game(9, Rules(komi=5.5)).komi == 5.5
    game = Game(9, komi=-3)
    assert (game.komi, game.rules.komi) == (-3, None)
    game.komi = 6.5
    assert game.score().komi == 6.5
    with pytest.raises(ValueError, match="a half more"):
        game.komi = 6.3


def test_handicap() -> None:
    game = Game(19, "chinese", handicap=3)
    assert (game.to_move, game.handicap, game.score().compensation) == ("white", 3, 3)
    assert np.count_nonzero(game.stones == 1) == 3
    assert game.moves == []
    free = Game(9, "chinese", handicap=["C3", (6, 6)])
    assert (free.handicap, free.start.color_at("G3")) == (2, "black")
    setup = Game(setup="X . X\n. . .", rules="chinese", handicap=2)
    assert (setup.handicap, setup.to_move) == (2, "black")
    assert Game(9, handicap=0) == Game(9)
    with pytest.raises(ValueError, match="2 to 9 stones"):
        Game(19, handicap=10)
    with pytest.raises(ValueError, match="no handicap points"):
        Game(5, handicap=2)
    with pytest.raises(ValueError, match="as handicap"):
        Game(setup="X . X", handicap=["A1"])


def test_setups() -> None:
    board = Board.parse(KO)
    stones = board.stones
    games = [Game(setup=KO), Game(setup=board, to_move="white"), Game(setup=stones, to_move="W")]
    assert games[0] == games[1] == games[2]
    assert Game((4, 3), setup=KO) == games[0]
    with pytest.raises(ValueError, match="leave the size out"):
        Game(9, setup=KO)
    taken = board.after("B2", "white")
    assert Game(setup=taken).check("C2") == "ko"
    # The position that was set up is the first that superko remembers.
    assert Game(setup=taken.stones, rules=Rules(ko="positional")).check("C2") is None
    game = Game(setup=KO)
    game.play("B2")
    assert game.start == board
    assert Game(setup=str(game)).to_move == "black"


def test_scores_with_dead_stones() -> None:
    game = Game(setup=". X O .\n. X O .\nO X O .", rules="japanese", komi=0)
    for dead in ["A1", ["A1"], [(0, 2)], [8], np.array([8]), iter(["A1"])]:
        score = game.score(dead=dead)
        assert (str(score), score.prisoners, score.leader) == ("B+1", (1, 0), "black")
    assert game.ownership(dead="A1")[2].tolist() == [1, 1, -1, -1]
    assert game.ownership()[2].tolist() == [-1, 1, -1, -1]
    with pytest.raises(ValueError, match=r"write \[\(0, 2\)\]"):
        game.score(dead=(0, 2))
    with pytest.raises(ValueError, match="not a pass"):
        game.score(dead=["pass"])


def test_ends_and_resumption() -> None:
    game = Game(9)
    game.play("E5")
    assert (game.result, game.winner, game.is_over) == (None, None, False)
    game.resign()
    assert (game.result, game.winner) == ("B+R", "black")
    game.resume()
    game.resign("black")
    assert game.result == "W+R"
    for given, read in {"b+3.5": "B+3.5", "W+T": "W+T", "W+F": "W+F", "draw": "0", "Void": "Void"}.items():
        game.end(given)
        assert game.result == read
    game.end()
    assert game.result == "B+73.5"
    game.end(game.score(dead=["E5"]))
    assert game.result == "W+7.5"
    game.undo()
    assert not game.is_over
    with pytest.raises(ValueError, match="is no result"):
        game.end("B wins")
    game.to_move = "white"
    game.play("E5")
    assert game.turns[0].color == "white"


def test_turns() -> None:
    game = Game(setup=KO)
    game.play("B2")
    turn = game.turns[0]
    assert (turn.color, turn.move, turn.removed, turn.suicide) == ("white", "B2", 1, False)
    assert game.prisoners == (0, 1)
    assert (game.last_move, game.ko) == ("B2", "C2")
    assert game.undo() == turn
    assert game.undo() is None
    assert game.last_move is None


def test_copies_go_their_own_way() -> None:
    game = Game(9)
    game.play("E5")
    for again in [game.copy(), copy.copy(game), copy.deepcopy(game)]:
        assert again == game
        again.play("C3")
        assert again != game
    assert game.moves == ["E5"]
    assert game != "game"
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_pickles_and_bytes_keep_everything() -> None:
    game = Game(setup=KO, rules=Rules("japanese", ko="situational"), komi=3, handicap=2)
    for move in ["B2", "A1", "pass", "C2"]:
        game.play(move)
    game.resign()
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(game, protocol))
        assert again == game
        assert again.to_bytes() == game.to_bytes()
        assert (again.komi, again.handicap, again.result) == (3, 2, game.result)
        while game.turns and again.undo():
            game.undo()
            assert again.illegal_moves() == game.illegal_moves()
        game = pickle.loads(pickle.dumps(game, protocol))
    for data in [b"", b"TGS", game.to_bytes()[:-1], game.to_bytes() + b"x"]:
        with pytest.raises(ValueError):
            Game.from_bytes(data)


def test_records() -> None:
    game = Game((9, 13), "chinese", komi=6.5)
    for move in ["E5", "C3", "pass"]:
        game.play(move)
    again = Game.from_sgf(game.to_sgf())
    assert (again.moves, again.komi, again.size) == (game.moves, 6.5, (9, 13))
    assert Game.from_sgf(game.to_sgf().encode(), move=2).moves == ["E5", "C3"]
    assert Game.from_sgf(game.to_sgf(), 0).moves == []
    with pytest.raises(ValueError, match="no move 9: the game has 3 moves"):
        Game.from_sgf(game.to_sgf(), 9)
    with pytest.raises(TypeError, match="tengen.sgf.read"):
        Game.from_sgf(7)


def test_inspect() -> None:
    game = Game(setup=KO)
    game.play("B2")
    known = game.inspect("C2")
    assert (known["illegal"], known["captures"], known["owner"]) == ("ko", ["B2"], "white")
    stone = game.inspect("B2")
    assert (stone["last_played"], stone["illegal"]) == (1, "occupied")
    assert stone["chain"] is not None
    assert stone["chain"].liberties == ["C2"]
    assert game.inspect("B3")["last_played"] is None


def test_texts() -> None:
    game = Game(5)
    assert repr(game) == "<Game 5x5, tromp-taylor. Black to move>"
    game.play("C3")
    assert "(X)" in str(game)
    assert str(game).endswith("White to move\n")
    game.resign()
    assert str(game).endswith("Result B+R\n")
    assert repr(game) == "<Game 5x5, tromp-taylor. Move 1, Black C3. B+R>"
