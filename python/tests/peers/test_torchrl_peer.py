"""TorchRL steps our environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torchrl")

from torchrl.collectors import Collector  # noqa: E402
from torchrl.envs.utils import check_env_specs  # noqa: E402

from tengen.gymnasium import GoVectorEnv  # noqa: E402
from tengen.torchrl import GoTorchEnv  # noqa: E402


@pytest.mark.parametrize("options", [{}, {"opponent": "random", "color": "random"}, {"dtype": np.uint8}])
def test_it_is_what_torchrl_takes_for_an_environment(options: dict[str, Any]) -> None:
    check_env_specs(GoTorchEnv(3, size=4, **options), seed=1)


def test_a_rollout_is_that_of_the_environment_of_gymnasium() -> None:
    env = GoTorchEnv(4, size=4)
    env.set_seed(5)
    torch.manual_seed(1)
    rolled = env.rollout(120, break_when_any_done=False)
    assert rolled.shape == (4, 120)
    twin = GoVectorEnv(4, size=4, dtype=np.float32, autoreset_mode="disabled")
    observations, _ = twin.reset(seed=5)
    ended = 0
    for step in range(120):
        now = rolled[:, step]
        np.testing.assert_array_equal(now["observation"].numpy(), observations)
        np.testing.assert_array_equal(now["action_mask"].numpy(), twin.action_masks())
        actions = now["action"].numpy()
        # Random actions are legal ones.
        assert twin.action_masks()[np.arange(4), actions].all()
        observations, rewards, terminated, _, _ = twin.step(actions)
        np.testing.assert_array_equal(now["next", "reward"].numpy()[:, 0], rewards)
        np.testing.assert_array_equal(now["next", "terminated"].numpy()[:, 0], terminated)
        np.testing.assert_array_equal(now["next", "observation"].numpy(), observations)
        if terminated.any():
            ended += int(terminated.sum())
            observations, _ = twin.reset(options={"reset_mask": terminated})
    assert ended > 4


def test_collectors_collect() -> None:
    env = GoTorchEnv(4, size=3, opponent="random")
    collector = Collector(env, None, frames_per_batch=80, total_frames=160)
    batches = list(collector)
    assert [batch.numel() for batch in batches] == [80, 80]
    assert all(set(np.unique(batch["next", "reward"].numpy())) <= {-1, 0, 1} for batch in batches)
    collector.shutdown()
    with pytest.raises(ValueError, match="autoreset_mode is 'disabled'"):
        GoTorchEnv(2, autoreset_mode="same-step")
