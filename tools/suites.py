"""The three test suites: Python, TypeScript, and the browser."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

from tools.browser import VARIABLE, find_browser
from tools.environment import variables
from tools.node import install_node_packages
from tools.process import run, say
from tools.project import BUILD, RESULTS, UI_TESTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tools.environment import Environment

    Suite = Callable[[Environment, Sequence[str]], int]


def hermetic_variables(environment: Environment) -> dict[str, str]:
    """The variables for tests: on the CPU, and without the user's own Jupyter settings and kernels."""
    jupyter = BUILD / "jupyter"
    jupyter.mkdir(parents=True, exist_ok=True)
    return variables(environment) | {
        "JAX_PLATFORMS": "cpu",
        "IPYTHONDIR": str(jupyter / "ipython"),
        "JUPYTER_CONFIG_DIR": str(jupyter / "config"),
        "JUPYTER_DATA_DIR": str(jupyter / "data"),
        "JUPYTER_RUNTIME_DIR": str(jupyter / "runtime"),
    }


def run_python(environment: Environment, arguments: Sequence[str]) -> int:
    """Run pytest on `tests/`."""
    say("Python tests")
    report = RESULTS / "python.xml"
    return run(
        [environment.python, "-m", "pytest", f"--junitxml={report}", *arguments], hermetic_variables(environment)
    )


def run_typescript(environment: Environment, arguments: Sequence[str]) -> int:
    """Run vitest on `src/`."""
    say("TypeScript tests")
    report = RESULTS / "typescript.xml"
    reporters = ["--reporter=default", "--reporter=junit", f"--outputFile.junit={report}"]
    return run([environment.scripts / "jlpm", "test", *reporters, *arguments], hermetic_variables(environment))


def run_browser(
    environment: Environment, arguments: Sequence[str], folder: str = "tests", settings: Mapping[str, str] | None = None
) -> int:
    """Run Playwright on a folder of `ui-tests/`, in the first browser found and on a free port.

    Args:
        environment: Where JupyterLab is.
        arguments: More arguments for Playwright.
        folder: Where the specs are.
        settings: Variables that they read.
    """
    env = hermetic_variables(environment)
    browser = find_browser(env)
    install_node_packages(environment, UI_TESTS)
    say(f"Browser tests in {browser}")
    env |= settings or {}
    env |= {
        VARIABLE: str(browser),
        "JAX_TRACE_VIZ_SPECS": folder,
        "JAX_TRACE_VIZ_PORT": str(free_port()),
        "JAX_TRACE_VIZ_JUNIT": str(RESULTS / "browser.xml"),
    }
    return run([environment.scripts / "jlpm", "test", *arguments], env, cwd=UI_TESTS)


def free_port() -> int:
    """Ask the system for a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


SUITES: dict[str, Suite] = {"typescript": run_typescript, "python": run_python, "browser": run_browser}
