"""Whose code a file is."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import jax
import jaxlib
import pytest

import jax_trace_viz.capture.jaxprs.writer
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "filename",
    [
        __file__,
        "script.py",
        "/home/ada/project/train.py",
        "/home/ada/jax/train.py",
        "C:\\Users\\ada\\train.py",
        "/tmp/ipykernel_4711/2039817.py",
        "<ipython-input-3-0f1e2d3c>",
        "<stdin>",
        "<python-input-0>",
        "<doctest readme.md[2]>",
        "<timed exec>",
        "<magic-timeit>",
        "<string>",
    ],
)
def test_user(filename: str) -> None:
    assert origin(filename) == "user"


@pytest.mark.parametrize(
    "filename",
    [
        json.__file__,
        dataclasses.__file__,
        pytest.__file__,
        "/opt/env/lib/python3.12/site-packages/flax/linen/module.py",
        "/opt/env/lib/python3.12/site-packages/jax_md/space.py",
        "/usr/lib/python3/dist-packages/numpy/ma/core.py",
        "<attrs generated init C>",
        "<frozen importlib._bootstrap>",
        "<__array_function__ internals>",
    ],
)
def test_library(filename: str) -> None:
    assert origin(filename) == "library"


@pytest.mark.parametrize("filename", [jax.__file__, jax.lax.__file__, jaxlib.__file__])
def test_jax(filename: str) -> None:
    assert origin(filename) == "jax"


def test_jax_from_a_development_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jax, "__path__", [str(tmp_path)])
    assert origin(str(tmp_path / "_src" / "core.py")) == "jax"


def test_ours_even_where_the_package_is_not_installed() -> None:
    assert origin(jax_trace_viz.capture.jaxprs.writer.__file__) == "ours"


def test_what_was_installed_into_a_folder_of_the_users_is_a_librarys(tmp_path: Path) -> None:
    package = tmp_path / "solver" / "_src"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    record = tmp_path / "solver-1.0.dist-info" / "RECORD"
    record.parent.mkdir()
    record.write_text("solver/__init__.py,sha256=x,0\nsolver/_src/loop.py,sha256=x,9\nonefile.py,sha256=x,9\n")
    assert origin(str(package / "loop.py")) == "library"
    assert origin(str(tmp_path / "onefile.py")) == "library"
    assert origin(str(tmp_path / "handler.py")) == "user"
    assert origin(str(tmp_path / "solvers" / "mine.py")) == "user"


def test_a_folder_that_says_nothing_of_what_was_installed_is_the_users(tmp_path: Path) -> None:
    (tmp_path / "solver-1.0.dist-info").mkdir()
    assert origin(str(tmp_path / "solver" / "loop.py")) == "user"
