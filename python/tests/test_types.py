"""What type checkers are told is true."""

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]


def run(folder: Path, *command: str) -> None:
    """Runs a tool on the package as it is installed, which is not where its sources are."""
    pytest.importorskip("mypy", reason="mypy is not installed: pip install mypy")
    result = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_stubs_are_those_of_the_native_module(tmp_path: Path) -> None:
    run(tmp_path, "mypy.stubtest", "tengen._native")


def test_the_package_passes_strict_type_checks(tmp_path: Path) -> None:
    run(tmp_path, "mypy", "--strict", "--config-file", str(PACKAGE / "pyproject.toml"), "-p", "tengen")
