"""The rules preset `envpool`, on games that EnvPool played."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen

RECORDS = json.loads((Path(__file__).parents[2] / "testdata/env/envpool.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "record", RECORDS["games"], ids=lambda game: f"{game['size']}-{game['komi']}-{len(game['actions'])}"
)
def test_games_that_envpool_played(record: dict[str, Any]) -> None:
    # White wins ties in EnvPool.
    rules = tengen.Rules("envpool", komi=record["komi"], ties="white")
    env = tengen.VectorEnv(1, record["size"], rules=rules, illegal="loses", autoreset="disabled", num_buffers=0)
    _, info = env.reset()
    rewards, over, illegal = np.zeros((1, 2)), np.array([False]), False
    for action, (player, reward, ended, mask, checksum) in zip(
        [None, *record["actions"]], record["steps"], strict=True
    ):
        if action is not None:
            illegal = not info["legal_action_mask"][0, action]
            _, rewards, over, _, info = env.step([action])
        assert over[0] == ended
        assert rewards[0].tolist() == [reward, -reward]
        if not ended:
            assert np.packbits(info["legal_action_mask"][0]).tobytes().hex() == mask
        if not illegal:
            assert info["to_move"][0] == player
            boards = env.observe(0)[0, ..., :-1]
            assert zlib.crc32(np.packbits(boards).tobytes()) == checksum
