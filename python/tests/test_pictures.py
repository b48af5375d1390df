"""Pictures from Python."""

import xml.etree.ElementTree as ElementTree

import pytest

from tengen import Board, Game, sgf


def game() -> Game:
    game = Game(9)
    for move in ["E5", "C3", "G7"]:
        game.play(move)
    return game


def test_an_svg_is_well_formed_and_shows_what_was_asked() -> None:
    svg = game().svg(
        theme="plain",
        coordinates=False,
        numbers=(2, 3),
        marks={"triangle": ["A1", "B2"], "black": "J9"},
        labels={"D4": "A & B", (0, 0): 7},
        lines=[("A1", "A9")],
        arrows=[("B1", "B9")],
        crop="A1 J9",
        caption="<Three> moves",
    )
    ElementTree.fromstring(svg)
    assert ">2</text>" in svg
    assert ">1</text>" not in svg
    assert "&lt;Three&gt; moves" in svg
    assert ">7</text>" in svg
    ElementTree.fromstring(Board(19).svg())


def test_the_last_move_has_a_ring() -> None:
    assert game().svg() != game().svg(last=False)
    assert game().svg(last="E5") != game().svg()
    assert game().svg(last=True) == game().svg()
    assert game().svg(last=False) == game().board.svg()


def test_png() -> None:
    png = game().png(300, theme="dark")
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20], "big") == 300
    with pytest.raises(ValueError, match="pixels"):
        game().png(0)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"colour": "red"}, TypeError, "use theme, coordinates"),
        ({"theme": "pink"}, ValueError, "`wood`, `plain` or `dark`"),
        ({"marks": {"star": "A1"}}, ValueError, "triangle, square"),
        ({"labels": {"Z9": "A"}}, ValueError, "not on a 9x9 board"),
        ({"lines": ["A1"]}, TypeError, "tuple"),
    ],
)
def test_options_that_do_not_exist(options: dict[str, object], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        game().svg(**options)


def test_notebooks_show_boards_games_and_nodes() -> None:
    node = sgf.loads("(;SZ[9];B[ee]C[a < b\nand more]TR[aa])")[0].next
    for shown in [Board(9), game(), node]:
        assert shown._repr_svg_().startswith("<svg ")
        ElementTree.fromstring(shown._repr_html_().replace("<br>", "<br/>"))
    assert "Move 3, Black G7. White to move" in game()._repr_html_()
    assert "a &lt; b<br>and more" in node._repr_html_()
