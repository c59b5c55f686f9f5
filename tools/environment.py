"""The virtual environments that the commands work in."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tools.process import SetupError, run_quietly
from tools.project import BUILD, VENV, shown
from tools.stamps import Step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Interpreter:
    """A Python that environments are made from."""

    path: Path
    version: str

    @property
    def minor(self) -> str:
        """The version as in `3.11`."""
        return ".".join(self.version.split(".")[:2])


def own_interpreter() -> Interpreter:
    """Find the interpreter that runs this, or the one below it when this runs in an environment.

    So `make test` in an activated `.venv` keeps that environment.
    """
    path: str = getattr(sys, "_base_executable", sys.executable)
    return Interpreter(Path(path).resolve(), ".".join(map(str, sys.version_info[:3])))


@dataclass(frozen=True)
class Environment:
    """A virtual environment in a folder of the checkout."""

    folder: Path = VENV

    @property
    def scripts(self) -> Path:
        """The folder of its executables."""
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.scripts / "python"

    def stamp(self, name: str) -> Path:
        """The stamp file of a step whose result lies in this environment, and goes with it."""
        return self.folder / ".stamps" / name

    def ensure(self, interpreter: Interpreter) -> bool:
        """Make it from `interpreter`, anew when that is another one than last time."""
        check_venv_module(interpreter)
        return Step(
            stamp=self.stamp("interpreter"),
            # The scripts carry the folder's absolute path: a moved checkout needs new ones.
            key=f"{interpreter.path} {interpreter.version} {self.folder}",
            outputs=(self.python,),
            title=f"Making {shown(self.folder)} with Python {interpreter.version} ({interpreter.path})",
            action=lambda: run_quietly(
                [interpreter.path, "-m", "venv", "--clear", self.folder],
                variables(),
                f"`{interpreter.path} -m venv` failed with the words above.",
            ),
        ).ensure()

    def install(self, requirements: Sequence[str], title: str) -> bool:
        """Install `requirements` unless just these were installed before."""
        return Step(
            stamp=self.stamp("requirements"),
            key="\n".join(requirements),
            outputs=(self.python,),
            title=title,
            action=lambda: self.pip("install", *requirements),
        ).ensure()

    def pip(self, *arguments: str) -> None:
        """Run the environment's pip quietly."""
        run_quietly(
            [self.python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments],
            variables(self),
            f"pip could not finish in {shown(self.folder)}: its words stand above.",
        )


def check_venv_module(interpreter: Interpreter) -> None:
    """Refuse an interpreter that cannot make environments; Debian's comes without.

    Raises:
        SetupError: It cannot.
    """
    if interpreter == own_interpreter():
        complete = all(find_spec(name) is not None for name in ("venv", "ensurepip"))
    else:
        complete = subprocess.run([interpreter.path, "-c", "import venv, ensurepip"], check=False).returncode == 0
    if not complete:
        message = (
            f"Python {interpreter.version} ({interpreter.path}) lacks its venv module: install it "
            "(Debian, Ubuntu: `apt install python3-venv`) or choose another Python with PYTHON=…."
        )
        raise SetupError(message)


def variables(environment: Environment | None = None, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment variables for other programs, with `environment` activated."""
    found = dict(base)
    found["HOME"] = str(home(base))
    found.pop("PYTHONHOME", None)
    found["PYTHONNOUSERSITE"] = "1"
    if environment is not None:
        found["VIRTUAL_ENV"] = str(environment.folder)
        found["PATH"] = os.pathsep.join([str(environment.scripts), base.get("PATH", os.defpath)])
    return found


def home(base: Mapping[str, str]) -> Path:
    """The user's home folder, or one of our own where there is none to write to.

    Package managers, Jupyter and browsers all keep files there.
    """
    given = Path(base["HOME"]) if base.get("HOME") else Path("~").expanduser()
    if given.is_dir() and os.access(given, os.W_OK):
        return given
    substitute = BUILD / "home"
    substitute.mkdir(parents=True, exist_ok=True)
    return substitute
