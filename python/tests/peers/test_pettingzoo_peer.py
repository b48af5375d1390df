"""Step by step through the real `pettingzoo.classic.go_v5` and through ours."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

with warnings.catch_warnings():
    # Version 1.27 would rather have its environments made by name.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.classic import go_v5

from record_petting_zoo import AGENTS, draw  # noqa: E402

import tengen.pettingzoo as adapter  # noqa: E402


def assert_same(peer: Any, ours: Any) -> None:
    assert peer.agents == ours.agents
    assert peer.agent_selection == ours.agent_selection
    for name in ("rewards", "terminations", "truncations", "infos", "_cumulative_rewards"):
        assert getattr(peer.unwrapped, name) == getattr(ours.unwrapped, name), name
    for agent in AGENTS:
        seen, found = peer.observe(agent), ours.observe(agent)
        assert seen.keys() == found.keys()
        for key, values in seen.items():
            assert values.dtype == found[key].dtype and values.shape == found[key].shape
            assert np.array_equal(values, found[key]), (agent, key, ours.unwrapped.game.moves)


def play_both(size: int, komi: float, games: int, passes: float, illegal: float = 0.0) -> int:
    peer, ours = (module.env(board_size=size, komi=komi) for module in (go_v5, adapter))
    for agent in AGENTS:
        assert peer.observation_space(agent) == ours.observation_space(agent)
        assert peer.action_space(agent) == ours.action_space(agent)
    generator = np.random.default_rng([size, games])
    steps = 0
    for _ in range(games):
        peer.reset()
        ours.reset()
        moves = 0
        while peer.agents:
            assert_same(peer, ours)
            observation, _, terminated, truncated, _ = peer.last()
            if terminated or truncated:
                action = None
            elif generator.random() < illegal:
                action = int(generator.integers(size * size + 1))
            else:
                action = draw(generator, observation["action_mask"], passes, moves)
            peer.step(action)
            ours.step(action)
            moves += 1
        assert ours.agents == [] and peer.agent_selection == ours.agent_selection
        steps += moves
    return steps


@pytest.mark.parametrize(
    ("size", "komi", "games", "passes"),
    [
        (2, 0.0, 300, 1.0),
        (3, 1.0, 500, 1.0),
        (3, -2.25, 200, 0.1),
        (5, 7.5, 1000, 1.0),
        (5, 3.0, 500, 0.1),
        (9, 7.5, 150, 1.0),
        (9, 6.0, 75, 0.1),
        (13, 7.5, 10, 0.1),
        (19, 7.5, 5, 1.0),
        (19, 7.5, 5, 0.1),
    ],
)
def test_random_games(size: int, komi: float, games: int, passes: float) -> None:
    steps = play_both(size, komi, games, passes)
    print(f"{size}x{size}, komi {komi}: {games} games, {steps} steps")


@pytest.mark.filterwarnings("ignore")
def test_illegal_actions() -> None:
    steps = play_both(5, 7.5, 300, 1.0, illegal=0.1)
    print(f"with illegal actions: 300 games, {steps} steps")


def test_a_tie_is_whites() -> None:
    for module in (go_v5, adapter):
        env = module.env(board_size=3, komi=0)
        env.reset()
        env.step(9)
        env.step(9)
        assert env.rewards == {"black_0": -1, "white_0": 1}


def test_a_position_may_come_back() -> None:
    """No superko, and no end but by passes: on a small board the same position comes for the third time soon."""
    envs = [module.env(board_size=4) for module in (go_v5, adapter)]
    generator = np.random.default_rng(5)
    boards: dict[bytes, int] = {}
    for env in envs:
        env.reset()
    while max(boards.values(), default=0) < 3:
        assert_same(*envs)
        mask = envs[0].last()[0]["action_mask"]
        action = draw(generator, mask, 0.0, 0)
        for env in envs:
            env.step(action)
        stones = envs[1].unwrapped.game.stones.tobytes()
        boards[stones] = boards.get(stones, 0) + 1
        if envs[0].terminations["black_0"]:
            boards.clear()
            for env in envs:
                env.reset()
