"""Scripts and the command that runs them."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import pathlib


@dataclasses.dataclass(frozen=True)
class Folder:
    """A folder of scripts, and Python started there with or without the recording."""

    path: pathlib.Path

    def write(self, name: str, text: str) -> str:
        """Writes a script and returns its relative path."""
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
        return name

    def plain(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """`python arguments…`."""
        command = [sys.executable, *arguments]
        return subprocess.run(command, cwd=self.path, capture_output=True, text=True, check=False, **options)

    def recorded(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """`python -m jax_trace_viz run arguments…`."""
        return self.plain("-m", "jax_trace_viz", "run", *arguments, **options)

    def document(self, name: str = "session.json") -> dict[str, Any]:
        """A session document that was written here."""
        return json.loads((self.path / name).read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> Folder:
    """An empty folder."""
    return Folder(tmp_path)


JITTED = """
    import jax

    @jax.jit
    def step(x):
        return x * 2

    print(step(3.0))
"""
