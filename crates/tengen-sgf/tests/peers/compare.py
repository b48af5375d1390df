"""Compares what Tengen, sgfmill and @sabaki/sgf read in the same files: trees, properties, values, moves.

    compare.py WORK FOLDER...

WORK is the folder with node_modules. `cargo xtask test --peers` installs the peers and calls this. A difference that no
rule below explains is printed and makes the comparison fail. README.md says what the rules are about.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
# Letters of these encodings can end in the byte of a backslash or a bracket.
TRAIL_BYTES = {"big5", "gbk", "gb18030", "shift_jis"}


def dump(command, files, **options):
    lines = "".join(f"{file}\n" for file in files)
    result = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True, **options)
    return [json.loads(line) for line in result.stdout.splitlines()]


def merged(properties):
    """Both peers make one property of one that a node has twice."""
    by_name = {}
    for name, values in properties:
        by_name.setdefault(name, []).extend(values)
    return list(by_name.items())


def spaces(text):
    """Text without a difference between kinds of white space, which Sabaki leaves as they are."""
    text = text.replace("\r\n", "\n").replace("\n\r", "\n").replace("\r", "")
    return re.sub(r"[\t\v\f]", " ", text)


def shape(games):
    return [[parent for parent, _ in game["nodes"]] for game in games]


def properties(games, change=lambda text: text):
    return [
        [[(name, [change(value) for value in values]) for name, values in merged(node)] for _, node in game["nodes"]]
        for game in games
    ]


def has_trail_bytes(file):
    """Has the file a letter that a reader of bytes takes for a backslash or a bracket?"""
    content = pathlib.Path(file).read_bytes()
    declared = re.search(rb"CA\s*\[([^\]]*)\]", content)
    encoding = declared.group(1).decode("ascii", "replace").lower() if declared else ""
    if encoding not in TRAIL_BYTES:
        return False
    text = content.decode(encoding, "replace")
    letters = (letter.encode(encoding, "replace") for letter in text)
    return any(len(letter) > 1 and letter[-1:] in b"\\]" for letter in letters)


def declares(file):
    return re.search(rb"CA\s*\[", pathlib.Path(file).read_bytes()) is not None


def explain(peer, ours, theirs):
    """The name of the rule that explains the difference, `same` if there is none, and `None` if no rule does."""
    file = ours["file"]
    if "error" in ours:
        return "both refuse it" if "error" in theirs else None
    if "error" in theirs:
        if ours["repairs"] > 0:
            return "refused, repaired by us"
        if peer == "sgfmill" and has_trail_bytes(file):
            return "bytes of letters taken for brackets"
        if ours["encoding"].startswith("UTF-16"):
            return "UTF-16 not read"
        if theirs["error"].startswith(("LookupError", "UnicodeDecodeError", "Encoding not recognized")):
            return "encoding not read"
        return None
    mine, yours = ours["games"], theirs["games"]
    same_moves = all(
        a["moves"] == b["moves"] and a["setup"] == b.get("setup", a["setup"])
        for a, b in zip(mine, yours)
        if "moves" in b
    )
    same_shape = shape(mine) == shape(yours)
    if same_shape and same_moves and properties(mine) == properties(yours):
        return "same, but for the size of the board" if any("unplayable" in game for game in yours) else "same"
    if same_shape and same_moves and peer == "sabaki" and properties(mine, spaces) == properties(yours, spaces):
        return "white space left as it was"
    if peer == "sgfmill" and has_trail_bytes(file):
        return "bytes of letters taken for brackets"
    ascii_only = lambda text: re.sub(r"[^\x20-\x7e]+", "", text)
    names = lambda games: [[[name for name, _ in node] for node in game] for game in properties(games)]
    if same_shape and same_moves and names(mine) == names(yours):
        if not declares(file):
            return "encoding not declared, and guessed differently"
        if properties(mine, ascii_only) == properties(yours, ascii_only):
            return "encoding read differently"
    if ours["repairs"] > 0:
        return "repaired differently"
    return None


def main():
    work, *folders = map(pathlib.Path, sys.argv[1:])
    files = sorted(str(file.resolve()) for folder in folders for file in folder.rglob("*.sgf"))
    ours = dump(["cargo", "run", "--quiet", "--package", "tengen-sgf", "--example", "dump"], files)
    node_path = {**os.environ, "NODE_PATH": str((work / "node_modules").resolve())}
    peers = {
        "sgfmill": dump([sys.executable, HERE / "dump_sgfmill.py"], files),
        "sabaki": dump(["node", HERE / "dump_sabaki.js"], files, env=node_path),
    }
    unexplained = 0
    for peer, theirs in peers.items():
        counts = collections.Counter()
        for a, b in zip(ours, theirs, strict=True):
            assert a["file"] == b["file"]
            rule = explain(peer, a, b)
            counts[rule or "unexplained"] += 1
            if os.environ.get("VERBOSE") and rule not in (None, "same"):
                print(f"{peer}: {rule}: {a['file']}: {b.get('error', '')}")
            if rule is None:
                unexplained += 1
                print(f"{peer}: unexplained: {a['file']}: {b.get('error', '')}")
        for rule, count in counts.most_common():
            print(f"{peer:8} {count:6}  {rule}")
    sys.exit(unexplained > 0)


main()
