"""Records from Python."""

import pickle
from pathlib import Path

import pytest
from corpus import TESTDATA

from tengen import Game, sgf

TREE = "(;SZ[9]PB[Alice]PW[Bob]RE[W+R];B[ee]C[Centre \\] bracket](;W[gc];B[cg])(;W[cc]C[Or here]LB[dd:A]))"


def test_a_real_game_is_read_and_written_as_it_was(tmp_path: Path) -> None:
    path = TESTDATA / "sgf" / "gnugo.sgf"
    games = sgf.read(path)
    assert sgf.read(str(path)) == games == sgf.read(path.read_bytes())
    root = games[0]
    assert root.info["white"] == "GNU Go 3.8"
    assert root.info["moves"] == 246
    line = root.main_line()
    assert line[-1].move_number == 246
    assert len(line[-1].path()) == len(line)
    assert sgf.game_at(line[-1]).stones.any()
    assert games.check() == []
    sgf.write(games, tmp_path / "again.sgf")
    assert sgf.read(tmp_path / "again.sgf") == games
    assert sgf.loads(games.to_sgf(canonical=True))[0].info == root.info


def test_walking_a_tree() -> None:
    root = sgf.loads(TREE)[0]
    assert [node.move for node in root.main_line()] == [
        None,
        ("black", "E5"),
        ("white", "G7"),
        ("black", "C3"),
    ]
    node = root.next
    assert node is not None
    assert node.comment == "Centre ] bracket"
    assert node.raw("C") == ["Centre \\] bracket"]
    first, second = node.children
    assert (second.comment, second.get("LB"), second.get("N"), second.get("N", "-")) == ("Or here", "dd:A", None, "-")
    assert second.parent == node
    assert second.root == root
    assert [step.move_number for step in second.path()] == [0, 1, 2]
    assert len(root.descendants()) == 5
    assert first.next.next is None
    assert second.game().moves == ["E5", "C7"]
    assert second.to_sgf() == "(;W[cc]C[Or here]LB[dd:A])"
    assert {node: 1}[root.children[0]] == 1
    assert root.parent is None
    assert "Or here" in str(second)
    assert repr(second) == "<Node ;W[cc]C[Or here]LB[dd:A]>"


def test_nodes_are_like_dicts() -> None:
    games = sgf.loads(TREE)
    root = games[0]
    assert dict(root) == root.properties == {"SZ": ["9"], "PB": ["Alice"], "PW": ["Bob"], "RE": ["W+R"]}
    assert list(root) == root.keys() == ["SZ", "PB", "PW", "RE"]
    assert "PB" in root
    assert "C" not in root
    root["PB"] = "Carol]"
    root["AB"] = ["aa", "bb"]
    del root["RE"]
    root.comment = "New"
    assert str(games).startswith("(;SZ[9]PB[Carol\\]]PW[Bob]AB[aa][bb]C[New];")
    root.comment = ""
    assert "C" not in root
    for missing in [lambda: root["C"], lambda: root.raw("C"), lambda: root.__delitem__("C")]:
        with pytest.raises(KeyError):
            missing()
    for name in ["", "c", "A B", "]"]:
        with pytest.raises(ValueError, match="capital letters"):
            root[name] = "x"


def test_a_record_is_made_from_nothing() -> None:
    games = sgf.Collection()
    assert (len(games), str(games)) == (0, "")
    node = games.add_game()
    node["SZ"] = "9"
    node = node.add_move("black", "E5").add_move("white", (0, 0))
    assert str(games) == "(;SZ[9];B[ee];W[aa])"
    assert node.game().moves == ["E5", "A9"]
    with pytest.raises(ValueError, match="not on a 9x9 board"):
        node.add_move("black", "K10")
    assert [root.info["size"] for root in games] == ["9"]
    with pytest.raises(IndexError, match="no game 1"):
        games[1]
    assert games[-1] == games[0]


def test_repairs_are_reported() -> None:
    games = sgf.loads("(;SZ[9]KM[375];B[ee];W[ee]")
    assert [(d.severity, d.line, d.column) for d in games.diagnostics] == [("error", 1, 27)]
    assert [d.severity for d in games.check()] == ["error", "warning", "error"]
    assert games[0].next.next.game().moves[-1] == "E5"
    with pytest.raises(sgf.SgfError, match="occupied"):
        sgf.loads("(;SZ[9];B[ee];W[ee])")[0].next.next.game(strict=True)
    with pytest.raises(sgf.SgfError, match="1:27: a `\\)` is missing"):
        sgf.loads("(;SZ[9]KM[375];B[ee];W[ee]", strict=True)
    with pytest.raises(sgf.SgfError):
        sgf.loads("nothing")
    with pytest.raises(sgf.SgfError, match="cannot be replayed"):
        sgf.loads("(;SZ[40])")[0].game()
    with pytest.raises(FileNotFoundError):
        sgf.read("no such file.sgf")


def test_encodings() -> None:
    text = "(;CA[Shift_JIS]SZ[9]PB[本因坊])"
    games = sgf.loads(text.encode("shift_jis"))
    assert (games.encoding, games.format) == ("Shift_JIS", "SGF")
    assert games[0]["PB"] == ["本因坊"]
    # What is written is UTF-8, and says so.
    assert sgf.dumps(games) == "(;CA[UTF-8]SZ[9]PB[本因坊])"
    # A text has been decoded, whatever it says about itself.
    assert sgf.loads(text)[0]["PB"] == ["本因坊"]
    assert sgf.loads("\ufeff" + text, strict=True)[0]["PB"] == ["本因坊"]
    assert sgf.dumps(sgf.loads("(;CA[utf-8]SZ[9])")) == "(;CA[utf-8]SZ[9])"


def test_dumps_takes_games_trees_and_collections() -> None:
    game = Game(9)
    game.play("E5")
    assert sgf.loads(sgf.dumps(game))[0].next.move == ("black", "E5")
    assert sgf.dumps(game, canonical=True).startswith("(;FF[4]\n")
    games = sgf.loads(TREE)
    assert sgf.dumps(games) == sgf.dumps(games[0]) == TREE
    assert pickle.loads(pickle.dumps(games)) == games


def test_a_deep_tree_does_not_overflow() -> None:
    text = "(" + ";B[aa]" * 200_000 + ")"
    games = sgf.loads(text)
    assert sgf.dumps(games) == text
    assert len(games[0].main_line()) == 200_000
