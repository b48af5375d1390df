"""Learns to play on 5x5 from nothing, with NumPy alone: PPO with masked actions, in self-play.

    python learn_5x5.py --minutes 1

256 games go on at once. A network with two hidden layers sees the 17 planes of `tengen.VectorEnv` and says how good
each action is and who is winning; illegal actions are masked out of its policy. It plays both sides, and what was good
for one side was bad for the other, so that a value changes its sign with every move. From time to time it is tested
against a player who chooses uniformly among the legal actions, as Black and as White.

Komi is 0.5, with which two such players are about even: Black won 51.8% of 12,876 random games.

Measured with seed 1 on one core of a machine that was busy otherwise; each share is of 500 games:

    round      moves  seconds  won as Black  won as White
        0          0        0         52.0%         47.4%
        5     81,920        3         78.6%         70.4%
       10    163,840        6         96.8%         96.2%
       20    327,680       12         99.4%         99.8%
       50    819,200       28        100.0%         99.2%
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# The matrices are small: several threads would only wait for each other. NumPy asks when it is imported.
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402

import tengen  # noqa: E402

SIZE = 5
KOMI = 0.5
ACTIONS = SIZE**2 + 1
INPUTS = SIZE**2 * 17

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Hyperparameters:
    """What the learner can be told."""

    num_envs: int = 256
    steps: int = 64
    epochs: int = 3
    minibatch: int = 1024
    hidden: int = 128
    learning_rate: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.01
    discount: float = 0.99
    trace: float = 0.9
    seed: int = 1


class Network:
    """Two hidden layers, a logit for each action and a value between -1 and 1 for the player to move; trained by
    Adam."""

    def __init__(self, hidden: int, rng: np.random.Generator) -> None:
        def layer(inputs: int, outputs: int, gain: float) -> Floats:
            return np.asarray(rng.normal(0, gain / np.sqrt(inputs), (inputs, outputs)), np.float32)

        # Few of the inputs are 1, so that the first weights may be large; small last ones begin as a uniform policy.
        self.weights = [layer(INPUTS, hidden, 2.0), layer(hidden, hidden, 1.4), layer(hidden, ACTIONS + 1, 0.01)]
        self.biases = [np.zeros(weights.shape[1], np.float32) for weights in self.weights]
        parameters = self.weights + self.biases
        self.moments = [(np.zeros_like(one), np.zeros_like(one)) for one in parameters]
        self.updates = 0

    def forward(self, planes: Floats) -> tuple[Floats, Floats, tuple[Floats, ...]]:
        """Logits and values, and what `backward` needs of the way there."""
        first = np.maximum(planes @ self.weights[0] + self.biases[0], 0)
        second = np.maximum(first @ self.weights[1] + self.biases[1], 0)
        out = second @ self.weights[2] + self.biases[2]
        return out[:, :-1], np.tanh(out[:, -1]), (planes, first, second)

    def backward(self, layers: tuple[Floats, ...], slope: Floats, learning_rate: float) -> None:
        """One step of Adam down the slope of the loss at the outputs."""
        slopes: list[Floats] = []
        bias_slopes: list[Floats] = []
        for number in (2, 1, 0):
            slopes.insert(0, layers[number].T @ slope)
            bias_slopes.insert(0, slope.sum(0))
            slope = (slope @ self.weights[number].T) * (layers[number] > 0)
        norm = np.sqrt(sum(float((one * one).sum()) for one in slopes + bias_slopes))
        shrink = min(1.0, 0.5 / (norm + 1e-8))
        self.updates += 1
        rate = learning_rate * np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
        for parameter, gradient, (mean, square) in zip(
            self.weights + self.biases, slopes + bias_slopes, self.moments, strict=True
        ):
            mean += 0.1 * (shrink * gradient - mean)
            square += 0.001 * ((shrink * gradient) ** 2 - square)
            parameter -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def log_policy(logits: Floats, mask: Bools) -> Floats:
    """The logarithms of the probabilities of all actions; those of illegal ones are very small."""
    masked = np.where(mask, logits, np.float32(-1e9))
    masked = masked - masked.max(1, keepdims=True)
    return np.asarray(masked - np.log(np.exp(masked).sum(1, keepdims=True)), np.float32)


def drawn(log_probabilities: Floats, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """An action for each game: the largest of logits with this noise is a draw from their softmax."""
    return np.asarray((log_probabilities - np.log(rng.standard_exponential(log_probabilities.shape))).argmax(1))


def flat(observation: npt.NDArray[Any]) -> Floats:
    return observation.reshape(len(observation), -1).astype(np.float32)


@dataclass
class Experience:
    """Steps of all games, one after the other."""

    planes: Floats
    masks: Bools
    actions: npt.NDArray[np.intp]
    log_chances: Floats
    advantages: Floats
    returns: Floats


class Learner:
    """Plays against itself and learns from it."""

    def __init__(self, settings: Hyperparameters) -> None:
        self.settings = settings
        self.rng = np.random.default_rng(settings.seed)
        self.network = Network(settings.hidden, self.rng)
        self.env = tengen.VectorEnv(
            settings.num_envs, SIZE, KOMI, seed=settings.seed, autoreset="same-step", num_threads=1
        )
        observation, self.info = self.env.reset()
        self.planes = flat(observation)

    def played(self) -> Experience:
        """What happened in the next steps of all games."""
        settings = self.settings
        shape = (settings.steps, settings.num_envs)
        planes = np.empty((*shape, INPUTS), np.float32)
        masks = np.empty((*shape, ACTIONS), np.bool_)
        actions = np.empty(shape, np.intp)
        log_chances, values, rewards = (np.empty(shape, np.float32) for _ in range(3))
        ended = np.empty(shape, np.bool_)
        games = np.arange(settings.num_envs)
        for step in range(settings.steps):
            logits, values[step], _ = self.network.forward(self.planes)
            planes[step], masks[step] = self.planes, self.info["legal_action_mask"]
            log_probabilities = log_policy(logits, masks[step])
            actions[step] = drawn(log_probabilities, self.rng)
            log_chances[step] = log_probabilities[games, actions[step]]
            mover = self.info["to_move"]
            observation, both, ended[step], _, self.info = self.env.step(actions[step])
            rewards[step] = both[games, mover]
            self.planes = flat(observation)

        # Generalised advantages. The next position is the other player's: what is good there is bad here.
        after = self.network.forward(self.planes)[1]
        advantages = np.empty(shape, np.float32)
        ahead = np.zeros(settings.num_envs, np.float32)
        for step in reversed(range(settings.steps)):
            goes_on = settings.discount * ~ended[step]
            surprise = rewards[step] - goes_on * after - values[step]
            ahead = surprise - settings.trace * goes_on * ahead
            advantages[step], after = ahead, values[step]
        returns = advantages + values

        def joined(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
            return array.reshape(-1, *array.shape[2:])

        return Experience(*map(joined, (planes, masks, actions, log_chances, advantages, returns)))

    def learn(self) -> None:
        """One round of play and of improvement."""
        experience = self.played()
        for _ in range(self.settings.epochs):
            order = self.rng.permutation(len(experience.actions))
            for begin in range(0, len(order), self.settings.minibatch):
                self._improve(experience, order[begin : begin + self.settings.minibatch])

    def _improve(self, experience: Experience, which: npt.NDArray[np.intp]) -> None:
        settings = self.settings
        rows = np.arange(len(which))
        # The board has eight symmetries, and what holds on it holds for all of them.
        symmetry = int(self.rng.integers(8))
        boards = experience.planes[which].reshape(-1, SIZE, SIZE, 17)
        planes = tengen.turn_observation(boards, symmetry).reshape(len(which), -1)
        mask = tengen.turn_policy(experience.masks[which], symmetry, SIZE)
        turned = tengen.turn_policy(np.arange(ACTIONS), symmetry, SIZE).argsort()
        actions = turned[experience.actions[which]]

        logits, values, layers = self.network.forward(planes)
        log_probabilities = log_policy(logits, mask)
        probabilities = np.exp(log_probabilities)
        advantages = experience.advantages[which]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        ratio = np.exp(log_probabilities[rows, actions] - experience.log_chances[which])
        # Beyond the clip there is nothing to gain, and so no slope.
        within = np.where(advantages > 0, ratio < 1 + settings.clip, ratio > 1 - settings.clip)
        push = (advantages * ratio * within)[:, None]
        chosen = np.zeros_like(probabilities)
        chosen[rows, actions] = 1
        entropy = -(probabilities * np.where(mask, log_probabilities, 0)).sum(1, keepdims=True)
        slope = np.empty((len(which), ACTIONS + 1), np.float32)
        slope[:, :-1] = -push * (chosen - probabilities)
        slope[:, :-1] += settings.entropy * probabilities * (np.where(mask, log_probabilities, 0) + entropy)
        slope[:, -1] = 0.5 * (values - experience.returns[which]) * (1 - values**2)
        self.network.backward(layers, slope / np.float32(len(which)), settings.learning_rate)


def win_rates(network: Network, games: int, seed: int) -> tuple[float, float]:
    """How many of its games the network wins against the uniformly random player, as Black and as White."""
    rng = np.random.default_rng(seed)
    # The network is Black in the first half of the games and White in the others; each is played once.
    env = tengen.VectorEnv(2 * games, SIZE, KOMI, seed=seed, autoreset="disabled", num_threads=1)
    plays = np.repeat([0, 1], games)
    observation, info = env.reset()
    won = np.zeros(2 * games)
    terminated = np.zeros(2 * games, np.bool_)
    while not terminated.all():
        logits, _, _ = network.forward(flat(observation))
        own = drawn(log_policy(logits, info["legal_action_mask"]), rng)
        actions = np.where(info["to_move"] == plays, own, env.sample())
        observation, rewards, terminated, _, info = env.step(actions)
        won += rewards[np.arange(2 * games), plays] > 0
    return float(won[:games].mean()), float(won[games:].mean())


def progress(settings: Hyperparameters, rounds: int | None, minutes: float, tests: int = 5) -> Iterator[dict[str, Any]]:
    """Learns for so many rounds or minutes, whichever is over first, and reports every few rounds."""
    learner = Learner(settings)
    start = time.perf_counter()
    done = 0
    while True:
        over = done == rounds or time.perf_counter() - start > 60 * minutes
        if over or done % tests == 0:
            black, white = win_rates(learner.network, 500, seed=settings.seed + 1)
            yield {
                "round": done,
                "moves": done * settings.steps * settings.num_envs,
                "seconds": time.perf_counter() - start,
                "black": black,
                "white": white,
                "network": learner.network,
            }
        if over:
            return
        learner.learn()
        done += 1


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=1, help="to learn for (default: 1)")
    parser.add_argument("--rounds", type=int, help="to learn for at most")
    parser.add_argument(
        "--num-envs", type=int, default=Hyperparameters.num_envs, help="how many games at once (default: 256)"
    )
    parser.add_argument("--seed", type=int, default=Hyperparameters.seed)
    options = parser.parse_args(arguments)

    print("round    moves  seconds  won as Black  won as White, of 500 against uniformly random play", flush=True)
    hyperparameters = Hyperparameters(num_envs=options.num_envs, seed=options.seed)
    for report in progress(hyperparameters, options.rounds, options.minutes):
        print(
            f"{report['round']:5} {report['moves']:8,} {report['seconds']:8.0f}"
            f" {report['black']:13.1%} {report['white']:13.1%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
