"""The engine: what it finds, what it refuses, and that it can be interrupted."""

from __future__ import annotations

import _thread
import re
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from tengen import Engine, Game, Net

# Black lives in the upper half and White in the lower; White's stone at B6 has no hope.
SETTLED = """
    . . X . . . X
    . O X . . X .
    X X . X X . X
    X . X X . X X
    O O O O O O O
    O . O . O . O
    . O O . O O ."""


@pytest.fixture(scope="module", params=["baseline", "rollouts"])
def engine(request: pytest.FixtureRequest) -> Engine:
    net = {"baseline": None, "rollouts": "none"}[request.param]
    return Engine(net=net, threads=1, seed=7, memory=1 << 28)


def test_an_analysis_has_all_its_parts(engine: Engine) -> None:
    game = Game((7, 5), rules="chinese", to_move="white")
    game.play("D3")
    analysis = engine.analyze(game, visits=200)
    assert analysis.to_move == "black"
    assert analysis.visits >= 200
    assert 0 <= analysis.win_rate <= 1
    assert analysis.lead_spread >= 0
    assert analysis.best == analysis.moves[0].move
    legal = set(game.legal_moves())
    names = [candidate.move for candidate in analysis.moves]
    assert len(names) == len(set(names)) and set(names) <= legal
    assert sum(candidate.prior for candidate in analysis.moves) == pytest.approx(1, abs=0.01)
    assert 0 < sum(candidate.visits for candidate in analysis.moves) <= analysis.visits
    best = analysis.moves[0]
    assert 0 <= best.win_rate <= 1 and best.lcb <= best.win_rate and best.lead_spread >= 0
    assert best.variation[0] == best.move
    assert len(best.variation) == len(best.variation_visits)
    for array in [analysis.ownership, analysis.ownership_spread]:
        assert array.shape == (5, 7) and array.dtype == np.float32
    assert np.abs(analysis.ownership).max() <= 1
    assert repr(analysis).startswith("<Analysis black to move, best ")
    assert repr(best).startswith(f"<Candidate {best.move}, ")


def test_the_game_is_left_alone(engine: Engine) -> None:
    game = Game(7)
    game.play("D4")
    before = game.copy()
    engine.analyze(game, visits=20)
    engine.choose(game, visits=20)
    engine.settle(game)
    assert game == before


def test_ownership_is_that_of_the_board() -> None:
    game = Game(setup=SETTLED, rules="chinese", komi=0.5)
    ownership = Engine(net="none", threads=1).analyze(game, visits=300).ownership
    assert ownership[0, 0] > 0.3 and ownership[2, 0] > 0.5
    assert ownership[4, 0] < -0.5 and ownership[6, 0] < -0.3


def test_one_thread_and_a_seed_find_the_same() -> None:
    def found(seed: int) -> list[tuple[str, int]]:
        analysis = Engine(threads=1, seed=seed).analyze(Game(7), visits=200)
        return [(candidate.move, candidate.visits) for candidate in analysis.moves]

    assert found(3) == found(3)
    assert found(3) != found(4)


def test_clear_forgets(engine: Engine) -> None:
    def found() -> list[tuple[str, int]]:
        engine.clear()
        analysis = engine.analyze(Game(7), visits=100)
        return [(candidate.move, candidate.visits) for candidate in analysis.moves]

    first = found()
    engine.analyze(Game(9), visits=100)
    assert found() == first


def test_moves_are_left_out(engine: Engine) -> None:
    game = Game(7)

    def searched(**restrictions: object) -> set[str]:
        analysis = engine.analyze(game, visits=100, **restrictions)  # type: ignore[arg-type]
        return {candidate.move for candidate in analysis.moves if candidate.visits}

    # A network that is sure of itself looks at few moves.
    avoided = sorted(searched())[:3]
    assert avoided
    for avoid in (avoided, " ".join(avoided)):
        others = searched(avoid=avoid)
        assert others and others.isdisjoint(avoided)
    assert searched(allow=[(3, 3), None]) <= {"D4", "pass"}
    assert searched(allow="D4 C3", avoid=["C3"]) == {"D4"}


def test_chooses_moves_to_the_end() -> None:
    engine = Engine(threads=1, seed=2)
    game = Game(5, rules="chinese", komi=0.5)
    while not game.is_over and len(game.moves) < 100:
        move = engine.choose(game, visits=100)
        assert move is not None
        game.play(move)
    assert game.is_over


def test_captures_what_is_there_to_be_captured() -> None:
    # A network is sure that the stones are dead, and passes.
    engine = Engine(net="none", threads=1, seed=7)
    game = Game(
        setup="""
        . . . . .
        . X X X .
        X O O O .
        . X X X .
        . . . . .""",
        komi=0.5,
    )
    assert engine.choose(game, visits=400) == "E3"


@pytest.mark.parametrize("level", range(1, 21))
def test_every_level_plays(engine: Engine, level: int) -> None:
    game = Game(9)
    assert engine.choose(game, visits=20, level=level, resign=True) in game.legal_moves()


