"""The page that says what was run on which version of JAX."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools.project import ROOT
from tools.results import read_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tools.results import Counts

PAGE = ROOT / "docs" / "compatibility.md"

_HEAD = """# Versions of JAX

Written by `make compat ARGS=--all` from what it ran.

These tests run real JAX: every public transformation, what is hooked, and the truth of every case about tracing. What
is skipped needs a library or a Python that this version does not go with; each report says which.

"""


@dataclass(frozen=True)
class Row:
    """What became of one version.

    Attributes:
        jax: The version, exact where it was run.
        python: The version, or those that would have done.
        tests: What was to be run.
        counts: How it ended; None where it was not run.
    """

    jax: str
    python: str
    tests: tuple[str, ...]
    counts: Counts | None


def page(rows: Iterable[Row], system: str) -> str:
    """The page's text.

    Args:
        rows: The versions, the oldest first.
        system: Where they were run, as in `Linux x86_64`.
    """
    lines = ["| JAX | Python | tests | passed | failed | skipped |", "| --- | --- | --- | ---: | ---: | ---: |"]
    for row in rows:
        counts = row.counts
        ended = f"{counts.passed} | {counts.failed} | {counts.skipped}" if counts else "not run | | "
        lines.append(f"| {row.jax} | {row.python} | {', '.join(f'`{test}`' for test in row.tests)} | {ended} |")
    return _HEAD + "\n".join(lines) + f"\n\nRun on {system}, on the CPU.\n"


def write(rows: Iterable[Row]) -> None:
    """Writes the page."""
    PAGE.write_text(page(rows, f"{platform.system()} {platform.machine()}"), encoding="utf-8")


def counted(report: Path, tests: Sequence[str]) -> Counts | None:
    """What a report says of the tests in these folders; None where there is no report of them."""
    if not report.exists():
        return None
    counts = read_counts(report, tuple(test.replace("/", ".") + "." for test in tests))
    return counts if counts.passed or counts.failed else None
