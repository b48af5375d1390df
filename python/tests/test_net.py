"""The network: what it says, in files and out of them, and what it refuses."""

from __future__ import annotations

import copy
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen
from networks import SIZES, network, positions
from tengen import Example, Game, Net, Trainer

PARTS = ["policy", "logits", "win", "draw", "loss", "lead", "ownership"]

# Both players have two eyes, and no stone can change that.
DECIDED = """
    . X . X O
    X X X X O
    . X O O O
    X X O . O
    X X O O ."""


@pytest.fixture(scope="module")
def net() -> Net:
    return network(2, 16, seed=6)


def same(one: tengen.NetOutput, other: tengen.NetOutput) -> None:
    for part in PARTS:
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part), err_msg=part)


def test_a_position_is_judged_in_all_its_parts(net: Net) -> None:
    said = net.evaluate(positions((7, 5), 6, seed=1)[4])
    shapes = {part: getattr(said, part).shape for part in PARTS}
    assert shapes == {
        "policy": (36,),
        "logits": (36,),
        "win": (),
        "draw": (),
        "loss": (),
        "lead": (),
        "ownership": (5, 7),
    }
    assert all(getattr(said, part).dtype == np.float32 for part in PARTS)
    assert float(said.win + said.draw + said.loss) == pytest.approx(1)
    assert np.abs(said.ownership).max() <= 1


def test_the_policy_is_that_of_the_legal_moves(net: Net) -> None:
    for game in positions((9, 9), 8, seed=2):
        said = net.evaluate(game)
        assert said.policy.sum() == pytest.approx(1, abs=1e-5)
        assert not said.policy[~game.legal_mask()].any()
        chosen = said.policy > 0
        powers = np.exp(said.logits[chosen] - said.logits[chosen].max())
        np.testing.assert_allclose(said.policy[chosen], powers / powers.sum(), rtol=1e-4)


def test_nobody_plays_where_all_is_decided(net: Net) -> None:
    game = Game(setup=DECIDED)
    assert game.legal_mask().sum() > 1
    assert net.evaluate(game).policy.tolist() == [0] * 25 + [1]


def test_several_games_are_judged_as_each_is_alone(net: Net) -> None:
    games = positions((9, 7), 19, seed=3)
    together = net.evaluate(games)
    for number, game in enumerate(games):
        alone = net.evaluate(game)
        for part in PARTS:
            np.testing.assert_array_equal(getattr(together, part)[number], getattr(alone, part))


def test_what_is_read_from_arrays_is_what_is_seen_in_games(net: Net) -> None:
    for size in SIZES:
        games = positions(size, 5, seed=4)
        planes, globals = Net.inputs(games)
        assert planes.shape == (5, size[1], size[0], 23) and globals.shape == (5, 8)
        same(net.evaluate_planes(planes, globals), net.evaluate(games))
        one_planes, one_globals = Net.inputs(games[3])
        np.testing.assert_array_equal(one_planes, planes[3])
        same(net.evaluate_planes(one_planes, one_globals), net.evaluate(games[3]))
        same(net.evaluate_planes(planes.astype(bool), globals.tolist()), net.evaluate(games))


def test_komi_and_turn_matter(net: Net) -> None:
    game = Game(9, komi=7)
    more = Game(9, komi=20)
    white = Game(9, komi=7, to_move="white")
    leads = {float(net.evaluate(one).lead) for one in (game, more, white)}
    assert len(leads) == 3


def test_files(net: Net, tmp_path: Path) -> None:
    file = tmp_path / "net.safetensors"
    net.save(file, {"games": "12"})
    again = Net.load(str(file))
    assert (again.blocks, again.channels, again.notes) == (2, 16, {"games": "12"})
    same(again.evaluate(Game(9)), net.evaluate(Game(9)))
    # Notes stay unless others are given.
    again.save(file)
    assert Net.load(file).notes == {"games": "12"}
    again.save(file, {})
    assert Net.load(file).notes == {}
    assert [path.name for path in tmp_path.iterdir()] == ["net.safetensors"]


