"""Positions to learn from: those of game records, and those of a run's games."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from tengen._arguments import choice, seed_of_games, whole
from tengen._native import PositionSource, Run

__all__ = ["PositionBatch", "Positions"]

Floats: TypeAlias = npt.NDArray[np.float32]


class PositionBatch(NamedTuple):
    """Positions and all that is known about them, a row each, as the player to move sees it. What is not known is not a
    number (NaN) in a whole row: a game that was resigned has no lead and no owners of points."""

    planes: npt.NDArray[Any]
    """The planes of `observation='tactical'`."""
    globals: Floats
    """Eight numbers about komi and rules, as `Net.inputs` gives them."""
    mask: npt.NDArray[np.bool_]
    """The actions that are legal and may change something."""
    policy: Floats
    """How likely each action should be: the move that was played, or what a search found."""
    win_draw_loss: Floats
    """How the game ended, or what a search thought: three shares."""
    lead: Floats
    """By how many points the player was ahead at the end, komi included."""
    ownership: Floats
    """Whose each point was at the end: 1 is the player's, -1 the opponent's."""


class Positions:
    """Batches of training positions from game records or from the games of a run, shuffled and turned.

    `source` is a file, folder or pattern of SGF records (collections, gzip, xz and zip are read as they are), a list of
    such, a `Run` or the folder of one, or files of a run's games (`games-….tgr`). `options` are those of `[records]` in
    a configuration of `tengen train`, such as `sizes=["9"]`, `lowest_rank="5d"` or `positions=8` (a game, in a pass).

    Iterating gives batches for so many `passes` over all games, or without end if it is None. The order depends on the
    seed alone, and each pass has another one. `augment` turns and mirrors boards at random, and tells records by area
    and with other komis too. Boards of different sizes lie in the upper left corner of one frame.

    >>> import tempfile, tengen
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     game = tengen.Game(5)
    ...     for move in ['C3', 'C2', 'B2', 'D3', 'D2', 'B1', 'C1']:
    ...         game.play(move)
    ...     game.resign('white')
    ...     with open(f'{folder}/game.sgf', 'w') as file:
    ...         _ = file.write(game.to_sgf())
    ...     positions = tengen.Positions(folder, batch_size=2, passes=1, fewest_moves=5, held_out=0.0)
    ...     [batch.planes.shape for batch in positions]
    [(2, 5, 5, 23), (2, 5, 5, 23)]
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | Run | Sequence[str | os.PathLike[str]],
        *,
        batch_size: SupportsIndex = 256,
        passes: SupportsIndex | None = None,
        seed: int = 0,
        augment: bool = True,
        layout: Literal["channels-last", "channels-first"] = "channels-last",
        dtype: Literal["float32", "uint8"] = "float32",
        search_share: float = 0.0,
        **options: Any,
    ) -> None:
        self.batch_size = whole("batch_size", batch_size, 1)
        self.passes = None if passes is None else whole("passes", passes, 1)
        self.seed = seed_of_games(seed)
        self.augment = bool(augment)
        self.layout = choice("layout", layout, ["channels-last", "channels-first"])
        self.dtype = choice("dtype", dtype, ["float32", "uint8"])
        self.search_share = float(search_share)
        if not 0 <= self.search_share <= 1:
            raise ValueError(f"search_share is a number from 0 to 1, not {search_share!r}")
        self.options = options
        paths: list[Any] = [source.folder] if isinstance(source, Run) else _listed(source)
        self.paths: list[str] = [os.fspath(path) for path in paths]
        if not self.paths:
            raise ValueError("there are no files to read positions from")
        self._source, self.is_records = self._open()

    def _open(self) -> tuple[PositionSource, bool]:
        games = [file for path in self.paths for file in _game_files(Path(path))]
        if games:
            if self.options:
                name = next(iter(self.options))
                raise TypeError(f"{name} is an option for game records, and {self.paths[0]} has games of a run")
            return PositionSource.of_games([str(file) for file in games], [], self.search_share), False
        if "tutor" in self.options:
            raise TypeError("a tutor teaches in a run of `tengen train`, not here")
        options: dict[str, Any] = {} if self.augment else {"area_share": 0.0, "komi_spread": 0.0}
        options |= {"files": self.paths, **self.options}
        return PositionSource.of_records(json.dumps(options), self.seed), True

    @property
    def num_games(self) -> int:
        """How many games there are."""
        return self._source.num_games

    @property
    def num_positions(self) -> int:
        """How many positions a pass has."""
        return self._source.num_positions

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the frame that all boards lie in."""
        return self._source.size

    def __len__(self) -> int:
        """How many batches a pass has."""
        return self.num_positions // self.batch_size

    def __iter__(self) -> Iterator[PositionBatch]:
        return self.batches()

    def batches(self, worker: int = 0, workers: int = 1) -> Iterator[PositionBatch]:
        """All batches, or every so many of them: those of one of several workers."""
        if self.num_positions < self.batch_size:
            raise ValueError(f"a pass has {self.num_positions} positions, and no batch of {self.batch_size}")
        number = worker
        while self.passes is None or number < self.passes * len(self):
            yield self.batch(number)
            number += workers

    def batch(self, number: SupportsIndex) -> PositionBatch:
        """The batch with this number, counted over all passes: it depends on the number and the seed alone."""
        place = whole("number", number, 0)
        a_pass, inside = divmod(place, len(self))
        first = inside * self.batch_size
        rng = np.random.default_rng((self.seed, place))
        symmetries = rng.integers(8, size=self.batch_size).tolist() if self.augment else None
        if self.is_records:
            # Records have an order of their own, pass by pass.
            first += a_pass * self.num_positions
            numbers = list(range(first, first + self.batch_size))
        else:
            order = self._order(a_pass)
            numbers = order[first : first + self.batch_size].tolist()
        arrays = self._source.batch(numbers, symmetries, self.layout)
        rows = len(arrays["lead"])
        if rows == 0:
            raise ValueError(f"nothing can be learned from the positions of batch {place}")
        if rows < self.batch_size:
            # Positions from which nothing can be learned are left out, and others stand for them.
            again = np.arange(self.batch_size) % rows
            for name in list(arrays):
                arrays[name] = arrays[name][again]
        planes = arrays.pop("planes").astype(self.dtype, copy=False)
        return PositionBatch(planes, **arrays)

    def _order(self, a_pass: int) -> npt.NDArray[np.int64]:
        known = getattr(self, "_shuffled", None)
        if known is None or known[0] != a_pass:
            rng = np.random.default_rng((self.seed, a_pass, 1))
            known = (a_pass, rng.permutation(self.num_positions))
            self._shuffled = known
        return known[1]

    def torch(self) -> Any:
        """The same as an `IterableDataset` of PyTorch, which yields dictionaries of tensors: give it to a `DataLoader`
        with `batch_size=None`. Each worker of the loader makes every so many batches."""
        from tengen._torch import PositionDataset

        return PositionDataset(self)

    def __getstate__(self) -> dict[str, Any]:
        # The files are read again where it is unpickled.
        return {name: value for name, value in vars(self).items() if name not in ("_source", "_shuffled")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._source, self.is_records = self._open()

    def __repr__(self) -> str:
        return f"<Positions: {self.num_positions} of {self.num_games} games, batches of {self.batch_size}>"


def _listed(source: Any) -> list[Any]:
    if isinstance(source, str | os.PathLike):
        return [source]
    if issubclass(type(source), Sequence):
        return list(source)
    raise TypeError(f"source is a file, a folder, a pattern, a list of such or a Run, not {source!r}")


def _game_files(path: Path) -> list[Path]:
    """The files of a run's games that a path means, if it means any."""
    if path.suffix == ".tgr":
        return [path]
    for folder in (path / "games", path):
        files = sorted(folder.glob("games-*.tgr")) if folder.is_dir() else []
        if files:
            return files
    return []


for _public in (PositionBatch, Positions):
    _public.__module__ = "tengen"
