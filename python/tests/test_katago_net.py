"""Networks of KataGo: what they say, and what they cannot do."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from katago_files import katago_file
from networks import positions
from tengen import Engine, Game, Net, Trainer

NUMBERS = ["win", "draw", "loss", "no_result", "lead", "score_mean", "score_stdev"]
ERRORS = ["win_error", "score_error"]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("katago") / "tiny.bin.gz"
    path.write_bytes(katago_file())
    return path


@pytest.fixture(scope="module")
def net(file: Path) -> Net:
    return Net.load(file)


def test_a_file_of_katago_is_loaded(net: Net) -> None:
    assert (net.name, net.blocks, net.channels, net.notes) == ("tiny-v8", 2, 8, {})
    assert repr(net) == "<Net tiny-v8 (2x8, KataGo's version 8)>"
    assert Net.random(1, 16).name is None


@pytest.mark.parametrize("version", [8, 9, 12, 14])
def test_all_that_it_says_comes_as_arrays(version: int) -> None:
    net = Net.from_bytes(katago_file(version))
    games = positions((7, 5), 6, seed=1)
    for given, count in ((games[4], ()), (games, (6,))):
        said = net.evaluate(given)
        assert said.policy.shape == said.logits.shape == (*count, 36)
        assert said.ownership.shape == (*count, 5, 7)
        assert np.abs(said.ownership).max() <= 1
        for name in NUMBERS:
            values = getattr(said, name)
            assert values.shape == count and values.dtype == np.float32, name
        assert said.no_result is not None and said.score_stdev is not None
        np.testing.assert_allclose(said.win + said.loss + said.no_result, 1, rtol=1e-5)
        assert (said.score_stdev >= 0).all()
        for name in ERRORS:
            values = getattr(said, name)
            assert (values is None) == (version < 9), name
            assert values is None or (values.shape == count and (values > 0).all()), name
        assert (said.optimistic_policy is None) == (version < 12)
        if said.optimistic_policy is not None:
            np.testing.assert_allclose(said.optimistic_policy.sum(axis=-1), 1, rtol=1e-5)


def test_the_policy_is_that_of_the_legal_moves(net: Net) -> None:
    for game in positions((9, 9), 6, seed=2):
        said = net.evaluate(game)
        legal = game.legal_mask()
        assert said.policy.sum() == pytest.approx(1, abs=1e-5)
        assert not said.policy[~legal].any()
        powers = np.exp(said.logits[legal] - said.logits[legal].max())
        np.testing.assert_allclose(said.policy[legal], powers / powers.sum(), rtol=1e-4)


def test_a_game_has_no_result_where_rules_allow_it(net: Net) -> None:
    def chance(rules: str) -> float:
        said = net.evaluate(Game(7, rules=rules)).no_result
        assert said is not None
        return float(said)

    assert chance("tromp-taylor") == 0
    assert chance("japanese") > 0


def test_threads_share_a_batch_and_say_the_same() -> None:
    for net in (Net.from_bytes(katago_file()), Net.random(1, 16, seed=3)):
        games = positions((9, 7), 21, seed=3)
        together = net.evaluate(games, threads=3)
        for number, game in enumerate(games):
            alone = net.evaluate(game)
            for name in ["policy", "win", "lead", "ownership"]:
                np.testing.assert_array_equal(getattr(together, name)[number], getattr(alone, name))
        with pytest.raises(ValueError, match="threads are 1 to 1024, not 0"):
            net.evaluate(games, threads=0)


def test_an_engine_judges_by_it(file: Path, net: Net) -> None:
    engine = Engine(net=file, threads=1)
    found = engine.analyze(Game(7), visits=20)
    assert found.visits >= 20 and found.best in Game(7).legal_moves()
    assert found.moves[0].prior > 0
    again = pickle.loads(pickle.dumps(Engine(net=net, threads=1)))
    assert again.analyze(Game(7), visits=20).best == found.best


def test_a_copy_is_the_same_network(net: Net, file: Path) -> None:
    again = pickle.loads(pickle.dumps(net))
    np.testing.assert_array_equal(again.evaluate(Game(9)).logits, net.evaluate(Game(9)).logits)
    said = pickle.loads(pickle.dumps(net.evaluate(Game(9))))
    np.testing.assert_array_equal(said.score_stdev, net.evaluate(Game(9)).score_stdev)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(Net.from_bytes(file.read_bytes()))


def test_what_only_networks_of_tengen_can_do(net: Net, tmp_path: Path) -> None:
    planes, globals = Net.inputs(Game(5))
    for attempt in (
        net.weights,
        net.to_bytes,
        lambda: net.save(tmp_path / "net"),
        lambda: net.to_onnx(tmp_path / "net"),
        lambda: net.evaluate_planes(planes, globals),
        lambda: Trainer(net),
    ):
        with pytest.raises(TypeError, match="only a network of Tengen can do this, and tiny-v8 is one of KataGo"):
            attempt()
    assert list(tmp_path.iterdir()) == []


def test_what_it_refuses(net: Net, file: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="up to 19x19, not 21x21"):
        net.evaluate(Game(21))
    with pytest.raises(ValueError, match="one size, not 9x9 and 5x5"):
        net.evaluate([Game(9), Game(5)])
    cut_off = tmp_path / "cut.bin.gz"
    cut_off.write_bytes(file.read_bytes()[:-200])
    with pytest.raises(ValueError, match=r"cut\.bin\.gz: "):
        Net.load(cut_off)
