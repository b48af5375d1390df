"""Pictures of states."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from tengen._native import Board

if TYPE_CHECKING:
    from tengen.pgx.state import State

Array = npt.NDArray[Any]
Theme = Literal["light", "dark", "wood"]

_THEMES = {None: "plain", "light": "plain", "dark": "dark", "wood": "wood"}


def save_svg(
    state: State,
    filename: str | os.PathLike[str],
    *,
    color_theme: Theme | None = None,
    scale: float | None = None,
) -> None:
    """Writes a picture of the board, or of all boards of a batch, to a file whose name ends in `.svg`."""
    state.save_svg(filename, color_theme=color_theme, scale=scale)


def save_svg_animation(
    states: Sequence[State],
    filename: str | os.PathLike[str],
    *,
    color_theme: Theme | None = None,
    scale: float | None = None,
    frame_duration_seconds: float = 0.2,
) -> None:
    """Writes a picture that shows these states one after another, over and over, to a file whose name ends in
    `.svg`."""
    if not states:
        raise ValueError("an animation needs at least one state")
    duration = frame_duration_seconds * len(states)
    share = 100 / len(states)
    style = (
        f".f{{visibility:hidden;animation:{duration:g}s step-end k infinite}}"
        f"@keyframes k{{0%{{visibility:visible}}{share:.6f}%,100%{{visibility:hidden}}}}"
    )
    frames: list[str] = []
    width = height = 0.0
    for number, state in enumerate(states):
        drawing, width, height = _side_by_side(boards_of(state._position.planes, color_theme))
        style += f"#f{number}{{animation-delay:{number * frame_duration_seconds:g}s}}"
        frames.append(f'<g class="f" id="f{number}">{drawing}</g>')
    write_svg(filename, _document(f"<style>{style}</style>{''.join(frames)}", width, height, scale))


def boards_of(all_planes: Array, theme: Theme | None) -> list[str]:
    """A picture of each board, with the last move marked."""
    if theme not in _THEMES:
        raise ValueError(f"color_theme is 'light', 'dark' or 'wood', not {theme!r}")
    pictures: list[str] = []
    for planes in all_planes:
        white_to_move = bool(planes[0, 0, -1])
        mine, theirs = planes[..., 0], planes[..., 1]
        black, white = (theirs, mine) if white_to_move else (mine, theirs)
        options: dict[str, Any] = {"theme": _THEMES[theme], "coordinates": False}
        new = np.argwhere(theirs & ~planes[..., 3])
        if len(new) == 1:
            row, column = new[0].tolist()
            options["last"] = (column, row)
        stones = black.astype(np.int8) + 2 * white.astype(np.int8)
        pictures.append(Board.from_stones(stones).svg(**options).strip())
    return pictures


def _side_by_side(pictures: list[str]) -> tuple[str, float, float]:
    """The pictures in rows, with the width and height of all of them."""
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', pictures[0])
    assert size is not None, "a picture says how large it is"
    width, height = (float(side) for side in size.groups())
    columns = math.ceil(math.sqrt(len(pictures)))
    placed: list[str] = []
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        placed.append(picture.replace("<svg ", f'<svg x="{column * width:g}" y="{row * height:g}" ', 1))
    return "".join(placed), columns * width, math.ceil(len(pictures) / columns) * height


def picture(pictures: list[str], scale: float | None) -> str:
    """All pictures in one."""
    return _document(*_side_by_side(pictures), scale)


def _document(drawing: str, width: float, height: float, scale: float | None) -> str:
    shown = 1.0 if scale is None else scale
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * shown:g}" height="{height * shown:g}" '
        f'viewBox="0 0 {width:g} {height:g}">{drawing}</svg>\n'
    )


def write_svg(filename: str | os.PathLike[str], picture: str) -> None:
    """Writes a picture to a file whose name must end in `.svg`."""
    if not os.fspath(filename).endswith(".svg"):
        raise ValueError(f"the name of a picture ends in .svg, which {os.fspath(filename)} does not")
    with open(filename, "w", encoding="utf-8") as file:
        file.write(picture)
