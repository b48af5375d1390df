"""Go for TorchRL: many games at once as one batched environment.

>>> from tengen.torchrl import GoTorchEnv  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from tengen.gymnasium.vector import GoVectorEnv

__all__ = ["GoTorchEnv"]

try:
    _torch: Any = import_module("torch")
    _tensordict: Any = import_module("tensordict")
    _envs: Any = import_module("torchrl.envs")
    _data: Any = import_module("torchrl.data")
except ImportError as error:
    raise ImportError("this environment needs TorchRL and Gymnasium: pip install torchrl gymnasium") from error


class GoTorchEnv(_envs.EnvBase):
    """Many games of Go in one environment of TorchRL, whose batch size is the number of games.

    >>> env = GoTorchEnv(64, size=9)  # doctest: +SKIP
    >>> env.rollout(100, break_when_any_done=False).shape  # doctest: +SKIP
    torch.Size([64, 100])

    Arguments are those of `tengen.gymnasium.GoVectorEnv`: without an opponent every step is one move, seen by the
    player to move and rewarded for the one who has moved; with one it is a move of the agent and the answer.
    Tensordicts have `observation`, `action_mask`, which `rand_action` and masked modules look at, `action`, `reward`,
    `done` and `terminated`. Games that have ended are started over by a reset with `_reset`, as `rollout` and
    collectors do it.
    """

    batch_locked = True

    def __init__(
        self,
        num_envs: int = 1,
        size: Any = 9,
        komi: Any = None,
        rules: Any = "tromp-taylor",
        opponent: Any = None,
        color: Any = "black",
        *,
        dtype: npt.DTypeLike = np.float32,
        device: Any = "cpu",
        **options: Any,
    ) -> None:
        if "autoreset_mode" in options:
            raise ValueError("autoreset_mode is 'disabled': TorchRL starts games over itself")
        _envs.EnvBase.__init__(self, device=device, batch_size=_torch.Size([num_envs]))
        self.games: Any = GoVectorEnv(
            num_envs, size, komi, rules, opponent, color, dtype=dtype, autoreset_mode="disabled", **options
        )
        actions = int(self.games._games.num_actions)
        shape = (num_envs, *(self.games.single_observation_space.shape or ()))
        kind = _torch.from_numpy(np.zeros(1, dtype)).dtype
        self.observation_spec = _data.Composite(
            observation=_data.Bounded(0, 1, shape, device=device, dtype=kind),
            action_mask=_data.Binary(actions, (num_envs, actions), device=device, dtype=_torch.bool),
            shape=(num_envs,),
            device=device,
        )
        self.action_spec = _data.Categorical(actions, shape=(num_envs,), device=device, dtype=_torch.int64)
        self.reward_spec = _data.Unbounded((num_envs, 1), device=device, dtype=_torch.float32)
        flag = _data.Categorical(2, shape=(num_envs, 1), device=device, dtype=_torch.bool)
        self.done_spec = _data.Composite(
            done=flag, terminated=flag.clone(), truncated=flag.clone(), shape=(num_envs,), device=device
        )
        self._next_seed: int | None = None

    def _seen(self, observations: Any) -> dict[str, Any]:
        mask = self.games.action_masks().copy()
        self._update_mask(_torch.from_numpy(mask).to(self.device))
        return {
            "observation": _torch.from_numpy(np.ascontiguousarray(observations)).to(self.device),
            "action_mask": _torch.from_numpy(mask).to(self.device),
        }

    def _update_mask(self, mask: Any) -> None:
        """Lets random actions be legal ones."""
        self.action_spec.update_mask(mask)

    def _reset(self, tensordict: Any = None, **_: Any) -> Any:
        which = None if tensordict is None else tensordict.get("_reset", None)
        options: dict[str, Any] | None = None
        if which is not None:
            marks = which.reshape(self.num_envs).cpu().numpy().astype(np.bool_)
            options = {"reset_mask": marks}
        observations, _infos = self.games.reset(seed=self._next_seed, options=options)
        self._next_seed = None
        return _tensordict.TensorDict(self._seen(observations), batch_size=self.batch_size, device=self.device)

    @property
    def num_envs(self) -> int:
        """How many games there are."""
        return int(self.batch_size[0])

    def _step(self, tensordict: Any) -> Any:
        actions = tensordict.get("action").reshape(self.num_envs).cpu().numpy()
        observations, rewards, terminated, truncated, _infos = self.games.step(actions)
        ended = _torch.from_numpy(terminated.copy()).reshape(-1, 1).to(self.device)
        return _tensordict.TensorDict(
            {
                **self._seen(observations),
                "reward": _torch.from_numpy(rewards.astype(np.float32)).reshape(-1, 1).to(self.device),
                "done": ended,
                "terminated": ended.clone(),
                "truncated": _torch.from_numpy(truncated.copy()).reshape(-1, 1).to(self.device),
            },
            batch_size=self.batch_size,
            device=self.device,
        )

    def _set_seed(self, seed: int | None) -> None:
        self._next_seed = seed
