"""Whole collections of game records, analysed by many Ray actors at once."""

from __future__ import annotations

import glob
import hashlib
import json
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from tengen._arguments import seed_of_games, whole
from tengen._native import Collection, Engine, Net, Node
from tengen.ray._reviewed import Judged, ReviewedGame, rows_of
from tengen.ray._tasks import Task, TaskPool

__all__ = ["review"]

Files: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""A file, a folder or a pattern, or several."""

SUFFIXES = (".sgf", ".gib", ".ngf", ".ugf", ".ugi")
MEMORY = 1 << 28


class _Actor:
    """Analyses positions of games. What it says depends on its arguments alone."""

    def __init__(self, net: Net | str | None, visits: int, seed: int) -> None:
        self._engine = Engine(net=net, threads=1, seed=seed, memory=MEMORY)
        self._visits = visits

    def do(self, record: str, first: int, last: int) -> list[Judged]:
        positions = positions_of(Collection.loads(record)[0])
        return [self._judge(*position) for position in positions[first:last]]

    def _judge(self, node: Node, color: str | None) -> Judged:
        game = node.game()
        if color is not None:
            game.to_move = color  # type: ignore[assignment]
        # What it knows about other positions must not matter: who searched them depends on chance.
        self._engine.clear()
        found = self._engine.analyze(game, visits=self._visits)
        black = found.to_move == "black"
        return Judged(
            found.win_rate if black else 1 - found.win_rate,
            found.lead if black else -found.lead,
            found.visits,
            found.best,
            found.moves[0].variation if found.moves else [],
        )


def positions_of(root: Node) -> list[tuple[Node, Any]]:
    """The positions of a game's main line that are analysed: before each move, with whose it is, and the last one."""
    moves = [node for node in root.main_line() if node.move is not None]
    before = [(node.parent or node, (node.move or ("", ""))[0]) for node in moves]
    return [*before, (moves[-1], None)] if moves else []


class _Pending:
    """A game of which some positions are analysed."""

    def __init__(self, game: ReviewedGame, key: str, positions: int) -> None:
        self.game = game
        self.key = key
        self.judged: list[Judged | None] = [None] * positions

    def take(self, first: int, judged: list[Judged]) -> bool:
        """Takes what was found, and says whether that was all."""
        self.judged[first : first + len(judged)] = judged
        return all(found is not None for found in self.judged)


