"""The pool of Ray actors, and the environment for RLlib."""

from __future__ import annotations

import doctest
import logging
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from ray_cluster import PACKAGE, kill, local_cluster

import tengen
import tengen.ray.worker
from tengen.ray import Rollout, RolloutPool
from tengen.ray.worker import Worker, seed_of


def run(code: str) -> str:
    """What a new interpreter prints."""
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_importing_the_package_imports_neither_ray_nor_rllib() -> None:
    code = "import sys, tengen.ray; tengen.ray.RolloutPool; print('ray' in sys.modules, 'gymnasium' in sys.modules)"
    assert run(code) == "False False"


@pytest.mark.parametrize(
    ("use", "install"),
    [("tengen.ray.RolloutPool()", "pip install ray"), ("tengen.ray.GoMultiAgentEnv", 'pip install "ray[rllib]"')],
)
def test_a_missing_package_is_named(use: str, install: str) -> None:
    code = f"""
import sys
sys.modules["ray"] = None
import tengen.ray
try:
    {use}
except ImportError as error:
    print(error)
"""
    assert install in run(code)


OPTIONS: dict[str, Any] = {
    "num_envs": 8,
    "size": 5,
    "komi": 0.5,
    "autoreset": "same-step",
    "observation": None,
    "num_threads": 1,
}


def first_snapshot(seed: int = 7) -> bytes:
    env = tengen.VectorEnv(**OPTIONS, seed=seed)
    env.reset()
    return env.snapshot()


def test_what_a_worker_plays_depends_on_its_arguments_alone() -> None:
    start = first_snapshot()
    there, elsewhere = Worker(OPTIONS, None), Worker({**OPTIONS, "seed": 99}, None)
    first = there.play(start, 60, (7, 0, 0))
    second = there.play(first.end, 60, (7, 0, 1))
    again = elsewhere.play(first.end, 60, (7, 0, 1))
    assert second.end == again.end
    assert (second.actions == again.actions).all()
    assert (second.scores == again.scores).all()
    assert (first.actions != second.actions).any()


def test_a_rollout_is_replayed_as_it_was_played() -> None:
    env = tengen.VectorEnv(**{**OPTIONS, "observation": "agz", "num_buffers": 0}, seed=7)
    env.reset()
    for _ in range(30):
        env.step(env.sample())
    start = env.snapshot()
    played = Worker(OPTIONS, None).play(start, 100, (7, 0, 0))
    fields = (played.actions, played.end_steps, played.end_envs, played.black_rewards, played.scores, played.seconds)
    rollout = pickle.loads(pickle.dumps(Rollout(0, 0, 7, 0, OPTIONS, start, *fields)))
    assert rollout.steps == 800
    assert rollout.games == len(played.scores) > 8
    assert sum(rollout.wins) == rollout.games
    # Where each game is known by a snapshot of some dozen bytes, and each action by two.
    assert rollout.nbytes < 100 * 8 * 25 * 17 / 8

    observation, info = env.show()
    ends = []
    for step, frame in enumerate(rollout.replay(observation="agz")):
        assert (frame.observation == observation).all()
        assert (frame.legal_action_mask == info["legal_action_mask"]).all()
        assert (frame.to_move == info["to_move"]).all()
        actions = env.sample()
        assert (frame.actions == actions).all()
        observation, rewards, terminated, _, info = env.step(actions)
        assert (frame.rewards == rewards).all()
        assert (frame.terminated == terminated).all()
        ends += [(step, game, rewards[game, 0], info["score"][game]) for game in np.flatnonzero(terminated)]
    assert step == 99
    assert ends == list(zip(played.end_steps, played.end_envs, played.black_rewards, played.scores, strict=True))
    assert next(iter(rollout.replay(observation="tactical", dtype=np.float32))).observation.dtype == np.float32


def test_workers_have_seeds_of_their_own() -> None:
    assert len({seed_of(seed, worker) for seed in range(20) for worker in range(20)}) == 400
    assert doctest.testmod(tengen.ray.worker).failed == 0


@pytest.fixture(scope="module")
def local_ray() -> Iterator[Any]:
    # Actors only count as so many; a pool stays while others come and go.
    with local_cluster(cpus=4) as ray:
        yield ray


def made(**options: Any) -> RolloutPool:
    return RolloutPool(**{"num_workers": 2, "num_envs": 8, "size": 5, "komi": 0.5, "seed": 3, **options})


def key(rollout: Rollout) -> tuple[Any, ...]:
    """All of a rollout but how long it took and which version its weights had."""
    arrays = (rollout.actions, rollout.end_steps, rollout.end_envs, rollout.black_rewards, rollout.scores)
    return rollout.worker, rollout.index, rollout.seed, rollout.start, *(array.tobytes() for array in arrays)


