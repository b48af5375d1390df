"""The network, its loss and its steps in plain JAX: what the native ones must agree with."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

Weights = dict[str, Any]
Batch = dict[str, Any]


def convolved(values: Any, weights: Any) -> Any:
    return jax.lax.conv_general_dilated(values, weights, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pooled(values: Any) -> Any:
    """The means of channels over the board, the means by its size, and the maxima."""
    _, height, width, _ = values.shape
    means = values.mean((1, 2))
    return jnp.concatenate([means, means * ((height * width) ** 0.5 / 9 - 1), values.max((1, 2))], axis=1)


def everywhere(values: Any) -> Any:
    return values[:, None, None, :]


@jax.jit
def forward(weights: Weights, planes: Any, globals: Any) -> dict[str, Any]:
    """What the network says about boards of one size. Leads are in tens of points."""
    blocks = sum(name.endswith("first.weight") for name in weights)
    stem = convolved(planes, weights["stem.weight"]) + weights["stem.bias"]
    state = jax.nn.relu(stem + everywhere(globals @ weights["stem.globals"]))
    for block in range(blocks):
        first, second = f"blocks.{block}.first", f"blocks.{block}.second"
        inner = convolved(state, weights[f"{first}.weight"]) + weights[f"{first}.bias"]
        inner = jax.nn.relu(inner + everywhere(pooled(state) @ weights[f"{first}.pooled"]))
        state = jax.nn.relu(state + convolved(inner, weights[f"{second}.weight"]) + weights[f"{second}.bias"])
    head = state @ weights["head.weight"] + weights["head.bias"]
    looks, summary = head[..., :16], jax.nn.relu(head[..., 16:])
    whole = pooled(summary)
    looks = jax.nn.relu(looks + everywhere(whole @ weights["policy.pooled"]))
    points = (looks @ weights["policy.weight"]).reshape(len(planes), -1)
    turn_down = whole @ weights["pass.weight"] + weights["pass.bias"]
    hidden = jax.nn.relu(whole @ weights["hidden.weight"] + weights["hidden.bias"])
    values = hidden @ weights["value.weight"] + weights["value.bias"]
    return {
        "logits": jnp.concatenate([points, turn_down[:, None]], axis=1),
        "value": values[:, :3],
        "lead": values[:, 3],
        "ownership": jnp.tanh(summary @ weights["ownership.weight"]),
    }


@jax.jit
def losses(weights: Weights, batch: Batch) -> dict[str, Any]:
    """The parts of the loss, one number for each position."""
    said = forward(weights, batch["planes"], batch["globals"])
    worth, policy = batch["worth"], batch["policy"]
    log = jax.nn.log_softmax(jnp.where(worth, said["logits"], -1e30))
    log_policy = jnp.log(jnp.where(policy > 0, policy, 1))
    error = jnp.abs(said["lead"] - batch["lead"] / 10)
    return {
        "policy": jnp.where(worth, policy * (log_policy - log), 0).sum(1),
        "value": -(batch["win_draw_loss"] * jax.nn.log_softmax(said["value"])).sum(1),
        "lead": jnp.where(error < 1, error**2 / 2, error - 0.5),
        "ownership": ((said["ownership"] - batch["ownership"]) ** 2).mean((1, 2)),
    }


def loss(weights: Weights, batches: list[Batch], settings: dict[str, float]) -> Any:
    """What is made smaller: the mean over all positions of all batches, each of which has boards of one size."""
    shares = {"policy": 1.0, **{part: settings[part] for part in ("value", "lead", "ownership")}}
    positions = sum(len(batch["planes"]) for batch in batches)
    total: Any = 0
    for batch in batches:
        for part, of_each in losses(weights, batch).items():
            total += shares[part] * of_each.sum()
    return total / positions


def beginning(weights: Weights) -> dict[str, Weights]:
    """The state before the first step."""
    zeros = {name: jnp.zeros(array.shape) for name, array in weights.items()}
    same = {name: jnp.asarray(array) for name, array in weights.items()}
    return {"weights": same, "averaged": same, "first": zeros, "second": zeros}


@jax.jit
def stepped(state: dict[str, Weights], batches: list[Batch], settings: dict[str, float], steps: float) -> Any:
    """The state after a step, the loss before it and its gradient.

    Adam with weights that decay, vectors apart, with gradients that are shortened and weights that are averaged. Steps
    are counted from 1.
    """
    before, gradient = jax.value_and_grad(loss)(state["weights"], batches, settings)
    length = jnp.sqrt(sum((part**2).sum() for part in gradient.values()))
    shorten = jnp.minimum(1, settings["longest_gradient"] / length)
    averaging = jnp.minimum(settings["averaging"], (1 + steps) / (10 + steps))
    new: dict[str, Weights] = {part: {} for part in state}
    for name, weight in state["weights"].items():
        slope = gradient[name] * shorten
        first = settings["momentum"] * state["first"][name] + (1 - settings["momentum"]) * slope
        second = settings["memory"] * state["second"][name] + (1 - settings["memory"]) * slope**2
        mean = first / (1 - settings["momentum"] ** steps)
        spread = jnp.sqrt(second / (1 - settings["memory"] ** steps))
        decay = settings["decay"] if weight.ndim > 1 else 0.0
        moved = weight - settings["rate"] * (mean / (spread + 1e-8) + decay * weight)
        new["weights"][name] = moved
        new["averaged"][name] = averaging * state["averaged"][name] + (1 - averaging) * moved
        new["first"][name] = first
        new["second"][name] = second
    return new, before, gradient
