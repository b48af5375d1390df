"""Stable-Baselines3 learns in our environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from stable_baselines3 import PPO  # noqa: E402
from stable_baselines3.common.evaluation import evaluate_policy  # noqa: E402
from stable_baselines3.common.vec_env import VecMonitor  # noqa: E402

from tengen.gymnasium import GoVectorEnv  # noqa: E402
from tengen.stable_baselines import GoVecEnv  # noqa: E402


def legal(env: GoVecEnv, rng: np.random.Generator) -> Any:
    masks = np.stack(env.env_method("action_masks"))
    return np.where(masks, rng.random(masks.shape), -1).argmax(1)


def test_it_shows_what_the_environment_of_gymnasium_shows() -> None:
    env = GoVecEnv(5, size=4, opponent="random", color="random")
    options: dict[str, Any] = {"opponent": "random", "color": "random", "dtype": np.uint8}
    twin = GoVectorEnv(5, size=4, autoreset_mode="same-step", **options)
    assert env.seed(7) == [7] * 5
    np.testing.assert_array_equal(env.reset(), twin.reset(seed=7)[0])
    rng, ended = np.random.default_rng(1), 0
    for _ in range(100):
        actions = legal(env, rng)
        seen, rewards, dones, infos = env.step(actions)
        expected, its_rewards, terminated, _, its = twin.step(actions)
        np.testing.assert_array_equal(seen, expected)
        np.testing.assert_array_equal(rewards, its_rewards)
        np.testing.assert_array_equal(dones, terminated)
        for index in np.flatnonzero(dones):
            np.testing.assert_array_equal(infos[index]["terminal_observation"], its["final_obs"][index])
            assert infos[index]["TimeLimit.truncated"] is False
            ended += 1
        assert all("terminal_observation" not in infos[index] for index in np.flatnonzero(~dones))
        assert [info["moves"] for info in infos] == its["moves"].tolist()
    assert ended > 5
    assert rewards.dtype == np.float32
    assert env.has_attr("action_masks") and not env.has_attr("nothing")
    assert env.env_is_wrapped(VecMonitor) == [False] * 5
    assert len(env.env_method("game", indices=[1, 2])) == 2
    assert len(env.get_images()) == 5
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("komi", 3)
    with pytest.raises(ValueError, match="same-step"):
        GoVecEnv(2, autoreset_mode="disabled")
    env.close()


def test_ppo_learns_to_make_legal_moves() -> None:
    env = VecMonitor(GoVecEnv(16, size=3, opponent="pass"))
    model = PPO("MlpPolicy", env, n_steps=32, batch_size=128, n_epochs=4, learning_rate=1e-3, seed=1, device="cpu")
    before, _ = evaluate_policy(model, env, n_eval_episodes=64, deterministic=False)
    model.learn(16_000)
    after, _ = evaluate_policy(model, env, n_eval_episodes=64, deterministic=False)
    # An illegal move loses, and there is nobody who plays against it.
    assert after > before + 0.3