def towards_the_centre() -> Callable[[Any], Any]:
    """A policy that likes the centre the more, the greater its only weight is."""

    # Workers cannot import this file; what is defined inside a function is pickled whole.
    def policy(weights: Any) -> Any:
        distance = np.abs(np.arange(5) - 2)
        dislike = np.append((distance[:, None] + distance).ravel(), 9)

        def act(observation: Any, mask: Any, rng: np.random.Generator) -> npt.NDArray[Any]:
            assert observation.shape == (8, 5, 5, 17)
            liking = rng.gumbel(size=mask.shape) - weights["centre"] * dislike
            return np.asarray(np.where(mask, liking, -np.inf).argmax(1))

        return act

    return policy


@pytest.fixture(scope="module")
def pool_from_the_start(local_ray: Any) -> Iterator[Callable[[], RolloutPool]]:
    """A pool that is taken back to its beginning, since starting processes takes longer than all that the tests do with
    them."""
    with made() as pool:
        start = pool.state()

        def again() -> RolloutPool:
            pool.restore(start)
            pool.replaced = 0
            return pool

        yield again


def test_a_lost_worker_changes_nothing(
    local_ray: Any, pool_from_the_start: Callable[[], RolloutPool], caplog: pytest.LogCaptureFixture
) -> None:
    pool = pool_from_the_start()
    undisturbed = {key(rollout) for rollout in pool.rollouts(steps=3000, rounds=3)}
    assert pool.replaced == 0
    assert len(undisturbed) == 6

    results = []
    pool = pool_from_the_start()
    with caplog.at_level(logging.WARNING, "tengen.ray"):
        for rollout in pool.rollouts(steps=3000, rounds=3):
            results.append(rollout)
            if len(results) == 1:
                # It has begun its next rollout already.
                kill(local_ray, pool.workers[rollout.worker])
    assert pool.replaced == 1
    assert {key(rollout) for rollout in results} == undisturbed
    assert sorted((rollout.worker, rollout.index) for rollout in results) == [(w, i) for w in (0, 1) for i in (0, 1, 2)]
    assert [record.message.split(" (")[0] for record in caplog.records] == [f"worker {results[0].worker} was lost"]


def test_the_pool_plays_what_a_worker_without_ray_plays(pool_from_the_start: Callable[[], RolloutPool]) -> None:
    rollouts = sorted(pool_from_the_start().rollouts(steps=50, rounds=2), key=lambda rollout: rollout.index)
    for number in (0, 1):
        worker = Worker(OPTIONS, None)
        at = first_snapshot(seed_of(3, number))
        for rollout in (rollout for rollout in rollouts if rollout.worker == number):
            assert rollout.start == at
            assert rollout.seed == seed_of(3, number)
            played = worker.play(at, 50, (3, number, rollout.index))
            assert (played.actions == rollout.actions).all()
            assert (played.scores == rollout.scores).all()
            at = played.end
        frames = list(rollouts[0].replay(observation="agz"))
        assert (sum(frame.terminated.sum() for frame in frames), len(frames)) == (rollouts[0].games, 50)


def test_weights_reach_the_policy(local_ray: Any) -> None:
    with made(policy=towards_the_centre(), weights={"centre": 0.0}) as pool:
        before = list(pool.rollouts(steps=40))
        assert pool.broadcast({"centre": 20.0}) == 1
        state = pickle.loads(pickle.dumps(pool.state()))
        after = list(pool.rollouts(steps=40, rounds=2))
        # A worker that is lost comes back with the weights of the rollout that it has to play again.
        kill(local_ray, pool.workers[0])
        last = list(pool.rollouts(steps=40))
        assert pool.replaced == 1
        # The same pool, or another one, plays the same again from a state.
        pool.restore(state)
        assert {key(rollout) for rollout in pool.rollouts(steps=40, rounds=2)} == {key(rollout) for rollout in after}
    assert {rollout.version for rollout in before} == {0}
    assert {rollout.version for rollout in after + last} == {1}
    with made(policy=towards_the_centre()) as pool:
        pool.restore(state)
        again = list(pool.rollouts(steps=40, rounds=3))
    assert {key(rollout) for rollout in again} == {key(rollout) for rollout in after + last}

    def first_in_the_centre(rollouts: list[Rollout]) -> float:
        firsts = [frame for rollout in rollouts for frame in rollout.replay(observation="agz")]
        empty = [~frame.observation[..., :16].any((1, 2, 3)) & (frame.to_move == 0) for frame in firsts]
        moves = np.concatenate([frame.actions[which] for frame, which in zip(firsts, empty, strict=True)])
        return float((moves == 12).mean())

    assert first_in_the_centre(before) < 0.5
    assert first_in_the_centre(again) == 1


