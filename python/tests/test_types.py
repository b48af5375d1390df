"""What type checkers are told is true."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tengen

PACKAGE = Path(__file__).resolve().parents[1]


def run(folder: Path, *command: str) -> None:
    """Runs a tool on the package as it is installed, which is not where its sources are."""
    tool = command[0].partition(".")[0]
    pytest.importorskip(tool, reason=f"{tool} is not installed: pip install {tool}")
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


def test_the_package_passes_the_strict_checks_of_pyright(tmp_path: Path) -> None:
    # A copy, since what is installed counts as somebody else's.
    shutil.copytree(Path(tengen.__file__).parent, tmp_path / "tengen")
    shutil.copy(PACKAGE / "pyproject.toml", tmp_path)
    run(tmp_path, "pyright", "--project", "pyproject.toml", "--pythonpath", sys.executable)


def test_what_callers_write_has_the_types_that_they_are_told(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(
        "import numpy as np\n"
        "import tengen\n"
        "env = tengen.VectorEnv(np.int64(4), size=np.int64(9), seed=1)\n"
        "tengen.VectorEnv(4, size=(9, 13))\n"
        "tengen.VectorEnv(4, size='9x13')\n"
        "tengen.VectorEnv(2, size=[9, (9, 13)])\n"
        "try:\n"
        "    env.step(env.sample())\n"
        "except tengen.IllegalMoveError as error:\n"
        "    game: int = error.game\n"
        "    move: str | int = error.move\n"
    )
    run(tmp_path, "mypy", "--strict", "caller.py")


def test_the_package_passes_strict_type_checks(tmp_path: Path) -> None:
    run(tmp_path, "mypy", "--strict", "--config-file", str(PACKAGE / "pyproject.toml"), "-p", "tengen")
