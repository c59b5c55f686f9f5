"""The commands of the Makefile."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from tools import apt
from tools.browser import candidates
from tools.compat import run_compat
from tools.coverage import run_coverage
from tools.distribution import build_distributions
from tools.environment import variables
from tools.linters import format_sources, run_checks
from tools.node import install_node_packages
from tools.preparation import install_packages, prepare
from tools.process import SetupError, run
from tools.project import BUILD, DIST, LABEXTENSION, RESULTS, ROOT, UI_TESTS, VENV, WIDGET, shown
from tools.results import read_counts, total
from tools.soak import SOAK_SUITES
from tools.suites import SUITES, hermetic_variables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tools.suites import Suite

NOTEBOOK = "examples/01-first-trace.ipynb"


def lab(arguments: Sequence[str]) -> int:
    """Build, install into .venv and open JupyterLab on the first example."""
    environment = prepare()
    as_root = ["--allow-root"] if os.geteuid() == 0 else []
    # As the address and not as the file to run: so the address that is printed leads there too.
    page = f"--LabApp.default_url=/lab/tree/{NOTEBOOK}"
    command = [str(environment.scripts / "jupyter"), "lab", page, *as_root, *arguments]
    os.chdir(ROOT)
    # In place of this process: Ctrl-C and the exit status are JupyterLab's own.
    os.execve(command[0], command, variables(environment))


def test(arguments: Sequence[str]) -> int:
    """Build, install and run all tests; name suites (python, typescript, browser) to run only these."""
    return _run(SUITES, arguments)


def soak(arguments: Sequence[str]) -> int:
    """Run the tests that take many minutes; name suites (python, browser) to run only these."""
    return _run(SOAK_SUITES, arguments)


def _run(suites: Mapping[str, Suite], arguments: Sequence[str]) -> int:
    names = [name for name in arguments if name in suites]
    rest = [argument for argument in arguments if argument not in suites]
    if rest and len(names) != 1:
        message = f"Arguments for a test runner ({' '.join(rest)}) need one suite before them: {', '.join(suites)}."
        raise SetupError(message)
    environment = prepare()
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(parents=True)
    status = 0
    for name in names or suites:
        try:
            status |= suites[name](environment, rest)
        except SetupError as error:
            print(error, file=sys.stderr, flush=True)
            status = 1
    totals([])
    return min(status, 1)


def lint(_: Sequence[str]) -> int:
    """Run the linters, type checkers, layer checks and drift checks."""
    environment = install_packages()
    # The types of the browser tests lie there.
    install_node_packages(environment, UI_TESTS)
    return run_checks(environment)


def format_code(_: Sequence[str]) -> int:
    """Let the formatters rewrite the sources."""
    return format_sources(install_packages())


def bench(arguments: Sequence[str]) -> int:
    """Measure the ratios of bench/."""
    environment = prepare()
    return run([environment.python, "-m", "bench", *arguments], hermetic_variables(environment))


def peers(arguments: Sequence[str]) -> int:
    """Compare with other tools, each in an environment of its own; writes docs/peers.md."""
    environment = prepare()
    return run([environment.python, "-m", "bench.peers", *arguments], hermetic_variables(environment))


def build(_: Sequence[str]) -> int:
    """Build the wheel and the source distribution into dist/."""
    for path in build_distributions(prepare()):
        print(f"{shown(path)}  {path.stat().st_size / 1000:.0f} kB")
    return 0


def compat(arguments: Sequence[str]) -> int:
    """Run the capture tests on other versions of JAX; `--all` takes all and writes docs/compatibility.md."""
    environment = prepare()
    RESULTS.mkdir(parents=True, exist_ok=True)
    wheel = next(path for path in build_distributions(environment) if path.suffix == ".whl")
    return run_compat(environment, wheel, arguments)


def coverage(arguments: Sequence[str]) -> int:
    """Tell which statements of the capture and of the session no test runs."""
    environment = prepare()
    wheel = next(path for path in build_distributions(environment) if path.suffix == ".whl")
    return run_coverage(environment, wheel, arguments)


def totals(_: Sequence[str]) -> int:
    """Add up what the test runs since the last `test` have reported."""
    reports = sorted(RESULTS.glob("*.xml"))
    for report in reports:
        print(f"  {report.stem}: {read_counts(report)}")
    counts = total(reports)
    print(counts, flush=True)
    return 1 if counts.failed or not counts.passed else 0


def system_packages(_: Sequence[str]) -> int:
    """Install what CI wants from the system (a browser, dot, fonts) where that is possible."""
    wanted: list[str] = []
    if shutil.which("dot") is None:
        wanted.append("graphviz")
    if apt.is_debian() and next(candidates(os.environ), None) is None:
        wanted += ["chromium", "fonts-dejavu-core"]
    if wanted and apt.can_install(os.environ):
        apt.install(os.environ, *wanted)
    return 0


def clean(_: Sequence[str]) -> int:
    """Remove all that these commands have made and installed."""
    folders = (VENV, BUILD, DIST, ROOT / "lib", LABEXTENSION, WIDGET.parent)
    for folder in (*folders, ROOT / "node_modules", UI_TESTS / "node_modules", UI_TESTS / "test-results"):
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def show_help(_: Sequence[str]) -> int:
    """Show this list."""
    for name, command in COMMANDS.items():
        print(f"  make {name:16} {(command.__doc__ or '').splitlines()[0]}")
    print("\nPYTHON=python3.12 chooses the interpreter, ARGS='…' passes arguments on:")
    print("  make lab ARGS=--no-browser    make test ARGS='python -k scan'")
    return 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "lab": lab,
    "test": test,
    "soak": soak,
    "lint": lint,
    "format": format_code,
    "bench": bench,
    "peers": peers,
    "build": build,
    "compat": compat,
    "coverage": coverage,
    "totals": totals,
    "system-packages": system_packages,
    "clean": clean,
    "help": show_help,
}


def main(arguments: Sequence[str]) -> int:
    """Run the command that `arguments` name and return its exit status."""
    name, *rest = arguments or ["help"]
    command = COMMANDS.get(name)
    if command is None:
        print(f"There is no command {name}: try {', '.join(COMMANDS)}.", file=sys.stderr)
        return 2
    try:
        return command(rest)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
