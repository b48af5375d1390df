"""What Python holds can be pickled, and comes back as it was."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import tengen
from tengen import sgf


def again(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def public(value: Any) -> dict[str, Any]:
    """All that can be read of an object."""
    names = [name for name in dir(type(value)) if not name.startswith("_")]
    return {name: getattr(value, name) for name in names if not callable(getattr(value, name))}


def assert_same(one: Any, other: Any) -> None:
    """Two objects of one class that say the same."""
    assert type(one) is type(other)
    # A class without a word for itself shows where it is.
    assert " object at " in repr(one) or repr(one) == repr(other)
    attributes = public(one)
    assert attributes, "there is nothing to compare"
    for name, value in attributes.items():
        found = getattr(other, name)
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(value, found)
            assert value.dtype == found.dtype
        elif isinstance(value, list) and value and type(value[0]).__module__.startswith("tengen"):
            assert len(value) == len(found)
            for left, right in zip(value, found, strict=True):
                assert_same(left, right)
        else:
            assert value == found, name


def game() -> tengen.Game:
    played = tengen.Game(setup=". X O .\n. X O .\n. X . .", komi=0.5, rules="japanese")
    played.play("C1")
    return played


def values() -> list[Any]:
    analysis = tengen.Engine(threads=1, net="none").analyze(game(), visits=40)
    corner = tengen.solve_local("...OX./OOOOX./XXXXX./......".replace("/", "\n"))
    return [
        game().score(),
        game().turns[0],
        game().board.chain("B2"),
        analysis,
        analysis.moves[0],
        sgf.loads("(;SZ[9];B[ee]").diagnostics[0],
        tengen.solve("2x2", all_moves=True),
        corner,
        corner.answers[0],
        tengen.Net.random(1, 16).evaluate(game()),
        tengen.Net.random(1, 16).evaluate([game(), game()]),
    ]


@pytest.mark.parametrize("value", values(), ids=lambda value: type(value).__name__)
def test_everything_comes_back_as_it_was(value: Any) -> None:
    assert_same(value, again(value))
    assert_same(value, copy.deepcopy(value))


def test_a_theorem_comes_back_as_it_was(tmp_path: Any) -> None:
    proof = tmp_path / "proof"
    tengen.solve("2x2", proof=proof)
    theorem = tengen.verify(proof)
    assert_same(theorem, again(theorem))


def test_equal_things_stay_equal() -> None:
    for value in (game().score(), game().turns[0], game().board.chain("B2")):
        assert again(value) == value


def test_refusals_keep_what_they_say() -> None:
    env = tengen.VectorEnv(2, 5)
    with pytest.raises(tengen.IllegalMoveError) as caught:
        env.step([0, 99])
    error = again(caught.value)
    assert (error.game, error.move, error.reason, str(error)) == (1, 99, "off board", str(caught.value))


def example(number: int) -> tengen.Example:
    played = tengen.Game((5, 4))
    played.play(number)
    policy = np.zeros(21)
    policy[number + 1] = 3
    ownership = np.ones((4, 5), np.float32)
    return tengen.Example(played, (0.25, 0.5, 0.25), policy=policy, lead=number - 2.5, ownership=ownership, symmetry=3)


def test_a_trainer_goes_on_with_examples_that_were_sent() -> None:
    lessons = [[example(number), example(number + 1)] for number in range(4)]
    here = tengen.Trainer(tengen.Net.random(1, 16, seed=2), rate=0.02, momentum=0.5, lead=0.125, threads=1)
    here.step(lessons[0])
    there = again(here)
    assert (there.steps, there.settings, repr(there)) == (here.steps, here.settings, repr(here))
    for lesson in lessons:
        assert here.step(lesson) == there.step(again(lesson))
    assert here.to_bytes() == there.to_bytes()
    bare = tengen.Example(tengen.Game(5), (1, 0, 0))
    assert here.losses([bare]) == here.losses([again(bare)])


def test_nodes_come_back_in_their_collection() -> None:
    games = sgf.loads(b"(;SZ[9]PB[\xc4\xe3];B[ee](;W[gc];B[cc])(;W[cg]C[Or here.]))(;SZ[13]")
    games.add_game()["SZ"] = "5"
    games[0].next.add_child()["C"] = "Added later."
    nodes = [node for root in games for node in root.descendants()]
    assert len(nodes) == 8
    collection, *copies = again([games, *nodes])
    assert collection == games
    assert (collection.encoding, collection.format, collection.diagnostics) == (
        games.encoding,
        games.format,
        games.diagnostics,
    )
    for node, found in zip(nodes, copies, strict=True):
        assert found.collection is collection
        assert repr(found) == repr(node)
        assert [repr(one) for one in found.path()] == [repr(one) for one in node.path()]
    empty = again(sgf.Collection())
    assert len(empty) == 0


@pytest.mark.parametrize("name", ["Analysis", "Candidate", "Chain", "Example", "NetOutput", "Score", "Trainer", "Turn"])
def test_damaged_states_are_refused(name: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        getattr(tengen, name)._restore(b"nonsense")


def test_an_engine_comes_back_with_its_settings() -> None:
    net = tengen.Net.random(1, 16, seed=3)
    for engine in (tengen.Engine(net=net, threads=1, seed=7, memory=1 << 24), tengen.Engine(net="none", threads=1)):
        # What it has learnt stays behind: both begin anew.
        there = again(engine)
        settings = (there.threads, there.seed, there.memory, there.net is None)
        assert settings == (engine.threads, engine.seed, engine.memory, engine.net is None)
        assert there.analyze(game(), visits=60).moves[0].move == engine.analyze(game(), visits=60).moves[0].move
        assert copy.deepcopy(engine).seed == engine.seed


CONFIG = """
[network]
blocks = 1
channels = 16
[self_play]
boards = [{ size = "3" }]
full_visits = 4
[generation]
games = 2
[until]
generations = 1
"""


def test_a_player_of_games_comes_back_and_a_run_says_why_not(tmp_path: Any) -> None:
    run = tengen.Run(CONFIG, tmp_path / "run", threads=1)
    player = tengen.SelfPlayer(CONFIG, run.net_bytes())
    for due in run.due():
        assert again(player).play(*due) == player.play(*due)
    for send in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"a Run cannot be pickled or copied.*Run\(config, folder\)"):
            send(run)
