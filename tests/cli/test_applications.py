"""What Python runs besides scripts: folders and archives with a `__main__.py`, and compiled files."""

from __future__ import annotations

import py_compile
import zipapp
from typing import TYPE_CHECKING

import pytest

from tests.cli.test_run import same

if TYPE_CHECKING:
    from tests.cli.conftest import Folder

LOOKING = """
    import sys
    import helper
    spec = __spec__ and (__spec__.name, __spec__.origin, __spec__.cached)
    print(__name__, __file__, spec, __package__, __cached__, type(__loader__).__name__, sorted(globals()))
    print(sys.argv, sys.path[0], sys._getframe().f_code.co_filename, helper.VALUE)
"""
TRACING = """
    import jax
    import helper

    @jax.jit
    def step(x):
        return helper.double(x)

    step(3.0)
"""


def folder_of(folder: Folder, main: str) -> str:
    folder.write("app/helper.py", "VALUE = 42\ndef double(x):\n    return x * 2\n")
    folder.write("app/__main__.py", main)
    return "app"


def archive(folder: Folder, main: str) -> str:
    zipapp.create_archive(folder.path / folder_of(folder, main), folder.path / "app.pyz")
    return "app.pyz"


def compiled(folder: Folder, main: str) -> str:
    folder_of(folder, main)
    py_compile.compile(
        str(folder.path / "app/__main__.py"),
        str(folder.path / "app/whole.pyc"),
        dfile=str(folder.path / "app/whole.py"),
    )
    return "app/whole.pyc"


MADE = pytest.mark.parametrize("make", [folder_of, archive, compiled])


@MADE
@pytest.mark.parametrize("written", ["{}", "./{}"])
def test_it_runs_as_with_python(folder: Folder, make, written: str) -> None:
    assert "42" in same(folder, written.format(make(folder, LOOKING)), "a", "--b").stdout


@MADE
def test_what_it_traces_is_recorded(folder: Folder, make) -> None:
    folder.recorded("--session", "session.json", make(folder, TRACING))
    names = {function["name"]: function for function in folder.document()["functions"]}
    assert names["step"]["traces"] == 1
    assert names["step"]["origin"] == "user"


def test_a_script_is_named_as_it_was_written(folder: Folder) -> None:
    folder.write("main.py", "import sys\nprint(sys.argv[0], __file__, sys.path[0])\n")
    assert same(folder, "./main.py").stdout.startswith("./main.py")


def test_a_folder_without_a_main_module_is_told_as_python_tells_it(folder: Folder) -> None:
    folder.write("empty/other.py", "")
    assert "can't find '__main__' module" in same(folder, "empty").stderr


def test_a_compiled_file_of_another_python_is_refused(folder: Folder) -> None:
    folder.write("old.pyc", "of another age")
    assert same(folder, "old.pyc").stderr == "RuntimeError: Bad magic number in .pyc file\n"
