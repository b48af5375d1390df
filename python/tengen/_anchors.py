"""The fixed scale of strength: what opponents of `evaluate` have, with random play at 0. docs/env/search.md says how
it was measured."""

from __future__ import annotations

__all__ = ["ANCHORS"]

ANCHORS: dict[tuple[int, int], dict[str, float]] = {
    (5, 5): {
        "random": 0.0,
        "rollouts@1/20": 170.0,
        "rollouts@1/50": 515.0,
        "rollouts@1/80": 807.0,
        "rollouts@1": 979.0,
        "baseline@0": 1262.0,
        "rollouts@100": 1282.0,
    },
    (9, 9): {
        "random": 0.0,
        "rollouts@1/20": 284.0,
        "rollouts@1/50": 693.0,
        "rollouts@1/80": 1133.0,
        "rollouts@1": 1460.0,
        "rollouts@100": 1758.0,
        "baseline@0": 1863.0,
        "baseline@64": 2434.0,
    },
    (19, 19): {
        "random": 0.0,
        "rollouts@1/5": 166.0,
        "rollouts@1/10": 302.0,
        "rollouts@1/20": 550.0,
        "rollouts@1/35": 905.0,
        "rollouts@1/50": 1212.0,
        "rollouts@1/70": 1777.0,
        "rollouts@1/85": 2070.0,
        "rollouts@1": 2771.0,
        "rollouts@10": 2859.0,
        "baseline@0": 3276.0,
    },
}
"""For each board, the Elo of opponents by their names."""
