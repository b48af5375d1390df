"""Training runs whose games are played by Ray actors."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ray_cluster import PACKAGE, kill, local_cluster

import tengen
from tengen.ray import SelfPlayPool
from tengen.ray.train import main, train

CONFIG = """
seed = 5
[network]
blocks = 1
channels = 16
[teacher]
games = 6
visits = 20
[self_play]
boards = [{ size = "3" }, { size = "4x3" }]
full_visits = 8
fast_visits = 2
full_share = 0.5
[generation]
games = 24
batch = 32
[evaluation]
every = 2
games = 2
visits = 4
rollout_visits = 20
size = "3"
[until]
generations = 4
"""


def result(folder: Path) -> dict[str, bytes]:
    """All that a run has come to: its games and its networks."""
    files = [*folder.glob("games/*"), *folder.glob("nets/*"), folder / "net.safetensors"]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run comes to that plays all its games itself, as `tengen train` does."""
    folder = tmp_path_factory.mktemp("alone")
    run = tengen.Run(CONFIG, folder, threads=1)
    while not run.is_complete:
        assert run.advance()
    files = result(folder)
    assert len(files) == 4 + 2 + 1
    return files


def test_games_that_are_handed_in_count_once(tmp_path: Path, alone: dict[str, bytes]) -> None:
    run = tengen.Run(CONFIG, tmp_path, threads=1)
    last = None
    while not run.is_complete:
        due = run.due()
        player = tengen.SelfPlayer(CONFIG, run.net_bytes())
        for game in due[::-2]:
            record = player.play(*game)
            assert run.accept(record)
            assert not run.accept(record)
            assert last is None or not run.accept(last)
        last = record
        assert len(run.due()) == len(due) // 2
        # It plays the rest itself.
        assert run.advance()
    assert result(tmp_path) == alone


def test_what_happens_is_told(tmp_path: Path) -> None:
    run = tengen.Run(CONFIG, tmp_path, threads=1)
    events: list[dict[str, Any]] = []
    for _ in range(2):
        run.advance(events.append)
    kinds = [event["event"] for event in events]
    assert kinds.count("game") == 6 + 24
    assert kinds.count("match") == 1
    assert kinds.count("generation") == 2
    assert [event["played"] for event in events if event["event"] == "game"][:6] == [1, 2, 3, 4, 5, 6]
    last = events[-1]
    assert (last["generation"], last["games"], last["played"]["games"]) == (1, 30, 24)
    assert last["versus"][0]["name"] == "rollouts 20"
    steps = [event for event in events if event["event"] == "step"]
    assert steps[-1]["step"] == steps[-1]["steps"]
    assert set(steps[0]["losses"]) >= {"policy", "value", "lead", "ownership"}
    run.write_report()
    assert "<svg" in (tmp_path / "report.html").read_text()
    assert run.generation == 2
    assert run.hours > 0
    assert repr(run) == f"<Run in {run.folder}>"


def test_a_run_that_is_interrupted_goes_on(tmp_path: Path, alone: dict[str, bytes]) -> None:
    run = tengen.Run(CONFIG, tmp_path, threads=1)
    seen = 0

    def interrupt(event: dict[str, Any]) -> None:
        nonlocal seen
        seen += 1
        if seen % 13 == 0:
            raise KeyboardInterrupt
        if seen == 3:
            # Whoever is called back cannot have the run do something else meanwhile.
            with pytest.raises(RuntimeError, match="under way"):
                run.due()

    interrupts = 0
    while not run.is_complete:
        try:
            run.advance(interrupt)
        except KeyboardInterrupt:
            interrupts += 1
            if interrupts % 2:
                run = tengen.Run(CONFIG, tmp_path, threads=1)
    assert interrupts > 5
    assert result(tmp_path) == alone


def test_mistakes_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="multiples of 16"):
        tengen.Run(CONFIG.replace("channels = 16", "channels = 20"), tmp_path)
    with pytest.raises(ValueError, match="threads"):
        tengen.Run(CONFIG, tmp_path, threads=0)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        tengen.Run(CONFIG, tmp_path / "file")
    run = tengen.Run(CONFIG, tmp_path / "run", threads=1)
    with pytest.raises(ValueError, match="another seed"):
        tengen.Run(CONFIG.replace("seed = 5", "seed = 6"), tmp_path / "run")
    with pytest.raises(ValueError, match="not a record"):
        run.accept(b"nothing of the kind")
    with pytest.raises(ValueError, match="the network"):
        tengen.SelfPlayer(CONFIG, b"nothing of the kind")


def test_wrong_commands_say_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "wrong.toml"
    for text, said in [(None, "wrong.toml"), ("[network]", "blocks"), (CONFIG + "[more]", "more")]:
        if text is not None:
            config.write_text(text)
        assert main([str(config), "--folder", str(tmp_path / "run")]) == 2
        assert said in capsys.readouterr().err


def test_a_missing_package_is_named() -> None:
    code = """
import sys
sys.modules["ray"] = None
from tengen.ray import SelfPlayPool
try:
    SelfPlayPool("")
except ImportError as error:
    print(error)
"""
    environment = {**os.environ, "PYTHONPATH": PACKAGE}
    told = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "pip install ray" in told.stdout


