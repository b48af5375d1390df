"""Gymnasium's environments: its own checks, what they promise, and the vector environment against single ones."""

from __future__ import annotations

import copy
import doctest
import pickle
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", minversion="1.1")

from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics  # noqa: E402

import tengen  # noqa: E402
import tengen.gymnasium as adapter  # noqa: E402
from tengen.gymnasium import GoEnv, GoVectorEnv  # noqa: E402

MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]


def fixed_choice(observation: Any, mask: Any, game: Any) -> int:
    """An opponent that needs no generator, so that two environments get the same answers."""
    legal = np.flatnonzero(mask)
    return int(legal[7 * int(observation.sum()) % len(legal)])


def fixed_choices(observations: Any, masks: Any, games: Any) -> Any:
    return np.array([fixed_choice(*row) for row in zip(observations, masks, games, strict=True)])


def test_examples_hold() -> None:
    results = [doctest.testmod(module) for module in (adapter, adapter.single, adapter.vector)]
    assert sum(one.failed for one in results) == 0 and sum(one.attempted for one in results) > 10


# One agent.


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"color": "white"},
        {"color": "random", "dtype": np.float32},
        {"observation": "tactical", "layout": "channels-first", "dtype": np.uint8},
        {"opponent": fixed_choice, "color": "random"},
        {"opponent": "pass", "rules": "pgx", "komi": 0.5, "size": (4, 3)},
    ],
)
def test_the_checker_of_gymnasium_has_no_complaint(settings: dict[str, Any]) -> None:
    env = gymnasium.make("tengen/Go-v0", **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_environments_are_registered() -> None:
    assert gymnasium.make("tengen/Go-v0").action_space.n == 82
    assert gymnasium.make("tengen/Go-v0", size=13).action_space.n == 170
    for size in (5, 6, 7, 9, 13, 19):
        env = gymnasium.make(f"tengen.gymnasium:tengen/Go{size}x{size}-v0")
        assert env.observation_space.shape == (size, size, 17)
        assert env.action_space.n == size * size + 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        adapter.register()


@pytest.mark.parametrize("color", ["black", "white"])
def test_a_game_to_its_end(color: Any) -> None:
    env = gymnasium.make("tengen/Go5x5-v0", color=color)
    _, info = env.reset(seed=5)
    env.action_space.seed(5)
    assert info["moves"] == (color == "white")
    terminated = False
    while not terminated:
        game = env.unwrapped.game
        assert game.to_move == color
        np.testing.assert_array_equal(info["action_mask"], game.legal_mask())
        np.testing.assert_array_equal(info["action_mask"], env.unwrapped.action_masks())
        assert info["action_mask"].dtype == np.int8 and env.unwrapped.action_masks().dtype == np.bool_
        assert info["moves"] == len(game.moves) and "score" not in info
        action = env.action_space.sample(mask=info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        assert not truncated and (terminated or reward == 0)
    game = env.unwrapped.game
    assert game.is_over and reward == (1.0 if game.winner == color else -1.0)
    assert info["score"] == game.score().margin
    assert observation[:, :, 16].all() == (color == "black"), "the last observation is the agent's"
    assert info["action_mask"].sum() == 1 and info["action_mask"][25] == 1


def test_the_opponent_sees_its_own_side() -> None:
    seen: list[Any] = []

    def opponent(observation: Any, mask: Any, game: Any) -> int:
        seen.append((observation.copy(), mask.copy(), game))
        return fixed_choice(observation, mask, game)

    env = GoEnv(size=4, opponent=opponent)
    env.reset(seed=1)
    env.step(5)
    observation, mask, game = seen[0]
    assert observation[1, 1, 1] and not observation[1, 1, 0] and not observation[:, :, 16].any()
    assert game.to_move == "white" and not mask[5] and mask.sum() == 16
    game.play("pass")
    assert env.game.moves != game.moves, "it was given a copy"


def test_an_illegal_answer_of_the_opponent_is_an_error() -> None:
    env = GoEnv(size=4, opponent=lambda observation, mask, game: 5)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="the opponent chose action 5, which is illegal"):
        env.step(5)
    envs = GoVectorEnv(2, size=4, opponent=lambda observations, masks, games: np.array([4, 5]))
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="action 5 in game 1, which is illegal"):
        envs.step(np.array([5, 5]))