def test_what_was_not_yielded_comes_the_next_time(pool_from_the_start: Callable[[], RolloutPool]) -> None:
    whole = {key(rollout) for rollout in pool_from_the_start().rollouts(steps=30, rounds=4)}
    pool = pool_from_the_start()
    parts = []
    for rollout in pool.rollouts(steps=30, rounds=None):
        parts.append(rollout)
        if len(parts) == 3:
            break
    parts += pool.rollouts(steps=30, rounds=4)
    # Workers are not equally fast, so one may have done more than the other; none has left out anything.
    assert len({key(rollout) for rollout in parts}) == len(parts) == 11
    assert {key(rollout) for rollout in parts if rollout.index < 4} == whole


def test_two_loops_at_a_time_are_refused(local_ray: Any) -> None:
    with made(num_workers=1) as pool:
        loop = pool.rollouts(steps=10, rounds=None)
        next(loop)
        with pytest.raises(RuntimeError, match="one loop at a time"):
            next(pool.rollouts(steps=10))
        with pytest.raises(RuntimeError, match="leave the loop"):
            pool.restore(pool.state())
    with pytest.raises(RuntimeError, match="closed"):
        next(loop)
    with pytest.raises(RuntimeError, match="closed"):
        pool.rollouts(steps=10)


def test_mistakes_are_found_at_once(pool_from_the_start: Callable[[], RolloutPool]) -> None:
    with pytest.raises(ValueError, match="rules"):
        made(rules="nonsense")
    with pytest.raises(ValueError, match="autoreset"):
        made(autoreset="disabled")
    with pytest.raises(ValueError, match="num_workers"):
        made(num_workers=0)
    pool = pool_from_the_start()
    with pytest.raises(ValueError, match="at least 1 step"):
        pool.rollouts(steps=0)
    with pytest.raises(ValueError, match="seed"):
        pool.restore({**pool.state(), "seed": 4})


def test_an_error_of_the_policy_reaches_the_caller(local_ray: Any) -> None:
    def policy(weights: Any) -> Any:
        return lambda observation, mask, rng: np.full(len(mask), 99)

    with made(num_workers=1, policy=policy) as pool, pytest.raises(ValueError, match="99"):
        next(pool.rollouts(steps=5))
    assert pool.replaced == 0


def test_a_policy_that_ends_its_process_is_given_up(local_ray: Any) -> None:
    def policy(weights: Any) -> Any:
        os._exit(1)

    with made(num_workers=1, policy=policy, max_losses=1) as pool:
        with pytest.raises(RuntimeError, match="lost 2 times in rollout 0"):
            next(pool.rollouts(steps=5))
        assert pool.replaced == 1


def test_control_c_leaves_the_loop_and_close_stops_the_workers(local_ray: Any) -> None:
    with pytest.raises(KeyboardInterrupt), made(num_workers=1) as pool:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        for _ in pool.rollouts(steps=32_000_000):
            pytest.fail("that many steps were not made in half a second")
    pool.close()
    with pytest.raises(local_ray.exceptions.RayActorError):
        local_ray.get(pool.workers[0].knows.remote(0), timeout=20)


def test_more_workers_than_processors_share_them(local_ray: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="tengen.ray"), made(num_workers=5) as pool:
        share = pool._ray_options["num_cpus"]
        assert 0 < share < 1 and 5 * share <= 4
        assert "5 workers share the" in caplog.text
        assert sorted(rollout.worker for rollout in pool.rollouts(steps=2)) == [0, 1, 2, 3, 4]


def test_a_pool_that_finds_no_room_says_so(local_ray: Any) -> None:
    with made(ray_options={"num_cpus": 99}, start_timeout=1) as pool:
        room = r"2 of 2 workers have not started in 1 seconds. Each asks for 99 CPU; the cluster has \S+ of 4 CPU free"
        with pytest.raises(RuntimeError, match=room):
            next(iter(pool.rollouts(steps=2)))


@pytest.fixture(scope="module")
def go() -> Any:
    pytest.importorskip("ray.rllib.env.multi_agent_env", exc_type=ImportError, reason="RLlib is not installed")
    import tengen.ray.rllib

    return tengen.ray.rllib


def test_rllib_finds_nothing_wrong(go: Any) -> None:
    from ray.rllib.utils.pre_checks.env import check_multiagent_environments

    for config in ({}, {"size": 5, "observation": "tactical", "layout": "channels-first", "dtype": np.uint8}):
        for _ in range(10):
            check_multiagent_environments(go.GoMultiAgentEnv(config))
    assert doctest.testmod(go).failed == 0


