"""The examples run, and do what they say."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tengen

EXAMPLES = Path(__file__).parents[1] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def run(name: str, *arguments: str) -> str:
    """What an example prints as a script."""
    environment = {**os.environ, "PYTHONPATH": str(Path(tengen.__file__).parents[1])}
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), *arguments]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


# That of PyTorch, which is large, is tried beside the peers.
@pytest.mark.parametrize("name", [name for name in NAMES if name != "alphazero_torch"])
def test_each_example_explains_itself(name: str) -> None:
    if name == "alphazero_jax":
        pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
    told = run(name, "--help")
    assert told.startswith("usage:")
    # What the first line of the file says is there, however wide the terminal is.
    assert (example(name).__doc__ or "").partition("\n")[0] in " ".join(told.split())


def test_there_are_six() -> None:
    assert NAMES[:3] == ["alphazero_jax", "alphazero_torch", "async_double_buffer"]
    assert NAMES[3:] == ["learn_5x5", "random_play", "review_sgf"]


def test_random_play_prints_a_rate(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ([], ["--masks-only"]):
        example("random_play").main(["--num-envs", "32", "--steps", "300", "--threads", "1", *more])
    lines = capsys.readouterr().out.splitlines()
    assert "steps per second, 1 threads" in lines[0]
    # The same games, with planes and without.
    assert lines[1] == lines[3]
    assert "games ended" in lines[1]


def test_both_ways_of_buffering_play_the_same_games() -> None:
    lines = run("async_double_buffer", "--num-envs", "32", "--steps", "200").splitlines()
    in_turn, halves = (line.rpartition(";")[2] for line in lines)
    assert in_turn == halves != " Black won 0 games"


def test_the_learner_learns() -> None:
    # Six seeds won at least 86% after 12 rounds, from 47 to 54% at the start. A process of its own has NumPy on one
    # thread.
    table = run("learn_5x5", "--rounds", "16", "--num-envs", "64", "--seed", "1").splitlines()[1:]
    won = {line.split()[0]: [float(share.rstrip("%")) for share in line.split()[3:]] for line in table}
    assert all(40 < share < 60 for share in won["0"])
    assert all(share > 75 for share in won["16"])


def test_the_learner_repeats_itself() -> None:
    learn = example("learn_5x5")
    runs = []
    for _ in range(2):
        learner = learn.Learner(learn.Hyperparameters(num_envs=8, steps=16, hidden=16, minibatch=64))
        learner.learn()
        runs.append(learner.network.weights)
    assert all((one == other).all() for one, other in zip(*runs, strict=True))


def test_the_learner_goes_down_the_slope_of_its_loss() -> None:
    learn = example("learn_5x5")
    rng = np.random.default_rng(5)
    network = learn.Network(16, rng)
    planes = (rng.random((4, learn.INPUTS)) < 0.2).astype(np.float32)
    target = rng.normal(size=(4, learn.ACTIONS)).astype(np.float32)

    def loss() -> float:
        logits, _, _ = network.forward(planes)
        return float(((logits - target) ** 2).sum())

    losses = [loss()]
    for _ in range(200):
        logits, _, layers = network.forward(planes)
        slope = np.concatenate([2 * (logits - target), np.zeros((4, 1), np.float32)], 1)
        network.backward(layers, slope, 1e-2)
        losses.append(loss())
    assert losses[-1] < 0.01 * losses[0]


def test_alphazero_plays_learns_and_ends_with_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
    module = example("alphazero_jax")
    found = module.main(["--minutes", "0.02", "--games", "4", "--simulations", "4", "--matches", "2"])
    assert [versus.games for versus in found.versus] == [2, 2, 2, 2]
    assert found.elo is not None
    out = capsys.readouterr().out
    assert "games, " in out and "loss" in out and "rollouts@100" in out


RECORD = b"(;SZ[5]RE[B+R];B[bb]C[Near the corner.];W[ba];B[aa];W[ca];B[ee];W[cb];B[];W[bc];B[ed];W[ab];B[])"


def test_a_review_tells_what_moves_did() -> None:
    review = example("review_sgf")
    moments = review.review(RECORD)
    told = [str(moment).strip() for moment in moments]
    assert told[0] == "1. Black B4 (Near the corner.)"
    assert told[1] == "2. White B5"
    assert told[2] == "3. Black A5 puts 1 stone in atari: B5, leaves 1 stone of its own in atari"
    assert told[6] == "7. Black passes"
    assert told[9].startswith("10. White A4 captures 2 stones")
    assert len(moments) == 11
    assert moments[9].game.prisoners != (0, 0)


def test_a_review_draws_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    review = example("review_sgf")
    moments = review.review(review.EXAMPLE)
    assert len(moments) == 246
    assert moments[149]._repr_svg_().startswith("<svg")
    few = review.notable(moments)[:3]
    assert few._repr_html_().count("<svg") == 3
    review.main(["--pictures", str(tmp_path)])
    out = capsys.readouterr().out
    assert "  81. Black R1 captures 1 stone\n" in out
    assert "result W+24.5" in out
    assert len(list(tmp_path.glob("*.svg"))) == len(review.notable(moments))
    review.main(["--board", "1"])
    assert capsys.readouterr().out.count("X") == 1


def test_what_is_no_move_is_said(tmp_path: Path) -> None:
    review: Any = example("review_sgf")
    with pytest.raises(SystemExit, match="the last one is 246"):
        review.main(["--board", "300"])
    empty = tmp_path / "empty.sgf"
    empty.write_text("(;SZ[9])")
    with pytest.raises(SystemExit, match="no move"):
        review.main([str(empty)])
