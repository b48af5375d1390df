"""The corpus of rule cases that every part of the project reads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"


def rule_cases(kind: str) -> list[Any]:
    """All cases of one kind: `case`, `game`, `score` or `refusal`."""
    files = sorted((TESTDATA / "rules").glob("*.toml"))
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]
    cases = [case for table in tables for case in table.get(kind, [])]
    assert cases, f"the corpus has no {kind}"
    return cases
