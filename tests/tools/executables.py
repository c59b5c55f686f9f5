"""Programs that stand in for those of other machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def make_executable(path: Path, script: str) -> Path:
    """Write a shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def make_browser(path: Path, says: str = "Chromium 140.0.1 built on Debian") -> Path:
    """Write a browser that can tell its version."""
    return make_executable(path, f"echo {says}")
