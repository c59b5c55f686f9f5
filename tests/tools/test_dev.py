"""The entry point: which Python it takes, and what it says to others."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.tools.executables import make_executable
from tools.cli import COMMANDS
from tools.project import ROOT

if TYPE_CHECKING:
    from pathlib import Path

DEV = ROOT / "tools" / "dev.py"


def call(*command: str | Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PATH": path or os.environ["PATH"]}
    return subprocess.run(command, env=env, check=False, capture_output=True, text=True, cwd="/")


def test_help_names_every_command() -> None:
    done = call(sys.executable, DEV)
    assert done.returncode == 0
    assert all(f"make {name} " in done.stdout for name in COMMANDS)


def test_an_unknown_command_is_refused() -> None:
    done = call(sys.executable, DEV, "tset")
    assert done.returncode == 2
    assert done.stderr.startswith("There is no command tset: try lab, test, ")


def test_an_old_interpreter_gets_one_sentence_that_names_a_newer_one(tmp_path: Path) -> None:
    make_executable(tmp_path / "python3.12", "exit 0")
    pretend = (
        f"import sys, runpy; sys.version_info = (3, 9, 2, 'final', 0); runpy.run_path({str(DEV)!r}, None, '__main__')"
    )
    done = call(sys.executable, "-c", pretend, path=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("jax-trace-viz needs Python 3.11 or newer and ")
    assert done.stderr.endswith(" is 3.9: choose another, as in `make test PYTHON=python3.12`.\n")


def test_an_old_interpreter_can_read_the_entry_point() -> None:
    tree = ast.parse(DEV.read_text())
    new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef, ast.Match, ast.Starred)
    assert not [node for node in ast.walk(tree) if isinstance(node, new)]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.returns]


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not here")
def test_make_with_a_python_that_is_not_there_gets_one_sentence() -> None:
    done = call("make", "--no-print-directory", "-C", ROOT, "help", "PYTHON=python-of-nowhere")
    assert done.returncode != 0
    assert done.stderr.startswith("There is no 'python-of-nowhere' here: install Python 3.11 or newer, or name one")