def test_illegal_actions_lose_or_raise() -> None:
    env = GoEnv(size=4, opponent="pass")
    env.reset(seed=1)
    env.step(5)
    observation, reward, terminated, _, info = env.step(5)
    assert (reward, terminated, info["moves"]) == (-1.0, True, 2)
    assert observation[1, 1, 0] and observation[:, :, 16].all()

    strict = GoEnv(size=4, opponent="pass", illegal="error")
    strict.reset(seed=1)
    strict.step(5)
    with pytest.raises(tengen.IllegalMoveError, match="action 5 is illegal"):
        strict.step(5)
    assert len(strict.game.moves) == 2
    for number in (-1, 17):
        with pytest.raises(ValueError, match=f"there is no action {number}"):
            env.reset()
            env.step(number)
    with pytest.raises(TypeError):
        env.step(1.5)  # type: ignore[arg-type]


def test_games_begin_with_a_reset() -> None:
    env = GoEnv(size=4, opponent="pass")
    for call in (lambda: env.step(0), env.action_masks):
        with pytest.raises(ResetNeeded):
            call()
    env.reset(seed=1)
    assert env.step(16)[2]
    with pytest.raises(ResetNeeded):
        env.step(16)


def test_seeds_decide_colours_and_answers() -> None:
    def colours_and_moves(env: GoEnv, seed: int | None) -> list[Any]:
        played: list[Any] = []
        for episode in range(20):
            _, info = env.reset(seed=seed if episode == 0 else None)
            env.step(int(np.flatnonzero(info["action_mask"])[0]))
            played.append((info["color"], env.game.moves))
        return played

    first = colours_and_moves(GoEnv(size=5, color="random"), 3)
    assert first == colours_and_moves(GoEnv(size=5, color="random"), 3)
    assert first != colours_and_moves(GoEnv(size=5, color="random"), 4)
    assert {color for color, _ in first} == {0, 1}
    assert len({str(moves) for _, moves in first}) > 10
    without = [colours_and_moves(GoEnv(size=5, color="random"), None) for _ in range(2)]
    assert without[0] != without[1], "without a seed every environment is another one"


def test_random_answers_are_equally_likely() -> None:
    envs = GoVectorEnv(8000, size=2, opponent="random")
    envs.reset(seed=2)
    envs.step(np.zeros(8000, int))
    answers = [envs.game(index).moves[1] for index in range(8000)]
    counts = np.array([answers.count(name) for name in ("B2", "A1", "B1", "pass")])
    assert counts.sum() == 8000 and (abs(counts - 2000) < 200).all()


def test_choices_that_do_not_exist_are_refused() -> None:
    wrong: list[dict[str, Any]] = [
        {"opponent": "weak"},
        {"color": "red"},
        {"render_mode": "human"},
        {"observation": None},
    ]
    for settings in wrong:
        with pytest.raises(ValueError):
            GoEnv(**settings)
        with pytest.raises(ValueError):
            GoVectorEnv(2, **settings)
    with pytest.raises(ValueError, match="leaves White none"):
        GoEnv(size=3, color="white", max_moves=1).reset(seed=1)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_continue_the_same_game(copied: Any) -> None:
    env = GoEnv(size=5, color="random")
    _, info = env.reset(seed=9)
    other = copied(env)
    for _ in range(30):
        action = int(np.flatnonzero(env.action_masks())[-2:][0])
        step, same = env.step(action), other.step(action)
        assert data_equivalence(step, same, exact=True)
        if step[2]:
            break
    envs = GoVectorEnv(4, size=5, opponent="random", num_buffers=2)
    envs.reset(seed=9)
    twins = copied(envs)
    for _ in range(60):
        actions = envs.sample()
        np.testing.assert_array_equal(actions, twins.sample())
        assert data_equivalence(envs.step(actions), twins.step(actions), exact=True)


def test_pictures() -> None:
    env = GoEnv(size=5, opponent="pass", render_mode="ansi")
    env.reset(seed=1)
    env.step(0)
    assert env.render() == str(env.game)
    assert GoEnv(size=5).render() is None
    env = GoEnv(size=5, opponent="pass", render_mode="rgb_array")
    env.reset(seed=1)
    empty = env.render()
    env.step(12)
    picture = env.render()
    assert picture.shape == (400, 400, 3) and picture.dtype == np.uint8
    assert picture[180:220, 170:190].mean() < 100 < empty[180:220, 170:190].mean(), "a black stone lies in the middle"
    envs = GoVectorEnv(2, size=5, render_mode="ansi")
    envs.reset(seed=1)
    assert envs.render() == (str(tengen.Game(5)),) * 2


