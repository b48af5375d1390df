"""An exported network says the same under onnxruntime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen
from networks import SIZES, network, positions

onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: pip install onnxruntime")

OUTPUTS = ["policy", "value", "lead", "ownership"]


def session(net: tengen.Net, folder: Path) -> Any:
    file = folder / "net.onnx"
    net.to_onnx(file)
    return onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])


def same(net: tengen.Net, session: Any, planes: np.ndarray, globals: np.ndarray) -> None:
    """Planes come with their channels last."""
    said = net.evaluate_planes(planes, globals)
    fed = {"planes": np.ascontiguousarray(planes.transpose(0, 3, 1, 2), np.float32), "globals": globals}
    policy, value, lead, ownership = session.run(OUTPUTS, fed)
    ours = [
        (policy, said.logits),
        (value, np.stack([said.win, said.draw, said.loss], axis=1)),
        (lead, said.lead),
        (ownership, said.ownership),
    ]
    for theirs, own in ours:
        assert theirs.shape == own.shape
        assert np.std(own) > 1e-3, "they would agree about anything"
        np.testing.assert_allclose(theirs, own, atol=1e-4)


@pytest.mark.parametrize("architecture", [(2, 32), (3, 16)])
def test_the_same_file_serves_boards_of_every_size(architecture: tuple[int, int], tmp_path: Path) -> None:
    net = network(*architecture, seed=3)
    runs = session(net, tmp_path)
    for size in SIZES:
        games = positions(size, 9, seed=5)
        planes, globals = net.inputs(games)
        assert planes.shape == (9, size[1], size[0], 23)
        same(net, runs, planes, globals)


def test_positions_of_an_environment(tmp_path: Path) -> None:
    net = network(2, 16, seed=8)
    runs = session(net, tmp_path)
    env = tengen.VectorEnv(16, 9, komi=7, seed=2, observation="tactical", dtype=np.float32)
    env.reset()
    for step in range(60):
        planes, *_ = env.step(env.sample())
        if step % 10 == 9:
            games = [env.game(number) for number in range(env.num_envs)]
            shown, globals = net.inputs(games)
            np.testing.assert_array_equal(planes, shown)
            same(net, runs, planes, globals)


def test_a_file_says_what_it_is(tmp_path: Path) -> None:
    runs = session(network(2, 16, seed=1), tmp_path)
    meta = runs.get_modelmeta()
    assert meta.producer_name == "tengen"
    assert meta.custom_metadata_map == {"architecture": "2x16", "features": "tactical"}
    assert {value.name: value.shape for value in runs.get_inputs()} == {
        "planes": ["batch", 23, "height", "width"],
        "globals": ["batch", 8],
    }
    assert {value.name: value.shape for value in runs.get_outputs()} == {
        "policy": ["batch", "actions"],
        "value": ["batch", 3],
        "lead": ["batch"],
        "ownership": ["batch", "height", "width"],
    }
