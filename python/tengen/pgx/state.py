"""What the games look like at one point."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.pgx.line import Position
from tengen.pgx.picture import Theme, boards_of, picture, write_svg

Array = npt.NDArray[Any]


@dataclasses.dataclass(frozen=True, eq=False, repr=False)
class State:
    """What the games look like at one point; `Go.init` and `Go.step` make them.

    A state is never changed: it can be stepped again and again, each time with other actions. Without a batch dimension
    (`env.init(key)` with one key) all arrays lack the first dimension.

    - current_player: the number of the player to move, 0 or 1, which is not the colour
    - observation: the planes that this player sees
    - rewards: of players 0 and 1
    - terminated: whether the game is over
    - truncated: always false, unless somebody replaces it
    - legal_action_mask: all true when the game is over
    """

    current_player: Array
    observation: Array
    rewards: Array
    terminated: Array
    truncated: Array
    legal_action_mask: Array
    _step_count: Array
    _player_order: Array
    _position: Position

    def replace(self, **fields: Any) -> State:
        """The same state with other values in these fields."""
        return dataclasses.replace(self, **fields)

    @property
    def env_id(self) -> str:
        """The name that `make` takes."""
        rows, columns = self._position.planes.shape[1:3]
        return f"go_{columns}x{rows}"

    @property
    def _batched(self) -> bool:
        return self._step_count.ndim == 1

    def to_svg(self, *, color_theme: Theme | None = None, scale: float | None = None) -> str:
        """A picture of the board, or of all boards of a batch."""
        return picture(boards_of(self._position.planes, color_theme), scale)

    def save_svg(
        self,
        filename: str | os.PathLike[str],
        *,
        color_theme: Theme | None = None,
        scale: float | None = None,
    ) -> None:
        """Writes the picture to a file, whose name ends in `.svg`."""
        write_svg(filename, self.to_svg(color_theme=color_theme, scale=scale))

    def _repr_html_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        games = f"{len(self._step_count)} games" if self._batched else "one game"
        return f"<State: {games} of {self.env_id} after {int(np.max(self._step_count))} moves>"
