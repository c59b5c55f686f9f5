"""Virtual environments, and the sentence where Python cannot make any."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.executables import make_executable
from tools import environment
from tools.environment import Environment, Interpreter, check_venv_module, own_interpreter, variables
from tools.process import SetupError


def test_the_own_interpreter_is_the_one_below_the_environment() -> None:
    own = own_interpreter()
    shown = subprocess.check_output([own.path, "-c", "import sys; print(sys.prefix == sys.base_prefix)"], text=True)
    assert shown == "True\n"
    assert own.minor == f"{sys.version_info.major}.{sys.version_info.minor}"


def test_another_interpreter_makes_the_environment_anew(tmp_path: Path) -> None:
    own = own_interpreter()
    folder = tmp_path / "env"
    assert Environment(folder).ensure(own)
    (folder / "mine").touch()
    assert not Environment(folder).ensure(own)
    assert (folder / "mine").exists()

    assert Environment(folder).ensure(Interpreter(own.path, own.version + "+"))
    assert not (folder / "mine").exists()
    prefix = subprocess.check_output([Environment(folder).python, "-c", "import sys; print(sys.prefix)"], text=True)
    assert Path(prefix.strip()) == folder


def test_an_interpreter_without_venv_gets_one_sentence(tmp_path: Path) -> None:
    incomplete = make_executable(tmp_path / "python3", "echo no module named ensurepip >&2; exit 1")
    with pytest.raises(SetupError, match=r"lacks its venv module: install it .*python3-venv") as refused:
        check_venv_module(Interpreter(incomplete, "3.11.2"))
    assert "\n" not in str(refused.value)


def test_an_own_interpreter_without_ensurepip_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(SetupError, match="lacks its venv module"):
        check_venv_module(own_interpreter())


def test_programs_find_the_environment_first(tmp_path: Path) -> None:
    found = variables(Environment(tmp_path), {"PATH": "/usr/bin", "HOME": str(tmp_path), "PYTHONHOME": "/elsewhere"})
    assert found["PATH"].split(os.pathsep) == [str(tmp_path / "bin"), "/usr/bin"]
    assert "PYTHONHOME" not in found
    assert found["HOME"] == str(tmp_path)


@pytest.mark.parametrize("home", ["", "/nowhere/at/all"])
def test_a_missing_home_is_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    monkeypatch.setattr(environment, "BUILD", tmp_path)
    monkeypatch.setenv("HOME", "/nowhere/at/all")
    substitute = Path(variables(base={"HOME": home})["HOME"])
    assert substitute == tmp_path / "home"
    assert substitute.is_dir()
