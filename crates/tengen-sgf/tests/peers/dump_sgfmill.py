"""Prints what sgfmill reads in the files whose paths stand on the lines of the standard input, as JSON lines."""

import codecs
import json
import sys

from sgfmill import sgf, sgf_grammar


def encoding_of(tree):
    """What sgfmill takes for the encoding of a game."""
    declared = tree.sequence[0].get("CA", [b"ISO-8859-1"])[0]
    return codecs.lookup(declared.decode("ascii")).name


def nodes_of(tree, encoding):
    nodes = []
    stack = [(tree, None)]
    while stack:
        tree, parent = stack.pop()
        for properties in tree.sequence:
            values = [
                [name, [sgf_grammar.text_value(raw).decode(encoding) for raw in raws]]
                for name, raws in properties.items()
            ]
            nodes.append([parent, values])
            parent = len(nodes) - 1
        stack.extend((child, parent) for child in reversed(tree.children))
    return nodes


def letters(point, size):
    row, column = point
    return chr(97 + column) + chr(97 + size - 1 - row)


def main_line(tree):
    game = sgf.Sgf_game.from_coarse_game_tree(tree)
    size = game.get_size()
    moves, setup = [], []
    for node in game.get_main_sequence():
        colour, point = node.get_move()
        if colour is not None:
            moves.append([colour.upper(), None if point is None else letters(point, size)])
        for name, points in zip(("AB", "AW", "AE"), node.get_setup_stones()):
            if points:
                setup.append([name, sorted(letters(point, size) for point in points)])
    return moves, setup


def read(path):
    with open(path, "rb") as file:
        trees = sgf_grammar.parse_sgf_collection(file.read())
    games = []
    for tree in trees:
        game = {"nodes": nodes_of(tree, encoding_of(tree))}
        try:
            game["moves"], game["setup"] = main_line(tree)
        except ValueError as error:
            game["unplayable"] = repr(error)
        games.append(game)
    return games


for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        print(json.dumps({"file": path, "games": read(path)}))
    except (ValueError, LookupError) as error:
        print(json.dumps({"file": path, "error": f"{type(error).__name__}: {error}"}))
