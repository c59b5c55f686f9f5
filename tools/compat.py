"""The capture tests on other versions of JAX, each in an environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tools import compatibility
from tools.compatibility import Row, counted
from tools.environment import Environment, Interpreter, own_interpreter, variables
from tools.process import run, say
from tools.project import BUILD, RESULTS
from tools.requirements import requirements
from tools.stamps import Step, content_hash
from tools.suites import hermetic_variables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(frozen=True)
class Target:
    """One version of JAX that must work.

    Attributes:
        jax: The version, as in pip's `jax==…`.
        pythons: The Python versions that will do, the best first.
        extras: The extras of this package that its tests need.
        tests: What is run.
        always: Whether it is run every time, and not only when all are asked for.
    """

    jax: str
    pythons: tuple[str, ...]
    extras: tuple[str, ...]
    tests: tuple[str, ...] = ("tests/capture", "tests/cases")
    always: bool = True

    @property
    def name(self) -> str:
        """What its environment and its report are called."""
        return f"jax-{self.jax.removesuffix('.*')}"


TARGETS = (
    Target("0.6.2", ("3.11",), ("test",)),
    Target("0.7.2", ("3.11",), ("test",), always=False),
    Target("0.8.2", ("3.11",), ("test",), always=False),
    Target("0.9.2", ("3.11",), ("test",), always=False),
    Target("0.10.2", ("3.11",), ("test", "libraries")),
    Target("0.11.2", ("3.12", "3.13"), ("test",), always=False),
    Target("0.12.*", ("3.13", "3.12", "3.14"), ("test", "libraries")),
)

ALL = "--all"
"""Asks for every target."""

OLDEST_JUPYTER = ("jupyterlab==4.4.*", "notebook==7.4.*", "ipykernel==6.*")


def run_compat(main: Environment, wheel: Path, arguments: Sequence[str]) -> int:
    """Run the targets and return 0 when none fails; with `--all` alone, write down how they ended.

    Args:
        main: The environment of `make test`; what it covers is not run again.
        wheel: The package as users install it.
        arguments: `--all`, and more arguments for pytest.
    """
    covered = installed_versions(main)
    rest = [argument for argument in arguments if argument != ALL]
    chosen = [target for target in TARGETS if target.always or ALL in arguments]
    ended = [run_target(target, covered, wheel, rest) for target in chosen]
    if ALL in arguments and not rest:
        compatibility.write(row for _, row in ended)
    return max(status for status, _ in ended)


def run_target(target: Target, covered: tuple[str, str], wheel: Path, arguments: Sequence[str]) -> tuple[int, Row]:
    """Run one target and tell its exit status and how it ended; a machine without its Python gets a line.

    What `make test` covers is counted in its report, if there is one.
    """
    jax, python = covered
    if python in target.pythons and matches(jax, target.jax):
        say(f"JAX {target.jax}: COVERED, `make test` runs JAX {jax} on Python {python}")
        return 0, Row(jax, python, target.tests, counted(RESULTS / "python.xml", target.tests))
    interpreter = find_interpreter(target.pythons, os.environ)
    if interpreter is None:
        wanted = " or ".join(target.pythons)
        say(f"JAX {target.jax}: SKIPPED, there is no Python {wanted} here")
        return 0, Row(target.jax, wanted, target.tests, None)
    environment = prepare_target(target, interpreter, wheel)
    say(f"JAX {target.jax} on Python {interpreter.version}: {' '.join(target.tests)}")
    report = RESULTS / f"{target.name}.xml"
    command = [environment.python, "-m", "pytest", f"--junitxml={report}", *target.tests, *arguments]
    report.unlink(missing_ok=True)
    status = run(command, hermetic_variables(environment))
    return status, Row(*installed_versions(environment), target.tests, counted(report, target.tests))


def prepare_target(target: Target, interpreter: Interpreter, wheel: Path) -> Environment:
    """Make the environment of a target, or bring it up to date."""
    environment = Environment(BUILD / "compat" / target.name)
    environment.ensure(interpreter)
    wanted = [f"jax=={target.jax}", *requirements(*target.extras)]
    environment.install(wanted, f"Installing JAX {target.jax} for Python {interpreter.version}")
    install_wheel(environment, wheel)
    return environment


def prepare_oldest_jupyter(main: Environment, wheel: Path) -> Environment:
    """Make the environment with the oldest Jupyter that we support, or bring it up to date; JAX is that of `main`."""
    environment = Environment(BUILD / "compat" / "oldest-jupyter")
    environment.ensure(own_interpreter())
    jax, _ = installed_versions(main)
    wanted = [f"jax=={jax}", *OLDEST_JUPYTER, *requirements()]
    environment.install(wanted, f"Installing {', '.join(OLDEST_JUPYTER)}")
    install_wheel(environment, wheel)
    return environment


def install_wheel(environment: Environment, wheel: Path) -> None:
    """Install the package as users do, unless this very file was installed before."""
    Step(
        stamp=environment.stamp("wheel"),
        key=content_hash(wheel.parent, (wheel.name,)),
        outputs=(environment.scripts / "jax-trace-viz",),
        title=f"Installing {wheel.name}",
        action=lambda: environment.pip("install", "--no-deps", "--force-reinstall", str(wheel)),
    ).ensure()


def installed_versions(environment: Environment) -> tuple[str, str]:
    """Tell the versions of JAX and of Python (as in `3.11`) in `environment`."""
    code = "import sys, importlib.metadata as m; print(m.version('jax'), '%d.%d' % sys.version_info[:2])"
    shown = subprocess.check_output([environment.python, "-c", code], env=variables(environment), text=True)
    jax, python = shown.split()
    return jax, python


def matches(version: str, wanted: str) -> bool:
    """Tell whether `version` is the one wanted; `0.12.*` stands for all of 0.12."""
    if wanted.endswith(".*"):
        return version.startswith(wanted.removesuffix("*"))
    return version == wanted


def find_interpreter(versions: Sequence[str], env: Mapping[str, str]) -> Interpreter | None:
    """Find a Python of one of these versions that runs and can make environments."""
    for version in versions:
        for candidate in interpreter_candidates(version, env):
            found = examine(candidate)
            if found is not None and found.minor == version:
                return found
    return None


def interpreter_candidates(version: str, env: Mapping[str, str]) -> Iterator[Path]:
    """List where a Python of this version may lie: on the PATH, and among pyenv's versions."""
    on_path = shutil.which(f"python{version}", path=env.get("PATH"))
    if on_path is not None:
        yield Path(on_path)
    # Where pyenv made the Python that runs this, its siblings lie beside it, whatever HOME says.
    folders = [Path(sys.base_prefix).parent]
    if env.get("PYENV_ROOT"):
        folders.append(Path(env["PYENV_ROOT"]) / "versions")
    if env.get("HOME"):
        folders.append(Path(env["HOME"]) / ".pyenv" / "versions")
    for folder in folders:
        yield from sorted(folder.glob(f"{version}*/bin/python{version}"), reverse=True)


def examine(candidate: Path) -> Interpreter | None:
    """Ask what a candidate is: a pyenv shim, for one, may stand for nothing."""
    code = "import ensurepip, sys, venv; print(sys.executable, '%d.%d.%d' % sys.version_info[:3], sep='\\n')"
    done = subprocess.run([candidate, "-c", code], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        return None
    path, version = done.stdout.splitlines()
    return Interpreter(Path(path).resolve(), version)
