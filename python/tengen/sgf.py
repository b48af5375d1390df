"""Game records: read what people have, walk through it, write it back without loss.

>>> from tengen import sgf
>>> games = sgf.loads('(;SZ[9]PB[Alice]PW[Bob];B[ee]C[The centre.];W[gc])')
>>> for node in games[0].main_line():
...     print(node.move_number, node.move)
0 None
1 ('black', 'E5')
2 ('white', 'G7')
>>> sgf.game_at(games[0].next).to_move
'white'
"""

from __future__ import annotations

import os
from pathlib import Path

from tengen._native import Collection, Diagnostic, Game, Node, SgfError

__all__ = [
    "Collection",
    "Diagnostic",
    "Node",
    "SgfError",
    "dumps",
    "game_at",
    "loads",
    "read",
    "write",
]


def read(source: str | os.PathLike[str] | bytes, *, strict: bool = False) -> Collection:
    """Read the file at a path, or the bytes of one: SGF in any encoding, GIB, NGF or UGF.

    Whatever is against the format is repaired and listed in `diagnostics`; `strict` refuses it with an
    `SgfError` instead.

    >>> read(b'(;SZ[9];B[ee])')[0].next.move
    ('black', 'E5')
    """
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    return Collection.loads(data, strict=strict)


def loads(record: str | bytes, *, strict: bool = False) -> Collection:
    """Read a record from a text, or from the bytes of a file.

    >>> len(loads('(;SZ[9])(;SZ[13])'))
    2
    """
    return Collection.loads(record, strict=strict)


def dumps(games: Collection | Node | Game, *, canonical: bool = False) -> str:
    """Write games, the tree below a node, or a `Game` as SGF.

    What was not changed comes out as it was read; `canonical` rewrites it in one form of FF[4].

    >>> dumps(loads('(;SZ[9];B[ee])'))
    '(;SZ[9];B[ee])'
    """
    if not canonical:
        return games.to_sgf()
    collection = games if isinstance(games, Collection) else loads(games.to_sgf())
    return collection.to_sgf(canonical=True)


def write(
    games: Collection | Node | Game,
    path: str | os.PathLike[str],
    *,
    canonical: bool = False,
) -> None:
    """Write games to a file, in UTF-8."""
    # Line breaks are part of comments, so none may be changed.
    Path(path).write_bytes(dumps(games, canonical=canonical).encode())


def game_at(node: Node, *, strict: bool = False) -> Game:
    """Play the game up to a node.

    Illegal moves are played all the same, unless `strict` makes them an `SgfError`.

    >>> game_at(loads('(;SZ[9];B[ee](;W[gc])(;W[cc]))')[0].next.children[1]).moves
    ['E5', 'C7']
    """
    return node.game(strict=strict)
