"""Building what users install: a wheel and a source distribution, both with the built frontend."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from tools.environment import variables
from tools.process import run_quietly
from tools.project import DIST

if TYPE_CHECKING:
    from pathlib import Path

    from tools.environment import Environment


def build_distributions(environment: Environment, folder: Path = DIST) -> list[Path]:
    """Build both into an emptied `folder` from the frontend as it stands, and return the files."""
    shutil.rmtree(folder, ignore_errors=True)
    run_quietly(
        [environment.python, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", folder],
        # `prepare` has built the frontend from just these sources.
        variables(environment) | {"SKIP_JUPYTER_BUILDER": "1"},
        "The distributions do not build: the words stand above.",
    )
    return sorted(folder.iterdir())