def test_a_copy_is_the_same_network(net: Net) -> None:
    for again in (pickle.loads(pickle.dumps(net)), copy.deepcopy(net), Net.from_bytes(net.to_bytes())):
        same(again.evaluate(Game(5)), net.evaluate(Game(5)))


def test_files_that_are_no_networks(net: Net, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Net.load(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        net.save(tmp_path / "nowhere" / "net")
    file = tmp_path / "net"
    file.write_bytes(net.to_bytes()[:-1])
    with pytest.raises(ValueError, match=r"net: it is not a whole safetensors file"):
        Net.load(file)
    with pytest.raises(ValueError, match="not a whole"):
        Net.from_bytes(b"")
    with pytest.raises(ValueError, match='"architecture" itself'):
        net.save(file, {"architecture": "9x9"})


def test_weights_come_and_go_as_arrays(net: Net) -> None:
    weights = net.weights()
    assert weights["stem.weight"].shape == (3, 3, 23, 16)
    same(Net.from_weights(2, 16, weights).evaluate(Game(9)), net.evaluate(Game(9)))
    # What was handed out is a copy.
    weights["value.bias"][:] = 1
    assert not (net.weights()["value.bias"] == 1).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda weights: weights.pop("pass.bias"), "`pass.bias` are missing"),
        (lambda weights: weights.update({"pass.bias": np.zeros(2)}), r"`pass.bias` are \[2\] and should be \[1\]"),
        (lambda weights: weights.update({"pass.bias": np.array([np.nan])}), "`pass.bias` have a number that is"),
        (lambda weights: weights.update({"more": np.zeros(2)}), 'has no weights "more"'),
    ],
)
def test_weights_that_do_not_fit(net: Net, change: Any, message: str) -> None:
    weights = net.weights()
    change(weights)
    with pytest.raises(ValueError, match=message):
        Net.from_weights(2, 16, weights)


