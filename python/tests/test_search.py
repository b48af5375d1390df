"""Searches of many games at once."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from typing import Any

import corpus
import numpy as np
import pytest
import sines

import tengen

RECORDED = json.loads((corpus.TESTDATA / "env" / "mctx.json").read_text(encoding="utf-8"))["searches"]


def games(count: int = 6, size: Any = 5) -> list[tengen.Game]:
    """Games with different numbers of moves."""
    made = []
    for index in range(count):
        game = tengen.Game(size, komi=index + 0.5)
        for action in range(index):
            game.play(3 * action)
        made.append(game)
    return made


@pytest.mark.parametrize("one", RECORDED, ids=lambda one: f"{one['method']}-{one['size']}-{one['simulations']}")
def test_finds_what_mctx_finds(one: dict[str, Any]) -> None:
    game = tengen.Game(one["size"], komi=one["komi"])
    for move in one["moves"]:
        game.play(move)
    # The settings of mctx are its own.
    found = tengen.search(
        sines.evaluate,
        [game],
        one["simulations"],
        method=one["method"],
        noise=False,
        considered=one["considered"],
        halving="counted",
        rescale_values=True,
        value_scale=0.1,
        temperature=0,
    )
    np.testing.assert_array_equal(found.visits[0], one["visits"])
    assert found.actions[0] == one["action"]
    if "policy" in one:
        np.testing.assert_allclose(found.policy[0], one["policy"], rtol=0, atol=1e-5)


@pytest.mark.parametrize("method", ["gumbel", "puct"])
@pytest.mark.parametrize("options", [{}, {"num_threads": 2}, {"halves": 1}, {"fixed_batch": True}])
def test_one_seed_finds_the_same_however_it_is_computed(method: Any, options: dict[str, Any]) -> None:
    simulations = [40, 3, 0, 17, 64, 64]
    first = tengen.search(sines.evaluate, games(), simulations, method=method, seed=3)
    second = tengen.search(sines.evaluate, games(), simulations, method=method, seed=3, **options)
    np.testing.assert_array_equal(first.visits, second.visits)
    np.testing.assert_array_equal(first.policy, second.policy)
    np.testing.assert_array_equal(first.actions, second.actions)
    other = tengen.search(sines.evaluate, games(), simulations, method=method, seed=4)
    assert (first.visits != other.visits).any()
    # Where nothing was searched, Gumbel's search draws from the policy, and no simulation is spent.
    assert first.visits.sum(1).tolist() == [40, 3, 0, 17, 64, 64]


def test_results_are_consistent() -> None:
    found = tengen.search(sines.evaluate, games(), 50, seed=1)
    np.testing.assert_allclose(found.policy.sum(1), 1, atol=1e-5)
    np.testing.assert_allclose(found.prior.sum(1), 1, atol=1e-5)
    for index, game in enumerate(games()):
        illegal = ~game.legal_mask()
        assert not found.visits[index][illegal].any()
        assert not found.policy[index][illegal].any()
        tried = found.visits[index] > 0
        np.testing.assert_array_equal(np.isnan(found.action_values[index]), ~tried)
        assert np.abs(found.action_values[index][tried]).max() <= 1
        line = found.variations[index]
        assert line[0] == found.actions[index]
        for action in line:
            game.play(action)
        logits, values = sines.judge(planes(games()[index]), 26)
        np.testing.assert_allclose(found.raw_values[index], values[0], atol=1e-6)
        legal = np.where(illegal, -np.inf, logits[0])
        np.testing.assert_allclose(found.prior[index], np.exp(legal) / np.exp(legal).sum(), atol=1e-6)


def planes(game: tengen.Game) -> Any:
    own = 1 if game.to_move == "black" else 2
    return np.stack([game.stones == own, (game.stones != 0) & (game.stones != own)], -1)[None]


@pytest.mark.parametrize("observation", ["agz", "tactical"])
@pytest.mark.parametrize("layout", ["channels-last", "channels-first"])
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_leaves_look_as_positions_of_environments_do(observation: Any, layout: Any, dtype: Any) -> None:
    roots: dict[int, Any] = {}

    def evaluate(leaves: tengen.Leaves) -> Any:
        for row, game in enumerate(leaves.games):
            roots.setdefault(int(game), [array[row].copy() for array in leaves])
        assert leaves.planes.dtype == dtype
        return np.zeros(leaves.mask.shape, np.float32), np.zeros(len(leaves.mask), np.float32)

    mixed = [tengen.Game(5, komi=2), tengen.Game((3, 4), rules="japanese"), tengen.Game(5)]
    for game in mixed:
        game.play(4)
        game.play(1)
        game.play(None)
    tengen.search(evaluate, mixed, 1, observation=observation, layout=layout, dtype=dtype)
    env = tengen.VectorEnv.from_games(mixed, observation=observation, layout=layout, dtype=dtype)
    seen, info = env.show()
    for index, game in enumerate(mixed):
        shown, numbers, mask, to_move, number = roots[index]
        np.testing.assert_array_equal(shown, seen[index])
        np.testing.assert_array_equal(mask, info["legal_action_mask"][index])
        np.testing.assert_array_equal(numbers, tengen.Net.inputs(game)[1])
        assert (to_move, number) == (info["to_move"][index], index)


def test_games_of_an_environment_are_searched_as_they_stand() -> None:
    env = tengen.VectorEnv(5, 5, seed=1)
    env.reset()
    for _ in range(8):
        env.step(env.sample())
    copies = [env.game(index) for index in range(5)]
    first = tengen.search(sines.evaluate, env, 20)
    second = tengen.search(sines.evaluate, copies, 20)
    np.testing.assert_array_equal(first.policy, second.policy)
    env.step(first.actions)


def test_superko_is_exact_in_the_tree() -> None:
    asked = 0

    def evaluate(leaves: tengen.Leaves) -> Any:
        nonlocal asked
        asked += len(leaves.mask)
        logits, values = sines.evaluate(leaves)
        # Passes would end the games.
        logits[:, -1] = -8
        return logits, values

    for ko in ("positional", "situational"):
        rules = tengen.Rules(ko=ko, suicide="allowed")
        searched = tengen.Search(evaluate, [tengen.Game(2, rules=rules) for _ in range(2)], value_scale=0.02)
        for _ in range(12):
            found = searched.run(200)
            for game, line in zip(searched.games, found.variations, strict=True):
                for action in line:
                    game.play(action)
            searched.play(found.actions)
            if searched.over.any():
                break
    assert asked > 1000


def test_what_follows_a_move_is_kept() -> None:
    asked = []

    def evaluate(leaves: tengen.Leaves) -> Any:
        asked.append(len(leaves.mask))
        return sines.evaluate(leaves)

    counts = {}
    for reuse in (True, False):
        searched = tengen.Search(evaluate, games(2), reuse=reuse, noise=False)
        found = searched.run(100)
        kept = found.visits[np.arange(2), found.actions]
        searched.play(found.actions)
        asked.clear()
        again = searched.run(0)
        counts[reuse] = again.visits.sum(1)
        np.testing.assert_array_equal(again.visits.sum(1), kept - 1 if reuse else [0, 0])
        # The root is known already, or is asked about once.
        assert sum(asked) == (0 if reuse else 2)
        later = searched.run(10)
        assert (later.visits.sum(1) == counts[reuse] + 10).all()


def test_a_network_of_ours_is_searched_natively_and_as_a_function() -> None:
    net = tengen.Net.random(1, 16, seed=2)
    found = tengen.search(net, games(), 30, seed=1, num_threads=2)
    again = tengen.search(net, games(), 30, seed=1)
    np.testing.assert_array_equal(found.policy, again.policy)
    assert found.visits.sum(1).tolist() == [30] * 6

    def evaluate(leaves: tengen.Leaves) -> Any:
        said = net.evaluate_planes(leaves.planes, leaves.globals)
        return said.logits, said.win - said.loss, said.lead

    called = tengen.search(evaluate, games(), 30, seed=1, observation="tactical", score_weight=0.05)
    assert called.visits.sum(1).tolist() == [30] * 6
    np.testing.assert_allclose(called.leads, found.leads, atol=25)


def test_the_interpreter_goes_on_meanwhile() -> None:
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1
            done.wait(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    tengen.search(tengen.Net.random(1, 16), games(), 200)
    done.set()
    thread.join()
    assert turns > 1


def test_noise_explores_and_no_noise_does_not() -> None:
    flat = lambda leaves: (np.zeros(leaves.mask.shape), np.zeros(len(leaves.mask)))  # noqa: E731
    for method in ("gumbel", "puct"):
        seeds = [tengen.search(flat, [tengen.Game(5)], 8, method=method, seed=seed).visits for seed in range(4)]
        assert any((seeds[0] != other).any() for other in seeds[1:])
        quiet = {"noise": False, "temperature": 0}
        seeds = [tengen.search(flat, [tengen.Game(5)], 8, method=method, seed=seed, **quiet).visits for seed in (1, 2)]
        np.testing.assert_array_equal(*seeds)


def test_games_can_be_replaced_and_left_alone() -> None:
    searched = tengen.Search(sines.evaluate, games(3))
    found = searched.run([5, -1, 5])
    assert found.visits.sum(1).tolist() == [5, 0, 5]
    searched.play([int(found.actions[0]), -1, -1])
    assert [len(game.turns) for game in searched.games] == [1, 1, 2]
    searched.replace(2, tengen.Game(5))
    assert [len(game.turns) for game in searched.games] == [1, 1, 0]
    with pytest.raises(ValueError, match="does not fit into the frame"):
        searched.replace(0, tengen.Game(9))


def test_finished_games_need_nobody() -> None:
    game = tengen.Game(5)
    game.play(None)
    game.play(None)
    found = tengen.search(lambda leaves: pytest.fail("nobody is asked"), [game], 10)
    assert (found.visits.sum(), found.variations, found.values.tolist()) == (0, [[]], [-1.0])
    assert found.actions.tolist() == [-1]


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (lambda n, a: None, r"evaluate returns \(logits, values\)"),
        (lambda n, a: (np.zeros((n, a - 1)), np.zeros(n)), r"logits of the shape \(1, 25\) instead of \(1, 26\)"),
        (lambda n, a: (np.zeros((n, a)), np.zeros(n + 1)), r"values of the shape \(2,\)"),
        (lambda n, a: (np.full((n, a), np.nan), np.zeros(n)), r"logits\[0\]: the logit of the legal action 0 is NaN"),
        (lambda n, a: (np.full((n, a), -np.inf), np.zeros(n)), "all legal actions are -inf"),
        (lambda n, a: (np.zeros((n, a)), np.full(n, 1.5)), r"values\[0\] is 1.5: values are from -1"),
        (lambda n, a: (np.zeros((n, a)), np.zeros(n), np.full(n, np.nan)), r"leads\[0\] is NaN"),
    ],
)
def test_wrong_answers_are_named(said: Any, problem: str) -> None:
    searched = tengen.Search(lambda leaves: said(*leaves.mask.shape), [tengen.Game(5)])
    with pytest.raises((TypeError, ValueError), match=problem):
        searched.run(4)
    # And do no harm.
    searched.evaluate = sines.evaluate
    assert searched.run(4).visits.sum() == 4


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"method": "alpha-beta"}, "method is 'gumbel' or 'puct', not 'alpha-beta'"),
        ({"considered": 0}, "considered is a whole number, 1 to"),
        ({"temperature": "hot"}, "temperature is a number from 0 to 1e[+]06, not 'hot'"),
        ({"score_weight": 2}, "score_weight is a number from 0 to 1, not 2"),
        ({"observation": "rgb"}, "observation is 'agz' or 'tactical', not 'rgb'"),
        ({"seed": -1}, "seed is a whole number"),
    ],
)
def test_wrong_settings_are_named(options: dict[str, Any], problem: str) -> None:
    with pytest.raises((TypeError, ValueError), match=problem):
        tengen.Search(sines.evaluate, games(1), **options)


def test_other_mistakes_are_named() -> None:
    with pytest.raises(TypeError, match="evaluate is a Net or a function of leaves, not 3"):
        tengen.search(3, games(1))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there are no games"):
        tengen.search(sines.evaluate, [])
    for one in (tengen.Game(5), 3):
        with pytest.raises(TypeError, match=r"games is a list of tengen.Game, such as \[game\], or a VectorEnv, not"):
            tengen.search(sines.evaluate, one)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="evaluate returned logits that are complex numbers"):
        tengen.search(lambda leaves: (np.zeros(leaves.mask.shape, complex), np.zeros(len(leaves.mask))), games(1))
    with pytest.raises(TypeError, match=r"games\[1\] is 'x'"):
        tengen.search(sines.evaluate, [tengen.Game(5), "x"])  # type: ignore[list-item]
    searched = tengen.Search(sines.evaluate, games(2))
    with pytest.raises(ValueError, match=r"simulations have the shape \(3,\) instead of \(2,\)"):
        searched.run([1, 2, 3])
    with pytest.raises(tengen.IllegalMoveError, match="game 1: action 0 is illegal: occupied"):
        searched.play([1, 0])
    assert [len(game.turns) for game in searched.games] == [0, 1]
    with pytest.raises(ValueError, match="wants leads"):
        tengen.search(sines.evaluate, games(1), score_weight=0.1)
    for send in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be pickled or copied: send the games"):
            send(searched)


def test_results_are_pickled() -> None:
    found = tengen.search(sines.evaluate, games(2), 4)
    again = pickle.loads(pickle.dumps(found))
    for one, other in zip(found, again, strict=True):
        np.testing.assert_array_equal(one, other) if isinstance(one, np.ndarray) else one == other
