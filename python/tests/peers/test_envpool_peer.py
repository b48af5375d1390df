"""tengen.VectorEnv and EnvPool's Go, step by step through random games.

EnvPool has Go twice: `ChineseGo…` masks every repetition, which is what the preset `envpool` is about, and `Go…`
follows Pgx. Both start a game over in the step after its end, as autoreset "next-step" does, so the two run in
lockstep.
"""

from __future__ import annotations

import numpy as np
import pytest

import tengen

envpool = pytest.importorskip("envpool")


def choose(rng: np.random.Generator, mask: np.ndarray, pass_weight: float, illegal: float) -> np.ndarray:
    noise = rng.random(mask.shape)
    noise[:, -1] *= pass_weight
    actions = np.argmax(np.where(mask, noise, -1.0), axis=1)
    anything = rng.integers(0, mask.shape[1], len(mask))
    return np.where(rng.random(len(mask)) < illegal, anything, actions).astype(np.int32)


def compare(
    name: str, preset: str, size: int, games: int, steps: int, komi: float, pass_weight: float, illegal: float
) -> dict[str, int]:
    pool = envpool.make(
        name, env_type="gymnasium", num_envs=games, num_threads=1, seed=size, board_size=size, komi=komi
    )
    # White wins ties in both of EnvPool's rule sets.
    rules = tengen.Rules(preset, komi=komi, ties="white")
    env = tengen.VectorEnv(games, size, rules=rules, illegal="loses", num_threads=1)
    rng = np.random.default_rng(size)
    rows = np.arange(games)
    theirs_shown, theirs = pool.reset()
    shown, info = env.reset()
    black = theirs["current_player"].copy()
    over = np.zeros(games, bool)
    tally = {"games": 0, "steps": 0, "illegal": 0, "superko": 0}
    for number in range(steps):
        np.testing.assert_array_equal(theirs["env_id"], rows)
        mask = theirs["legal_action_mask"]
        np.testing.assert_array_equal(info["legal_action_mask"][~over], mask[~over], err_msg=f"step {number}")
        assert mask[over].all()
        actions = choose(rng, mask, pass_weight, illegal)
        bad = ~over & ~mask[rows, actions]
        was_over = over.copy()
        theirs_shown, theirs_rewards, theirs_over, theirs_cut, theirs = pool.step(actions)
        shown, rewards, over, _, info = env.step(actions)
        # A game that starts over seats its players anew.
        black = np.where(was_over, theirs["current_player"], black)
        np.testing.assert_array_equal(over, theirs_over)
        assert not theirs_cut.any()
        by_player = theirs_rewards.reshape(games, 2)
        by_color = by_player[rows[:, None], np.stack([black, 1 - black], axis=1)]
        np.testing.assert_array_equal(rewards, by_color, err_msg=f"step {number}")
        color = theirs["current_player"] ^ black
        # Who took an illegal action stays to move here, and EnvPool shows the board with that action carried out.
        np.testing.assert_array_equal(info["to_move"][~bad], color[~bad])
        both = theirs_shown.reshape(games, 2, *theirs_shown.shape[1:])
        for player in (0, 1):
            seen = env.observe((black != player).astype(np.uint8))
            # EnvPool's last plane is 1 for White, ours is 1 for Black.
            np.testing.assert_array_equal(seen[~bad, ..., :-1], both[~bad, player, ..., :-1])
            np.testing.assert_array_equal(seen[~bad, ..., -1], ~both[~bad, player, ..., -1].astype(bool))
        for game in np.flatnonzero(~over & ~was_over)[:1]:
            reasons = env.game(int(game)).illegal_moves().values()
            tally["superko"] += sum(reason == "superko" for reason in reasons)
        tally["games"] += int(over.sum())
        tally["steps"] += int((~was_over).sum())
        tally["illegal"] += int(bad.sum())
    pool.close()
    return tally


@pytest.mark.parametrize(
    ("name", "preset"), [("ChineseGo9x9-v1", "envpool"), ("Go9x9-v1", "pgx")], ids=["chinese", "pgx"]
)
@pytest.mark.parametrize(
    ("size", "games", "steps", "komi", "pass_weight", "illegal"),
    [
        (2, 128, 150, 0.5, 0.3, 0.01),
        (3, 256, 150, 0.0, 0.2, 0.005),
        (4, 128, 200, 2.0, 0.1, 0.002),
        (5, 128, 400, 3.0, 0.5, 0.002),
        (5, 64, 200, 7.5, 0.9, 0.002),
        (9, 64, 500, 7.5, 0.2, 0.001),
        (19, 4, 800, 7.5, 0.05, 0.0),
    ],
)
def test_random_games_are_the_same(
    name: str, preset: str, size: int, games: int, steps: int, komi: float, pass_weight: float, illegal: float
) -> None:
    tally = compare(name, preset, size, games, steps, komi, pass_weight, illegal)
    print(name, size, komi, tally)
    assert tally["games"] > games // 2


def test_the_preset_has_the_defaults_of_envpool() -> None:
    config = envpool.make_spec("ChineseGo9x9-v1").config
    assert config.komi == tengen.Rules("envpool").komi_for(9)
    assert config.max_terminal_steps == 0, "two moves a point"
    assert tengen.Rules("envpool").max_moves == "2x"
