"""The fixed scale of strength: what opponents of `evaluate` have, with random play at 0. docs/env/evaluate.md says how
it was measured."""

from __future__ import annotations

__all__ = ["ANCHORS"]

ANCHORS: dict[tuple[int, int], dict[str, float]] = {}
"""For each board, the Elo of opponents by their names."""