@pytest.mark.parametrize("rules", ["tromp-taylor", "chinese", "pgx"])
def test_agents_see_what_the_game_says(go: Any, rules: str) -> None:
    env = go.GoMultiAgentEnv({"size": 5, "komi": 0.5, "rules": rules})
    rng = np.random.default_rng(1)
    results = set()
    for seed in range(20):
        observations, infos = env.reset(seed=seed)
        kept = []
        over = False
        while not over:
            game = env.game
            assert list(observations) == [game.to_move] == list(infos)
            shown = observations[game.to_move]
            assert env.get_observation_space(game.to_move).contains(shown)
            assert (shown["action_mask"] == game.legal_mask()).all()
            own, other = (1, 2) if game.to_move == "black" else (2, 1)
            assert (shown["observations"][..., 0] == (game.stones == own)).all()
            assert (shown["observations"][..., 1] == (game.stones == other)).all()
            kept.append((shown, {name: array.copy() for name, array in shown.items()}))
            action = int(rng.choice(np.flatnonzero(shown["action_mask"])))
            observations, rewards, terminateds, truncateds, infos = env.step({game.to_move: action})
            over = terminateds["__all__"]
            assert terminateds == {"black": over, "white": over, "__all__": over}
            assert not any(truncateds.values())
        game = env.game
        assert game.is_over
        assert set(observations) == set(rewards) == set(infos) == {"black", "white"}
        black, white = (observations[agent]["observations"] for agent in ("black", "white"))
        assert (white[..., 0] == (game.stones == 2)).all()
        assert (black[..., 0] == (game.stones == 1)).all()
        expected = {"black": (1, -1), "white": (-1, 1), None: (0, 0)}[game.winner]
        assert (rewards["black"], rewards["white"]) == expected
        assert infos["black"]["result"] == game.result
        # RLlib keeps what it was shown.
        assert all((then[name] == now[name]).all() for now, then in kept for name in now)
        results.add(game.winner)
    assert {"black", "white"} <= results


def test_rllib_collects_episodes(go: Any) -> None:
    episodes = pytest.importorskip("ray.rllib.env.multi_agent_episode", exc_type=ImportError)
    env = go.GoMultiAgentEnv({"size": 5, "komi": 0.5})
    rng = np.random.default_rng(2)
    observations, infos = env.reset()
    episode = episodes.MultiAgentEpisode(
        observation_space=env.observation_spaces, action_space=env.action_spaces
    )
    episode.add_env_reset(observations=observations, infos=infos)
    while not episode.is_done:
        ((agent, shown),) = observations.items()
        actions = {agent: int(rng.choice(np.flatnonzero(shown["action_mask"])))}
        observations, rewards, terminateds, truncateds, infos = env.step(actions)
        episode.add_env_step(
            observations=observations,
            actions=actions,
            rewards=rewards,
            infos=infos,
            terminateds=terminateds,
            truncateds=truncateds,
        )
    returns = {agent: episode.agent_episodes[agent].get_return() for agent in ("black", "white")}
    assert sorted(returns.values()) == [-1, 1]
    assert returns[env.game.winner] == 1
    assert episode.env_t == infos["black"]["moves"]


def test_rllib_steps_many_games(go: Any) -> None:
    vector = pytest.importorskip("ray.rllib.env.vector.sync_vector_multi_agent_env", exc_type=ImportError)
    from ray.rllib.env.env_context import EnvContext

    config = EnvContext({"size": 5, "komi": 0.5}, worker_index=1)
    envs = vector.SyncVectorMultiAgentEnv([lambda: go.GoMultiAgentEnv(config) for _ in range(3)])
    rng = np.random.default_rng(3)
    shown, _ = envs.reset(seed=1)
    ended = 0
    for _ in range(150):
        actions = [
            {agent: int(rng.choice(np.flatnonzero(one["action_mask"]))) for agent, one in each.items()}
            for each in shown
        ]
        shown, rewards, terminateds, _, _ = envs.step(actions)
        for reward, terminated in zip(rewards, terminateds, strict=True):
            assert abs(reward["black"]) == abs(reward["white"]) == terminated["__all__"]
            ended += terminated["__all__"]
    assert ended > 6


def test_mistakes_of_agents_are_named(go: Any) -> None:
    env = go.GoMultiAgentEnv({"size": 5, "illegal": "error"})
    env.reset()
    with pytest.raises(ValueError, match="turn of 'black' alone"):
        env.step({"white": 3})
    env.step({"black": 12})
    with pytest.raises(tengen.IllegalMoveError):
        env.step({"white": 12})
    assert env.game.moves == ["C3"]
    env.step({"white": 25})
    env.step({"black": 25})
    with pytest.raises(RuntimeError, match="over"):
        env.step({"white": 25})
    with pytest.raises(ValueError, match="unknown options sise"):
        go.GoMultiAgentEnv({"sise": 5})
    lenient = go.GoMultiAgentEnv({"size": 5})
    lenient.reset()
    lenient.step({"black": 12})
    _, rewards, terminateds, _, _ = lenient.step({"white": 12})
    assert rewards == {"black": 1, "white": -1}
    assert terminateds["__all__"]
