"""All checks that read the code without running it."""

from __future__ import annotations

import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

from tools.environment import variables
from tools.project import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tools.environment import Environment


@dataclass(frozen=True)
class Check:
    """One linter: its name for people and its command."""

    name: str
    command: Sequence[str | Path]


@dataclass(frozen=True)
class Verdict:
    """How a check ended."""

    check: Check
    succeeded: bool
    output: str
    seconds: float


def checks(environment: Environment) -> list[Check]:
    """List all checks, those that take longest first."""
    python, scripts = environment.python, environment.scripts
    jlpm = scripts / "jlpm"
    return [
        Check("pyright: Python types", [jlpm, "lint:pyright"]),
        Check("eslint: TypeScript", [jlpm, "lint:eslint"]),
        Check("tsc: TypeScript types", [jlpm, "lint:types"]),
        Check("dependency-cruiser: TypeScript layers", [jlpm, "lint:layers"]),
        Check("import-linter: Python layers", [scripts / "lint-imports"]),
        Check("prettier: TypeScript format", [jlpm, "lint:prettier"]),
        Check("stylelint: styles", [jlpm, "lint:stylelint"]),
        Check("ruff: Python", [scripts / "ruff", "check", "--output-format=concise"]),
        Check("ruff: Python format", [scripts / "ruff", "format", "--check"]),
        Check("contract: generated schemas", [python, "-m", "jax_trace_viz.contract", "--check"]),
        Check("contract: generated TypeScript", [jlpm, "generate", "--check"]),
        Check("lock files: no address", [python, "-m", "tools.lockfiles"]),
    ]


def run_checks(environment: Environment) -> int:
    """Run all checks, say how each ended, and show what those that failed have to say."""
    env = variables(environment)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        verdicts = list(pool.map(run_check, checks(environment), repeat(env)))
    for verdict in verdicts:
        print(f"{'✓' if verdict.succeeded else '✗'} {verdict.check.name} ({verdict.seconds:.1f} s)")
    failed = [verdict for verdict in verdicts if not verdict.succeeded]
    for verdict in failed:
        print(f"\n── {verdict.check.name}\n{verdict.output.rstrip()}")
    return 1 if failed else 0


def run_check(check: Check, env: Mapping[str, str]) -> Verdict:
    """Run one check and keep what it says."""
    start = time.perf_counter()
    done = subprocess.run(
        check.command, cwd=ROOT, env=env, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return Verdict(check, done.returncode == 0, done.stdout, time.perf_counter() - start)


def format_sources(environment: Environment) -> int:
    """Let the formatters rewrite the sources; return 0 when none of them has complaints left."""
    env = variables(environment)
    commands: list[list[str | Path]] = [
        [environment.scripts / "ruff", "check", "--fix"],
        [environment.scripts / "ruff", "format"],
        [environment.scripts / "jlpm", "format"],
    ]
    return max(subprocess.run(command, cwd=ROOT, env=env, check=False).returncode for command in commands)