def test_a_settlement_is_what_a_count_takes(engine: Engine) -> None:
    game = Game(setup=SETTLED, rules="japanese", komi=0)
    settled = engine.settle(game)
    assert set(settled) == {"dead", "seki"}
    assert "B6" in settled["dead"]
    score = game.score(**settled)
    assert score.prisoners[0] >= 1


def test_limits(engine: Engine) -> None:
    assert engine.analyze(Game(5), time=0.05).visits > 0
    assert engine.analyze(Game(5)).visits >= 1000
    for wrong in [0.0, -1.0, float("nan"), float("inf")]:
        with pytest.raises(ValueError, match="time"):
            engine.analyze(Game(5), time=wrong)
    with pytest.raises(ValueError, match="visits"):
        engine.analyze(Game(5), visits=0)
    with pytest.raises(OverflowError):
        engine.analyze(Game(5), visits=-1)
    with pytest.raises(ValueError, match="level"):
        engine.choose(Game(5), level=21)
    with pytest.raises(ValueError, match="not on a 5x5 board"):
        engine.analyze(Game(5), avoid=["T19"])
    with pytest.raises(TypeError):
        engine.analyze("5")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threads"):
        Engine(threads=0)
    with pytest.raises(ValueError, match="memory"):
        Engine(memory=1000)


def test_options_can_be_read() -> None:
    engine = Engine(threads=2, seed=5, memory=1 << 24)
    assert (engine.threads, engine.seed, engine.memory) == (2, 5, 1 << 24)
    who = r"baseline networks 6x64 up to 9x9 and \d+x\d+ up to 19x19"
    assert re.fullmatch(f"<Engine with {who}, threads 2, seed 5, memory 16777216>", repr(engine))
    assert repr(Engine(net="none", threads=3)).startswith("<Engine with rollouts, threads 3,")
    assert Engine().threads >= 1


def test_a_network_judges(tmp_path: Path) -> None:
    net = Net.random(blocks=1, channels=16, seed=3)
    file = tmp_path / "net.safetensors"
    net.save(file)
    game = Game(5)
    said = net.evaluate(game).policy
    for given in (net, file, str(file)):
        engine = Engine(net=given, threads=1)
        assert repr(engine).startswith("<Engine with network 1x16,")
        assert engine.net is not None and engine.net.channels == 16
        priors = {candidate.move: candidate.prior for candidate in engine.analyze(game, visits=30).moves}
        best = max(priors, key=lambda move: priors[move])
        assert priors[best] == pytest.approx(float(said.max()), abs=1e-4)
    assert Engine(net=net, threads=1).net is net
    assert Engine(net="none").net is None
    with pytest.raises(FileNotFoundError, match="absent"):
        Engine(net=tmp_path / "absent")
    file.write_bytes(b"not a network")
    with pytest.raises(ValueError, match=r"net\.safetensors"):
        Engine(net=file)


def test_the_baseline_is_the_default(tmp_path: Path) -> None:
    def found(net: Net | str | None, size: int) -> list[tuple[str, int]]:
        analysis = Engine(net=net, threads=1, seed=2).analyze(Game(size), visits=60)
        return [(candidate.move, candidate.visits) for candidate in analysis.moves]

    net = Engine(threads=1).net
    assert net is not None and (net.blocks, net.channels) == (6, 64)
    # Neither a pass nor a stone on the first two lines.
    best = found(None, 9)[0][0]
    assert best[0] in "CDEFG" and best[1] in "34567"
    assert found(Net.baseline(), 9) == found(None, 9)
    # A copy knows where it has learned.
    file = tmp_path / "copy.safetensors"
    Net.baseline().save(file)
    for judge in (None, Net.baseline(), str(file)):
        assert found(judge, 9) == found(None, 9) != found("none", 9)
    # Larger boards have a network of their own, which comes with the small one.
    assert found(Net.baseline(), 13) == found(None, 13) != found("none", 13)
    assert found(Net.baseline(large=True), 13) == found(None, 13) != found(str(file), 13)


def test_other_threads_run_meanwhile() -> None:
    engine = Engine(threads=1)
    done = threading.Event()

    def think() -> None:
        engine.analyze(Game(9), time=1.0)
        done.set()

    thread = threading.Thread(target=think)
    thread.start()
    turns = 0
    while not done.is_set():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 20


def test_an_interrupt_ends_the_search() -> None:
    engine = Engine(threads=1)
    started = time.monotonic()
    spent = time.process_time()

    def interrupt() -> None:
        # Only a search takes so much: this thread and the start of the other take next to nothing.
        while time.process_time() - spent < 0.3:
            time.sleep(0.001)
        _thread.interrupt_main()

    thread = threading.Thread(target=interrupt)
    # Without the interrupt it would take hours.
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        engine.analyze(Game(19), time=3600)
    assert time.monotonic() - started < 600
    thread.join()
    # The engine is as good as before.
    assert engine.analyze(Game(9), visits=20).visits >= 20
