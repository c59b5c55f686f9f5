"""For programs that take seconds: those that the selected tests need are started together, ahead of the tests."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable


def needing(value: object, packages: Iterable[str], *, id: str) -> Any:
    """A test parameter that is skipped where a package is missing."""
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    marks = [pytest.mark.skip(reason=f"needs {', '.join(missing)}")] if missing else []
    return pytest.param(value, id=id, marks=marks)


def selected(request: pytest.FixtureRequest, parameter: str) -> list[Any]:
    """The values of a parameter in those tests of the requesting file that will run, each once, in their order."""
    tests = [test for test in request.session.items if isinstance(test, pytest.Function) and test.path == request.path]
    running = [test for test in tests if all(mark.name != "skip" for mark in test.iter_markers())]
    return list(dict.fromkeys(test.callspec.params[parameter] for test in running if parameter in test.fixturenames))