@pytest.fixture(scope="module")
def local_ray() -> Iterator[Any]:
    with local_cluster(cpus=2) as ray:
        yield ray


def test_a_lost_worker_changes_nothing(
    local_ray: Any, tmp_path: Path, alone: dict[str, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    run = tengen.Run(CONFIG, tmp_path, threads=1)
    killed = 0
    with caplog.at_level(logging.WARNING, "tengen.ray"), SelfPlayPool(CONFIG, 2, games_per_task=3) as pool:
        assert repr(pool) == "<SelfPlayPool: 2 workers>"

        def tell(event: dict[str, Any]) -> None:
            nonlocal killed
            if event["event"] == "game" and (event["generation"], event["games"] - event["played"]) == (1, 12):
                # Half of the games are there, and all others are handed out or about to be.
                kill(local_ray, pool.workers[0])
                killed += 1

        train(run, pool, tell)
        assert (killed, pool.replaced) == (1, 1)
    assert result(tmp_path) == alone
    assert [record.message.split(" (")[0] for record in caplog.records] == ["worker 0 was lost"]
    assert (tmp_path / "report.html").exists()


def test_a_pool_that_was_left_goes_on(local_ray: Any, tmp_path: Path, alone: dict[str, bytes]) -> None:
    run = tengen.Run(CONFIG, tmp_path, threads=1)
    with SelfPlayPool(CONFIG, 2, games_per_task=1) as pool:
        while not run.is_complete:
            for left in pool.play(run):
                if left in (5, 20):
                    break
            if not run.due():
                run.advance()
        with pytest.raises(ValueError, match="games_per_task"):
            SelfPlayPool(CONFIG, 2, games_per_task=0)
    assert result(tmp_path) == alone
    with pytest.raises(RuntimeError, match="closed"):
        next(pool.play(run))


def test_a_pool_that_finds_no_room_says_so(local_ray: Any, tmp_path: Path) -> None:
    run = tengen.Run(CONFIG, tmp_path, threads=1)
    with SelfPlayPool(CONFIG, 2, ray_options={"num_cpus": 99}, start_timeout=1) as pool:
        room = r"2 of 2 workers have not started in 1 seconds. Each asks for 99 CPU; the cluster has \S+ of 2 CPU free"
        with pytest.raises(RuntimeError, match=room):
            next(pool.play(run))
    # No game is lost by it: whoever finds room plays them.
    assert len(run.due()) > 0


def test_games_over_which_workers_are_lost_are_given_up(
    local_ray: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Workers cannot import this file; what is defined inside a function is pickled whole.
    class Faint:
        def __init__(self, config: str) -> None:
            pass

        def do(self, network: int, net: tuple[Any], games: list[Any]) -> list[bytes]:
            os._exit(1)

    class Stillborn:
        def __init__(self, config: str) -> None:
            raise ValueError("no place to play at")

    run = tengen.Run(CONFIG, tmp_path, threads=1)
    for actor, said in [(Faint, "lost 2 times over games 0 to 3"), (Stillborn, "no place to play at")]:
        monkeypatch.setattr("tengen.ray.run_pool._Actor", actor)
        with SelfPlayPool(CONFIG, 1, max_losses=1) as pool:
            with pytest.raises(RuntimeError, match=said):
                next(pool.play(run))
            assert pool.replaced == 1
    assert len(run.due()) == 6


def test_a_command_that_is_interrupted_goes_on_elsewhere(
    local_ray: Any, tmp_path: Path, alone: dict[str, bytes]
) -> None:
    folder = tmp_path / "run"
    config = tmp_path / "tiny.toml"
    config.write_text(CONFIG)
    command = [sys.executable, "-m", "tengen.ray.train", str(config), "--folder", str(folder), "--threads", "1"]
    command += ["--workers", "1", "--games-per-task", "1", "--address", local_ray.get_runtime_context().gcs_address]
    for how, code in [(signal.SIGINT, 0), (signal.SIGKILL, -signal.SIGKILL)]:
        journal = folder / "journal.tgr"
        before = journal.stat().st_size if journal.exists() else 0
        child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            patience = time.monotonic() + 120
            while child.poll() is None and (not journal.exists() or journal.stat().st_size == before):
                assert time.monotonic() < patience
                time.sleep(0.01)
            child.send_signal(how)
            _, told = child.communicate(timeout=120)
        finally:
            child.kill()
        assert child.returncode == code, told
    # What it left is gone on with by the code of `tengen train`.
    run = tengen.Run(CONFIG, folder, threads=1)
    while not run.is_complete:
        run.advance()
    assert result(folder) == alone


def test_the_command_comes_to_the_same(local_ray: Any, tmp_path: Path, alone: dict[str, bytes]) -> None:
    config = tmp_path / "tiny.toml"
    config.write_text(CONFIG)
    assert main([str(config), "--folder", str(tmp_path / "run"), "--threads", "1"]) == 0
    assert result(tmp_path / "run") == alone
