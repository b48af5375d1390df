"""What the page about scale says is what the simulation says, and that agrees with what was measured."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = ROOT / "python" / "benchmarks"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", BENCHMARKS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SIMULATION = load("scale_simulation")


@pytest.fixture
def measured() -> Any:
    return json.loads((BENCHMARKS / "scale.json").read_text(encoding="utf-8"))


def test_one_worker_and_two_do_what_was_measured(measured: Any) -> None:
    rows = [line.split(" | ") for line in SIMULATION.here(measured)[2:]]
    assert len(rows) == 6
    for row in rows:
        assert 0.9 < float(row[-1].rstrip(" |")) < 1.1, row


def test_the_page_has_the_tables_of_the_simulation(capsys: pytest.CaptureFixture[str]) -> None:
    SIMULATION.main([])
    page = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
    lines = [line for line in capsys.readouterr().out.splitlines() if line]
    assert len(lines) == 24
    for line in lines:
        assert line in page


def test_workers_without_limits_scale_and_a_slow_receiver_stops_them() -> None:
    work = SIMULATION.Work("w", 1.0, 0.0, 0.0, 0.0, 1)
    assert SIMULATION.simulate(work, 100, 10_000) == pytest.approx(100, rel=0.05)
    slow = SIMULATION.Work("w", 1.0, 0.02, 0.0, 0.0, 1)
    assert SIMULATION.simulate(slow, 100, 10_000) == pytest.approx(50, rel=0.02)
    thin = SIMULATION.Work("w", 1.0, 0.0, 0.0, 1e6, 1, bandwidth=1e7)
    assert SIMULATION.simulate(thin, 100, 10_000) == pytest.approx(10, rel=0.02)
    # Half a processor does half as much, and two receivers twice as much.
    half = SIMULATION.Work("w", 1.0, 0.0, 0.0, 0.0, 1, share=0.5)
    assert SIMULATION.simulate(half, 10, 4_000) == pytest.approx(5, rel=0.05)
    two = SIMULATION.Work("w", 1.0, 0.02, 0.0, 0.0, 1, receivers=2)
    assert SIMULATION.simulate(two, 200, 20_000) == pytest.approx(100, rel=0.02)
