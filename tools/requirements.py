"""The requirements that pyproject.toml lists."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from tools.project import ROOT

if TYPE_CHECKING:
    from pathlib import Path

_OWN_EXTRAS = re.compile(r"jax-trace-viz\[(?P<extras>[\w,\- ]+)\]")


def requirements(*extras: str, pyproject: Path = ROOT / "pyproject.toml") -> list[str]:
    """List what the package needs to run, and what the named `extras` add, without repeats."""
    project: dict[str, Any] = tomllib.loads(pyproject.read_text())["project"]
    found: list[str] = list(project["dependencies"])
    for extra in extras:
        found += _expand(project["optional-dependencies"], extra)
    return list(dict.fromkeys(found))


def _expand(table: dict[str, list[str]], extra: str) -> list[str]:
    found: list[str] = []
    for requirement in table[extra]:
        own = _OWN_EXTRAS.fullmatch(requirement)
        if own is None:
            found.append(requirement)
        else:
            for name in own["extras"].split(","):
                found += _expand(table, name.strip())
    return found
