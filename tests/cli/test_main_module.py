"""The script is `__main__`, as far as it and its libraries can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import JITTED
from tests.cli.test_run import same

if TYPE_CHECKING:
    from tests.cli.conftest import Folder


@pytest.mark.parametrize(
    "expression",
    [
        "__name__",
        "__file__",
        "__doc__",
        "__package__",
        "__spec__",
        "__loader__.__class__.__name__",
        "__builtins__.__name__",
        "sorted(globals())",
        "sys.argv",
        "sys.path[0]",
        "sys.modules['__main__'].__dict__ is globals()",
        "globals().get('__annotations__')",
        "sys._getframe().f_code.co_filename",
        "sys._getframe().f_code.co_name",
        "sys.flags.optimize",
    ],
)
def test_the_module_of_the_script_looks_as_without_us(folder: Folder, expression: str) -> None:
    script = folder.write("scripts/looking.py", f'"""Looks at itself."""\nimport sys\nprint({expression})\n')
    assert same(folder, script).stdout.strip()


def test_modules_beside_the_script_are_found(folder: Folder) -> None:
    folder.write("scripts/beside.py", "value = 42\n")
    script = folder.write("scripts/main.py", "import beside\nprint(beside.value)\n")
    assert same(folder, script).stdout == "42\n"


def test_modules_of_the_current_folder_are_not_found_by_accident(folder: Folder) -> None:
    folder.write("elsewhere.py", "value = 42\n")
    script = folder.write("scripts/main.py", "import elsewhere\n")
    assert "ModuleNotFoundError" in same(folder, script).stderr


def test_an_absolute_path_works(folder: Folder) -> None:
    folder.write("main.py", "print(__file__)\n")
    assert same(folder, str(folder.path / "main.py")).stdout == f"{folder.path / 'main.py'}\n"


def test_classes_of_the_script_can_be_pickled(folder: Folder) -> None:
    script = folder.write(
        "pickling.py",
        """
        import dataclasses, pickle

        @dataclasses.dataclass
        class Point:
            x: int

        if __name__ == "__main__":
            data = pickle.dumps(Point(3))
            print(pickle.loads(data), b"__main__" in data)
        """,
    )
    assert same(folder, script).stdout == "Point(x=3) True\n"


def test_processes_that_the_script_spawns_find_its_functions(folder: Folder) -> None:
    script = folder.write(
        "spawning.py",
        """
        import multiprocessing

        def square(x):
            return x * x

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(square, [1, 2, 3]))
        """,
    )
    assert same(folder, script).stdout == "[1, 4, 9]\n"


def test_source_lines_are_found_by_inspect(folder: Folder) -> None:
    script = folder.write(
        "inspecting.py",
        """
        import inspect

        def double(x):
            return x * 2

        print(inspect.getsource(double), inspect.getsourcefile(double))
        """,
    )
    assert "return x * 2" in same(folder, script).stdout


def test_a_declared_encoding_is_kept(folder: Folder) -> None:
    (folder.path / "latin.py").write_bytes("# -*- coding: latin-1 -*-\nprint(len('ä'))\n".encode("latin-1"))
    assert same(folder, "latin.py").stdout == "1\n"


def test_future_imports_of_our_own_do_not_leak_into_the_script(folder: Folder) -> None:
    script = folder.write("annotated.py", "def f(x: 1 + 1): ...\nprint(f.__annotations__)\n")
    assert same(folder, script).stdout == "{'x': 2}\n"


PACKAGE = {
    "shop/__init__.py": "import sys\nprint(sys.argv[0])\n",
    "shop/train.py": """
        import sys
        from . import parts
        print(__name__, __package__, __spec__.name, sys.argv, sys.path[0], parts.VALUE, __file__)
    """,
    "shop/parts.py": "VALUE = 42\n",
    "shop/tools/__main__.py": "print(__spec__.name, __package__)\n",
}


@pytest.mark.parametrize(
    "arguments",
    [
        ["shop.train", "--lr", "3"],
        ["shop.tools"],
        ["shop"],
        ["shop.nowhere"],
        ["nowhere"],
        ["nowhere.train"],
        ["shop.parts.train"],
    ],
)
def test_a_module_runs_as_python_runs_it(folder: Folder, arguments: list[str]) -> None:
    for name, text in PACKAGE.items():
        folder.write(name, text)
    same(folder, "-m", *arguments)


def test_a_recorded_module_is_called_by_its_file(folder: Folder) -> None:
    folder.write("shop/model.py", JITTED)
    done = folder.recorded("--session", "session.json", "-m", "shop.model")
    assert (done.returncode, done.stdout) == (0, "6.0\n")
    assert {f["file"] for f in folder.document()["functions"] if f["origin"] == "user"} == {"shop/model.py"}