def test_what_to_install_is_said() -> None:
    program = """
import sys
sys.modules["gymnasium"] = None
try:
    import tengen.gymnasium
except ImportError as missing:
    assert "pip install 'gymnasium>=1.1'" in str(missing)
else:
    raise AssertionError("it was imported without the package")
"""
    subprocess.run([sys.executable, "-c", program], check=True)


# Many games.


def agents_actions(generator: np.random.Generator, masks: Any) -> Any:
    """Legal actions, and now and then one that loses."""
    legal = [generator.choice(np.flatnonzero(mask)) for mask in masks]
    anything = generator.integers(masks.shape[1], size=len(masks))
    return np.where(generator.random(len(masks)) < 0.02, anything, legal)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("color", ["black", "white"])
@pytest.mark.parametrize("settings", [{"size": 4, "max_moves": 25}, {"size": 3, "komi": 0, "observation": "tactical"}])
def test_many_games_are_as_single_ones(mode: AutoresetMode, color: Any, settings: dict[str, Any]) -> None:
    num_envs = 5
    single = SyncVectorEnv(
        [lambda: GoEnv(opponent=fixed_choice, color=color, **settings)] * num_envs,
        autoreset_mode=mode,
    )
    many = GoVectorEnv(num_envs, opponent=fixed_choices, color=color, autoreset_mode=mode, **settings)
    assert many.single_observation_space == single.single_observation_space
    assert many.observation_space == single.observation_space
    assert many.action_space == single.action_space
    assert many.metadata == single.metadata
    generator = np.random.default_rng(8)
    expected: Any = single.reset(seed=1)
    found: Any = many.reset(seed=1)
    episodes = 0
    for _ in range(150):
        assert_same(expected, found)
        assert found[0] in many.observation_space
        actions = agents_actions(generator, many.action_masks())
        expected, found = single.step(actions), many.step(actions)
        assert_same(expected, found)
        ended = found[2]
        episodes += int(ended.sum())
        if mode == AutoresetMode.DISABLED and ended.any():
            expected = single.reset(options={"reset_mask": ended.copy()})
            found = many.reset(options={"reset_mask": ended.copy()})
    assert episodes > 20


