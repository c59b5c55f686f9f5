"""Running other programs, and saying what goes on."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tools.project import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


class SetupError(Exception):
    """What stops a command, in one sentence for the person who called it."""


def say(text: str) -> None:
    """Tell what happens next, at once even where the output goes to a file."""
    print(f"→ {text}", flush=True)


def run(command: Sequence[str | Path], env: Mapping[str, str], cwd: Path = ROOT) -> int:
    """Run `command` with its output in full view and return its exit status."""
    return subprocess.run(command, env=env, cwd=cwd, check=False).returncode


def run_quietly(command: Sequence[str | Path], env: Mapping[str, str], failing: str, cwd: Path = ROOT) -> None:
    """Run `command`, showing its output only when it fails.

    Args:
        command: The program and its arguments.
        env: Its environment variables.
        failing: The sentence for the failure.
        cwd: The folder it runs in.

    Raises:
        SetupError: The command did not succeed.
    """
    done = subprocess.run(
        command, env=env, cwd=cwd, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        print(done.stdout, flush=True)
        raise SetupError(failing)
