"""The network learns as plain JAX does, step by step from the same weights and examples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tengen
from networks import network, positions

# Columns and rows: one board for each kind of tile that convolutions are made of.
BOARDS = [(5, 5), (9, 7)]

Lesson = tuple[list[tengen.Example], list[dict[str, Any]]]


def lessons(net: tengen.Net, size: tuple[int, int], seed: int) -> tuple[list[tengen.Example], dict[str, Any]]:
    """Examples with targets drawn at random, and the same as arrays, which are turned beforehand."""
    rng = np.random.default_rng(seed)
    games = positions(size, 6, seed)
    planes, globals = net.inputs(games)
    worth = net.evaluate(games).policy > 0
    policy = np.where(worth, rng.random(worth.shape) ** 4, 0).astype(np.float32)
    policy /= policy.sum(1, keepdims=True)
    win_draw_loss = rng.dirichlet([0.5, 0.5, 0.5], len(games)).astype(np.float32)
    lead = rng.normal(0, 12, len(games)).astype(np.float32)
    ownership = rng.choice(np.float32([-1, 0, 1]), (len(games), size[1], size[0]))
    # Rectangles cannot be laid on their sides.
    turns = np.arange(len(games)) % (8 if size[0] == size[1] else 4)
    examples = [
        tengen.Example(
            game,
            win_draw_loss[number].tolist(),
            policy=policy[number],
            lead=float(lead[number]),
            ownership=ownership[number],
            symmetry=int(turns[number]),
        )
        for number, game in enumerate(games)
    ]

    def turned(boards: np.ndarray) -> np.ndarray:
        return np.stack(
            [tengen.turn_observation(board, int(turn)) for board, turn in zip(boards, turns, strict=True)]
        )

    def turned_policy(policies: np.ndarray) -> np.ndarray:
        return np.stack([tengen.turn_policy(row, int(turn), size) for row, turn in zip(policies, turns, strict=True)])

    batch = {
        "planes": turned(planes),
        "globals": globals,
        "worth": turned_policy(worth),
        "policy": turned_policy(policy),
        "win_draw_loss": win_draw_loss,
        "lead": lead,
        "ownership": turned(ownership[..., None])[..., 0],
    }
    return examples, batch


@pytest.fixture(scope="module")
def plain() -> Any:
    """The network in plain JAX.

    It is imported when it is needed and not before: JAX starts threads and other tests fork, which this file, by its
    name, comes after.
    """
    pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
    import jax_network

    return jax_network


@pytest.fixture(scope="module")
def net() -> tengen.Net:
    return network(2, 16, seed=4)


@pytest.fixture(scope="module")
def drawn(net: tengen.Net) -> list[Lesson]:
    """Several lessons, each about boards of all sizes."""
    return [
        ([example for examples, _ in of_sizes for example in examples], [batch for _, batch in of_sizes])
        for of_sizes in ([lessons(net, size, 10 * number + size[0]) for size in BOARDS] for number in range(3))
    ]


def apart(ours: Any, theirs: Any) -> float:
    """How far arrays are from each other, as a share of what they are."""
    return float(np.linalg.norm(np.asarray(ours) - np.asarray(theirs)) / np.linalg.norm(theirs))


def test_it_says_the_same(net: tengen.Net, plain: Any) -> None:
    for size in BOARDS:
        games = positions(size, 5, seed=9)
        said = net.evaluate(games)
        theirs = plain.forward(net.weights(), *net.inputs(games))
        value = np.exp(theirs["value"]) / np.exp(theirs["value"]).sum(1, keepdims=True)
        np.testing.assert_allclose(theirs["logits"], said.logits, atol=1e-4)
        np.testing.assert_allclose(value, np.stack([said.win, said.draw, said.loss], axis=1), atol=1e-4)
        np.testing.assert_allclose(10 * theirs["lead"], said.lead, atol=1e-3)
        np.testing.assert_allclose(theirs["ownership"], said.ownership, atol=1e-4)


def test_losses_and_gradients_are_the_same(net: tengen.Net, drawn: list[Lesson], plain: Any) -> None:
    farthest = []
    for examples, batches in drawn:
        trainer = tengen.Trainer(net, value=1.5, lead=0.4, ownership=0.7)
        ours = trainer.step(examples)
        each = [plain.losses(net.weights(), batch) for batch in batches]
        for part in ("policy", "value", "lead", "ownership"):
            mean = np.concatenate([of_batch[part] for of_batch in each]).mean()
            assert ours[part] == pytest.approx(mean, rel=1e-4), part
        _, total, gradient = plain.stepped(plain.beginning(net.weights()), batches, trainer.settings, 1.0)
        assert ours["total"] == pytest.approx(float(total), rel=1e-4)
        own = trainer.gradient()
        assert own.keys() == gradient.keys()
        farthest.append(max(apart(own[name], theirs) for name, theirs in gradient.items()))
    # Now and then, what goes into a rectifier is so close to 0 that rounding decides whether a gradient comes back.
    assert max(farthest) < 5e-3
    assert np.median(farthest) < 2e-5


@pytest.mark.parametrize("longest", [0.5, 100.0])
def test_steps_are_the_same(net: tengen.Net, drawn: list[Lesson], plain: Any, longest: float) -> None:
    trainer = tengen.Trainer(net, rate=3e-4, decay=2, longest_gradient=longest)
    start = net.weights()
    state = plain.beginning(start)
    for step in range(1, 7):
        examples, batches = drawn[step % len(drawn)]
        state, total, _ = plain.stepped(state, batches, trainer.settings, float(step))
        assert trainer.step(examples)["total"] == pytest.approx(float(total), rel=1e-3)
    assert trainer.steps == 6
    for net, theirs in [(trainer.net(), state["weights"]), (trainer.averaged_net(), state["averaged"])]:
        for name, array in net.weights().items():
            # Adam moves a weight about as far for a gradient that is all rounding as for any other, so a few may
            # differ.
            assert apart(array - start[name], theirs[name] - start[name]) < 0.02, name


def test_jax_takes_every_array_as_it_is() -> None:
    jax = pytest.importorskip("jax", reason="JAX is not installed: pip install jax")
    for size in range(3, 9):
        env = tengen.VectorEnv(2, size, dtype=np.uint8, packed=True)
        observation, info = env.reset()
        for array in (observation, info["moves"], info["score"], info["packed_mask"], info["to_move"]):
            taken = jax.dlpack.from_dlpack(array)
            assert taken.unsafe_buffer_pointer() == array.ctypes.data