def assert_same(expected: Any, found: Any) -> None:
    """Observations, rewards, ends and infos are the same."""
    for one, other in zip(expected[:-1], found[:-1], strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
    assert_same_info(expected[-1], found[-1])


def assert_same_info(expected: Any, found: Any) -> None:
    assert expected.keys() == found.keys()
    for name, value in expected.items():
        if isinstance(value, dict):
            assert_same_info(value, found[name])
        elif value.dtype == object:
            for one, other in zip(value, found[name], strict=True):
                np.testing.assert_array_equal(one, other)
        else:
            # Where the mask says that there is nothing, anything may stand.
            rows = slice(None) if name.startswith("_") else expected[f"_{name}"]
            np.testing.assert_array_equal(value[rows], found[name][rows])


def rewards_of_movers(envs: Any, steps: int, seed: int) -> list[Any]:
    """All that a program sees of games with itself, whatever the way of starting over."""
    _, infos = envs.reset(seed=seed)
    generator = np.random.default_rng(seed)
    seen: list[Any] = []
    mode = envs.metadata["autoreset_mode"]
    for _ in range(steps):
        movers = infos["to_move"]
        observations, rewards, ended, truncated, infos = envs.step(agents_actions(generator, envs.action_masks()))
        assert not truncated.any() and rewards.dtype == np.float64
        last = list(observations)
        score, moves = infos.get("score"), infos["moves"].copy()
        if mode == AutoresetMode.SAME_STEP and ended.any():
            final = infos["final_info"]
            score, moves = final["score"], np.where(ended, final["moves"], moves)
            assert (infos["_final_obs"] == ended).all() and (infos["_final_info"] == ended).all()
            last = [infos["final_obs"][index] if end else last[index] for index, end in enumerate(ended)]
        seen.append((movers.tolist(), rewards.tolist(), ended.tolist(), moves.tolist(), np.array(last)))
        if ended.any():
            assert score is not None
            seen[-1] += (np.where(ended, score, 0).tolist(),)
        if mode != AutoresetMode.SAME_STEP and ended.any():
            # In next-step mode, too, so that no step is lost to it.
            _, infos = envs.reset(options={"reset_mask": ended})
    return seen


def test_games_of_a_program_with_itself() -> None:
    settings: dict[str, Any] = {"size": 3, "max_moves": 25}
    runs = [rewards_of_movers(GoVectorEnv(6, autoreset_mode=mode, **settings), 150, 4) for mode in MODES]
    for run in runs[1:]:
        assert data_equivalence(runs[0], run, exact=True)
    assert sum(sum(step[2]) for step in runs[0]) > 30


def test_rewards_are_those_of_the_player_who_moved() -> None:
    envs = GoVectorEnv(2, size=3, komi=0.5)
    _, infos = envs.reset(seed=1)
    assert infos["to_move"].tolist() == [0, 0] and infos["_to_move"].all()
    envs.step(np.array([9, 4]))
    _, rewards, ended, _, infos = envs.step(np.array([9, 4]))
    assert rewards.tolist() == [1.0, -1.0], "White wins an empty board, and loses by playing on a stone"
    assert ended.all() and infos["score"].tolist() == [-0.5, 8.5] and infos["_score"].all()
    _, rewards, ended, _, infos = envs.step(np.array([0, 0]))
    assert not rewards.any() and not ended.any() and "score" not in infos
    assert infos["moves"].tolist() == [0, 0], "the step behind the end starts over"


@pytest.mark.parametrize("mode", MODES)
def test_colours_are_drawn_for_each_game(mode: AutoresetMode) -> None:
    envs = GoVectorEnv(16, size=4, komi=0.5, opponent="random", color="random", autoreset_mode=mode, max_moves=20)
    _, infos = envs.reset(seed=3)
    generator = np.random.default_rng(3)
    colours, results = set(), set()
    for _ in range(60):
        colours.add(tuple(infos["color"]))
        over = np.array([envs.game(index).is_over for index in range(16)])
        for index in np.flatnonzero(~over).tolist():
            game = envs.game(index)
            assert game.to_move == ("black", "white")[infos["color"][index]]
            assert len(game.moves) == infos["moves"][index]
            np.testing.assert_array_equal(game.legal_mask(), infos["action_mask"][index])
        before = infos["color"].copy()
        observations, rewards, ended, _, infos = envs.step(agents_actions(generator, envs.action_masks()))
        assert (observations[:, 0, 0, 16] == (infos["color"] == 0)).all()
        for index in np.flatnonzero(ended).tolist():
            results.add((before[index], rewards[index]))
            if mode == AutoresetMode.DISABLED:
                won = envs.game(index).winner == ("black", "white")[before[index]]
                assert rewards[index] == (1 if won else -1)
            if mode == AutoresetMode.SAME_STEP:
                assert infos["final_obs"][index][0, 0, 16] == (before[index] == 0)
                assert infos["final_info"]["color"][index] == before[index]
        if mode == AutoresetMode.DISABLED and ended.any():
            others = infos["color"].copy()
            observations, infos = envs.reset(options={"reset_mask": ended})
            assert (infos["color"][~ended] == others[~ended]).all() and (infos["_color"] == ended).all()
            assert (observations[:, 0, 0, 16] == (infos["color"] == 0)).all()
    assert len(colours) > 5 and len(results) == 4


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponent", [None, "random"])
def test_wrappers_of_gymnasium(mode: AutoresetMode, opponent: Any) -> None:
    envs = GoVectorEnv(4, size=3, opponent=opponent, autoreset_mode=mode, max_moves=10)
    wrapped = DictInfoToList(RecordEpisodeStatistics(envs))
    _, infos = wrapped.reset(seed=1)
    lengths = []
    for _ in range(60):
        _, rewards, ended, _, infos = wrapped.step(envs.sample())
        lengths += [info["episode"]["l"] for info in infos if "episode" in info]
        assert len(infos) == 4 and infos[0]["action_mask"].shape == (10,)
        if mode == AutoresetMode.DISABLED and ended.any():
            wrapped.reset(options={"reset_mask": ended})
    assert len(lengths) > 10
    assert max(lengths) <= (5 if opponent else 10)


@pytest.mark.parametrize("opponent", [None, "random"])
def test_make_vec(opponent: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        envs = gymnasium.make_vec(
            "tengen/Go9x9-v0", num_envs=3, vectorization_mode="vector_entry_point", opponent=opponent, dtype=np.float32
        )
    assert isinstance(envs, GoVectorEnv) and envs.spec is not None
    observations, infos = envs.reset(seed=1)
    assert observations.shape == (3, 9, 9, 17) and observations.dtype == np.float32
    assert observations in envs.observation_space
    actions = envs.action_space.sample(mask=tuple(infos["action_mask"]))
    assert envs.step(actions)[0] in envs.observation_space
    assert ("to_move" in infos) == (opponent is None)
    envs.close()


def test_both_ways_to_make_many_have_the_same_opponent() -> None:
    for mode, kind in [("vector_entry_point", GoVectorEnv), ("sync", SyncVectorEnv)]:
        envs = gymnasium.make_vec("tengen/Go9x9-v0", num_envs=2, vectorization_mode=mode)
        assert isinstance(envs, kind)
        envs.reset(seed=1)
        infos = envs.step(np.array([40, 40]))[-1]
        assert infos["moves"].tolist() == [2, 2] and infos["color"].tolist() == [0, 0]
    with pytest.raises(ValueError, match="needs an opponent"):
        gymnasium.make("tengen/Go9x9-v0", opponent=None)


@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("num_buffers", [0, 2])
def test_what_was_handed_out_stays(opponent: Any, num_buffers: int) -> None:
    envs = GoVectorEnv(4, size=3, opponent=opponent, num_buffers=num_buffers)
    held: list[Any] = [envs.reset(seed=1)]
    copies = [copy.deepcopy(held[0])]
    for _ in range(40):
        held.append(envs.step(envs.sample()))
        copies.append(copy.deepcopy(held[-1]))
        if num_buffers:
            held, copies = held[-num_buffers:], copies[-num_buffers:]
        assert all(data_equivalence(one, other, exact=True) for one, other in zip(held, copies, strict=True))


def test_bad_actions_change_nothing() -> None:
    envs = GoVectorEnv(2, size=3, opponent="random", illegal="error")
    with pytest.raises(ResetNeeded):
        envs.step(np.array([0, 0]))
    envs.reset(seed=1)
    for actions, error in [
        (np.array([0, 10]), "game 1: there is no action 10"),
        (np.array([-1, 0]), "game 0: there is no action -1"),
        (np.array([0]), "one action for each of 2 games"),
        (np.array([0.0, 1.0]), "actions are integers"),
    ]:
        with pytest.raises((TypeError, ValueError), match=error):
            envs.step(actions)
    envs.step(np.array([4, 4]))
    before = [envs.game(index) for index in range(2)]
    with pytest.raises(tengen.IllegalMoveError, match="game 1: action 4 is illegal"):
        envs.step(np.array([9, 4]))
    assert before == [envs.game(index) for index in range(2)]
    for mask in ([True, False], np.array([1, 0]), np.array([False, False]), np.array([True])):
        with pytest.raises((TypeError, ValueError), match="reset_mask"):
            envs.reset(options={"reset_mask": mask})


def test_ended_games_wait_for_a_reset_when_that_is_disabled() -> None:
    envs = GoVectorEnv(2, size=3, opponent="pass", autoreset_mode="disabled")
    envs.reset(seed=1)
    _, _, ended, _, _ = envs.step(np.array([9, 0]))
    assert ended.tolist() == [True, False]
    with pytest.raises(ResetNeeded, match=r"games \[0\] have ended"):
        envs.step(np.array([0, 1]))
    _, infos = envs.reset(options={"reset_mask": ended})
    assert infos["moves"].tolist() == [0, 2]
    envs.step(np.array([0, 1]))


def test_frames_with_boards_of_several_sizes() -> None:
    envs = GoVectorEnv(2, size=[3, 5], komi=[0.5, 7.5], opponent="random")
    observations, infos = envs.reset(seed=1)
    assert observations.shape == (2, 5, 5, 17)
    assert infos["action_mask"].sum(axis=1).tolist() == [10, 26]