class _Kept:
    """A folder with reviewed games: an SGF file each, and a line with the rows."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self.rows: dict[str, list[dict[str, Any]]] = {}
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "rows.jsonl"
        if not self.file.exists():
            return
        text = self.file.read_text(encoding="utf-8")
        if text and not text.endswith("\n"):
            # A program that was killed has left half a line.
            with self.file.open("a", encoding="utf-8") as file:
                file.write("\n")
        for line in text.splitlines():
            try:
                entry = json.loads(line)
            except json.JSONDecodeError:
                continue
            self.rows[entry["key"]] = entry["rows"]

    def add(self, key: str, game: ReviewedGame) -> None:
        if self.folder is None:
            return
        name = f"{Path(game.file).stem}-{game.game}-{key[:8]}.sgf"
        (self.folder / name).write_text(game.sgf, encoding="utf-8")
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "sgf": name, "rows": game.rows}, ensure_ascii=False) + "\n")


class _Review(TaskPool):
    """Actors that analyse games."""

    def __init__(
        self,
        files: list[Path],
        net: Net | str | None,
        visits: int,
        seed: int,
        positions_per_task: int,
        folder: Path | None,
        **options: Any,
    ) -> None:
        self._files = files
        self._settings = f"{visits} {seed} {_named(net)}"
        self._positions_per_task = positions_per_task
        self._kept = _Kept(folder)
        self._pending: dict[int, _Pending] = {}
        self._done: deque[ReviewedGame] = deque()
        super().__init__(_Actor, (net, visits, seed), **options)

    def games(self) -> Iterator[ReviewedGame]:
        """All games, each when it is done."""
        with self:
            for task, judged in self._results(self._tasks()):
                number, first = task.key
                pending = self._pending[number]
                if pending.take(first, judged):
                    del self._pending[number]
                    game = pending.game
                    game.rows = rows_of(game, [found for found in pending.judged if found is not None])
                    self._kept.add(pending.key, game)
                    self._done.append(game)
                yield from self._ready()
            yield from self._ready()

    def _ready(self) -> Iterator[ReviewedGame]:
        while self._done:
            yield self._done.popleft()

    def _tasks(self) -> Iterator[Task]:
        """The parts of all games. Files are read when there is somebody to analyse them."""
        number = 0
        for path in self._files:
            for game in _games_of(path):
                moves = 0 if game.error else len(positions_of(Collection.loads(game.record)[0]))
                key = hashlib.sha256(f"{self._settings}\n{game.record}".encode()).hexdigest()
                if game.error or not moves or key in self._kept.rows:
                    # The same game may be in another file too.
                    known = self._kept.rows.get(key, [])
                    game.rows = [{**row, "file": game.file, "game": game.game} for row in known]
                    self._done.append(game)
                    continue
                self._pending[number] = _Pending(game, key, moves)
                for first in range(0, moves, self._positions_per_task):
                    last = min(first + self._positions_per_task, moves)
                    yield Task(f"moves {first} to {last} of {path}", (game.record, first, last), key=(number, first))
                number += 1


def _named(net: Net | str | None) -> str:
    if isinstance(net, Net):
        return hashlib.sha256(net.to_bytes()).hexdigest()
    return str(net)


def _games_of(path: Path) -> Iterator[ReviewedGame]:
    """The games of a file. One that cannot be read is one game with an error."""
    try:
        collection = Collection.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        yield ReviewedGame(str(path), 0, "", error=str(error))
        return
    for number, root in enumerate(collection):
        yield ReviewedGame(str(path), number, root.to_sgf())


def _listed(files: Files) -> list[Path]:
    """All files that are meant, in order."""
    several: list[Any] = [files] if isinstance(files, str | os.PathLike) else list(files)
    found: list[Path] = []
    for one in several:
        path = Path(one)
        if path.is_dir():
            found += sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES)
        elif path.exists() or not glob.has_magic(str(one)):
            found.append(path)
        else:
            found += [Path(file) for file in sorted(glob.glob(str(one), recursive=True))]
    if not found:
        raise ValueError(f"there are no game records in {files!r}")
    return found


def review(
    files: Files,
    *,
    visits: int = 200,
    net: Net | str | os.PathLike[str] | None = None,
    seed: int = 0,
    folder: str | os.PathLike[str] | None = None,
    num_workers: int | None = None,
    positions_per_task: int = 16,
    ray_options: Mapping[str, Any] | None = None,
    max_losses: int = 3,
    start_timeout: float = 60.0,
    task_timeout: float = 3600.0,
) -> Iterator[ReviewedGame]:
    """Analyses all games of game records on all processors of a Ray cluster, and yields each when it is done.

    `files` is a file, a folder, a pattern or a list of these; they are read here, so that workers need not have them.
    Each position of a game's main line is searched with so many `visits`, by `net` as `tengen.Engine` takes it. A game
    comes back as a `ReviewedGame`: `rows` are dictionaries, one a move, and `sgf` is the record with what was found.

    With a `folder` the SGF files are written there, and `rows.jsonl` with the rows; called again, games that were
    reviewed with the same settings are not analysed again. What is found does not depend on the number of workers.

    >>> import tengen.ray
    >>> for game in tengen.ray.review("games/", visits=100):  # doctest: +SKIP
    ...     worst = max(game.rows, key=lambda row: row["lost_points"])
    ...     print(game.file, worst["move"], worst["played"], worst["best"], worst["lost_points"])

    A file that cannot be read comes back with its `error`, and the others are reviewed all the same. The other
    arguments are those of `GamePool`; a worker is given `positions_per_task` positions at a time.
    """
    paths = _listed(files)
    settings: dict[str, Any] = {
        "visits": whole("visits", visits, 1),
        "seed": seed_of_games(seed),
        "positions_per_task": whole("positions_per_task", positions_per_task, 1),
        # Other machines do not have the file.
        "net": net if net is None or net == "none" or isinstance(net, Net) else Net.load(net),
        "folder": None if folder is None else Path(folder),
    }
    options: dict[str, Any] = {
        "num_workers": num_workers,
        "ray_options": ray_options,
        "max_losses": max_losses,
        "start_timeout": start_timeout,
        "task_timeout": task_timeout,
    }
    return _Review(paths, **settings, **options).games()


review.__module__ = "tengen.ray"
