"""Which statements of the capture and of the session the tests run, with both ways to watch bodies together.

From Python 3.12 on the interpreter tells of them, before that a profiler looks for them, so the tests run on both.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.compat import TARGETS, find_interpreter, installed_versions, prepare_target
from tools.process import run, say
from tools.project import BUILD
from tools.suites import hermetic_variables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tools.environment import Environment

GOAL = 95.0
"""Per cent of each package's statements."""
TESTS = ("tests/capture", "tests/session", "tests/exports", "tests/promises")


@dataclass(frozen=True)
class Covered:
    """The statements of one file, by line."""

    statements: frozenset[int]
    ran: frozenset[int]

    @property
    def missed(self) -> list[int]:
        """Lines of statements that never ran."""
        return sorted(self.statements - self.ran)


def run_coverage(main: Environment, wheel: Path, arguments: Sequence[str]) -> int:
    """Run the tests with `tests/covering.py` in both environments, print what never ran; 0 where the goal is reached.

    Args:
        main: The environment of `make test`.
        wheel: The package as users install it.
        arguments: Tests to run instead of `TESTS`.
    """
    folder = BUILD / "coverage"
    folder.mkdir(parents=True, exist_ok=True)
    status, notes = 0, [folder / f"{number}.json" for number in range(2)]
    for environment, note in zip(environments(main, wheel), notes, strict=False):
        env = hermetic_variables(environment) | {"JAX_TRACE_VIZ_COVERED": str(note)}
        status |= run([environment.python, "-m", "pytest", "-p", "tests.covering", *(arguments or TESTS)], env)
    covered = add_up(note.read_text(encoding="utf-8") for note in notes if note.exists())
    print("\n".join(report(covered)), flush=True)
    return status or int(any(share < GOAL for share in shares(covered).values()))


def environments(main: Environment, wheel: Path) -> Iterator[Environment]:
    """That of `make test`, and one with a Python that watches bodies in the other way."""
    yield main
    _, python = installed_versions(main)
    wanted = TARGETS[-1] if python == "3.11" else next(one for one in reversed(TARGETS) if "3.11" in one.pythons)
    interpreter = find_interpreter(wanted.pythons, hermetic_variables(main))
    if interpreter is None:
        say(f"There is no Python {' or '.join(wanted.pythons)} here: what only runs there counts as never run")
        return
    yield prepare_target(wanted, interpreter, wheel)


def add_up(notes: Iterable[str]) -> dict[str, Covered]:
    """What the notes of several runs say together, file by file."""
    out: dict[str, Covered] = {}
    for note in notes:
        for path, lines in json.loads(note).items():
            before = out.get(path, Covered(frozenset(), frozenset()))
            out[path] = Covered(before.statements.union(lines["statements"]), before.ran.union(lines["ran"]))
    return out


def shares(covered: dict[str, Covered]) -> dict[str, float]:
    """Per cent of the statements that ran, by package."""
    packages = sorted({package_of(path) for path in covered})
    of = {package: [one for path, one in covered.items() if package_of(path) == package] for package in packages}
    return {
        package: 100 * sum(len(one.ran) for one in files) / sum(len(one.statements) for one in files)
        for package, files in of.items()
    }


def package_of(path: str) -> str:
    """`jax_trace_viz/capture/keys/cache_keys.py` → `capture`."""
    return path.split("/")[1]


def report(covered: dict[str, Covered]) -> list[str]:
    """A line for each file with statements that never ran, and one for each package."""
    files = [f"{path}: {', '.join(map(str, one.missed))}" for path, one in sorted(covered.items()) if one.missed]
    return [*files, *(f"{package}: {share:.1f} % of the statements" for package, share in shares(covered).items())]