def test_what_cannot_be_judged(net: Net) -> None:
    with pytest.raises(ValueError, match="one size, not 9x9 and 5x5"):
        net.evaluate([Game(9), Game(5)])
    with pytest.raises(ValueError, match="no games"):
        net.evaluate([])
    with pytest.raises(TypeError):
        net.evaluate(["D4"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="17"):
        Net.random(1, 17)
    planes, globals = Net.inputs([Game(5)] * 2)
    for wrong_planes, wrong_globals, message in [
        (planes[..., :22], globals, "n × 8"),
        (planes, globals[:1], "n × 8"),
        (planes, globals[:, :0], "n × 8"),
        (planes[:0], globals[:0], "no planes"),
        (planes[0, 0], globals[0], "n × 8"),
        (planes * 0.5, globals, "0 and 1, and have no 0.5"),
        (planes * 0, globals, "the first plane"),
        (np.ones((1, 30, 30, 23)), globals[:1], "25"),
    ]:
        with pytest.raises(ValueError, match=message):
            net.evaluate_planes(wrong_planes, wrong_globals)


def test_several_threads_ask_one_network(net: Net) -> None:
    games = positions((9, 9), 12, seed=5)
    expected = net.evaluate(games)
    said: list[tengen.NetOutput] = []
    threads = [threading.Thread(target=lambda: said.append(net.evaluate(games))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) == 4
    for one in said:
        same(one, expected)


def examples() -> list[Example]:
    lessons = []
    for number, game in enumerate(positions((5, 5), 6, seed=7) + positions((7, 6), 6, seed=8)):
        policy = np.where(game.legal_mask(), np.arange(game.legal_mask().size) % 5, 0)
        height, width = game.stones.shape
        ownership = np.full((height, width), [-1, 1][number % 2])
        outcome = [(1, 0, 0), (0, 1, 0), (0, 0, 1)][number % 3]
        lessons.append(Example(game, outcome, policy=policy, lead=number - 5, ownership=ownership, symmetry=number % 4))
    return lessons


def test_a_network_learns_its_examples(net: Net) -> None:
    before = net.weights()
    trainer = Trainer(net, rate=3e-3)
    lessons = examples()
    first = trainer.step(lessons)
    for _ in range(60):
        last = trainer.step(lessons)
    assert last["total"] < first["total"] / 2
    for part in ("policy", "value", "lead", "ownership"):
        assert last[part] < first[part], part
    assert trainer.steps == 61
    # The network that it began with is as it was.
    assert all((array == before[name]).all() for name, array in net.weights().items())
    assert not (trainer.net().weights()["stem.weight"] == trainer.averaged_net().weights()["stem.weight"]).all()


def test_losses_are_told_without_learning(net: Net) -> None:
    trainer = Trainer(net)
    lessons = examples()
    told = trainer.losses(lessons)
    assert trainer.steps == 0
    assert trainer.step(lessons) == told
    assert trainer.losses(lessons) != told


def test_a_trainer_goes_on_where_it_was(net: Net) -> None:
    lessons = examples()
    through = Trainer(net, rate=2e-3, decay=0.1)
    halfway = Trainer(net, rate=2e-3, decay=0.1)
    for _ in range(4):
        through.step(lessons)
    for _ in range(2):
        halfway.step(lessons)
    after = Trainer(net, state=halfway.to_bytes(), rate=2e-3, decay=0.1)
    for _ in range(2):
        after.step(lessons)
    assert after.to_bytes() == through.to_bytes()
    with pytest.raises(ValueError, match="a network of 2x16, not 1x16"):
        Trainer(Net.random(1, 16), state=halfway.to_bytes())
    with pytest.raises(ValueError, match="not a whole"):
        Trainer(net, state=b"nothing")


def test_a_rate_can_be_for_one_step(net: Net) -> None:
    trainer = Trainer(net, rate=0.5)
    trainer.step(examples(), rate=0)
    assert all((array == net.weights()[name]).all() for name, array in trainer.net().weights().items())
    assert trainer.settings["rate"] == 0.5


def test_a_trainer_has_a_method(net: Net) -> None:
    assert Trainer(net).method == "adam"
    adam, muon = Trainer(net), Trainer(net, method="muon")
    for trainer in (adam, muon):
        trainer.step(examples())
    assert adam.to_bytes() != muon.to_bytes()
    again = pickle.loads(pickle.dumps(muon))
    assert again.method == "muon"
    for trainer in (again, muon):
        trainer.step(examples())
    assert again.to_bytes() == muon.to_bytes()
    with pytest.raises(ValueError, match='adam or muon, not "sgd"'):
        Trainer(net, method="sgd")


def test_examples_that_cannot_be(net: Net) -> None:
    game = Game(5)
    game.play("C3")
    sure = (1, 0, 0)
    for wrong, message in [
        (lambda: Example(game, (1, 1, 0)), "add up to 1"),
        (lambda: Example(game, (float("nan"), 1, 0)), "add up to 1"),
        (lambda: Example(game, sure, policy=np.ones(25)), "policy is an array of"),
        (lambda: Example(game, sure, policy=np.ones(26)), "action 12, which is illegal"),
        (lambda: Example(game, sure, policy=-np.ones(26)), "numbers from 0"),
        (lambda: Example(game, sure, ownership=np.full((5, 5), 2)), "from -1 to 1, not 2"),
        (lambda: Example(game, sure, lead=float("inf")), "lead"),
        (lambda: Example(Game((5, 7)), sure, symmetry=4), "cannot be turned"),
        (lambda: Example(game, sure, symmetry=8), "cannot be turned"),
        (lambda: Trainer(net, rate=-1), "rate is 0 or more"),
        (lambda: Trainer(net, momentum=1.5), "momentum is 0 to 1"),
        (lambda: Trainer(net, threads=0), "threads"),
        (lambda: Trainer(net).step([]), "no examples"),
    ]:
        with pytest.raises(ValueError, match=message):
            wrong()
