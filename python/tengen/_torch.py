"""Positions as PyTorch wants them. Only whoever asks for it imports PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tengen._positions import Positions

__all__ = ["PositionDataset"]

_torch: Any = import_module("torch")
_data: Any = import_module("torch.utils.data")


class PositionDataset(_data.IterableDataset):
    """Batches of positions as dictionaries of tensors."""

    def __init__(self, positions: Positions) -> None:
        self.positions = positions

    def __iter__(self) -> Iterator[dict[str, Any]]:
        info = _data.get_worker_info()
        worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
        for batch in self.positions.batches(worker, workers):
            yield {name: _torch.from_numpy(array) for name, array in batch._asdict().items()}
