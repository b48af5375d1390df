"""The examples in docstrings, those of the native module included, hold; and everything has a docstring."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator

import pytest

import tengen
import tengen.sgf
from tengen import _native


def documented() -> Iterator[tuple[str, str | None]]:
    """The name and docstring of all that users can call."""
    for module in [tengen, tengen.sgf]:
        yield module.__name__, module.__doc__
        for name in module.__all__:
            thing = getattr(module, name)
            if getattr(thing, "__module__", None) == module.__name__ and inspect.isfunction(thing):
                yield f"{module.__name__}.{name}", thing.__doc__
    for name in _native.__all__:
        thing = getattr(_native, name)
        if isinstance(thing, str):
            continue
        yield name, thing.__doc__
        members = vars(thing) if inspect.isclass(thing) else {}
        for member, value in members.items():
            if not member.startswith("_"):
                yield f"{name}.{member}", value.__doc__


DOCUMENTED = list(documented())


@pytest.mark.parametrize(("name", "text"), DOCUMENTED, ids=[name for name, _ in DOCUMENTED])
def test_examples_hold(name: str, text: str | None) -> None:
    assert text, "has no docstring"
    names = {**vars(tengen), **vars(tengen.sgf), "tengen": tengen, "sgf": tengen.sgf}
    test = doctest.DocTestParser().get_doctest(text, names, name, None, None)
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0
