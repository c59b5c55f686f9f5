"""Adding up what the test runners report."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True)
class Counts:
    """How many tests ended how."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Counts) -> Counts:
        """Add two runs up."""
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        """The closing line that CI reads."""
        line = f"{self.passed} passed, {self.failed} failed"
        return f"{line}, {self.skipped} skipped" if self.skipped else line


def read_counts(report: Path, modules: tuple[str, ...] = ("",)) -> Counts:
    """Count the test cases of a report in JUnit's form, which all our runners write.

    Args:
        report: The file.
        modules: How the names of the test modules begin that count, as in `tests.capture.`.
    """
    passed = failed = skipped = 0
    # The report was written by our own runner a moment ago.
    for case in ET.parse(report).getroot().iter("testcase"):  # noqa: S314
        if not case.get("classname", "").startswith(modules):
            continue
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
    return Counts(passed, failed, skipped)


def total(reports: Iterable[Path]) -> Counts:
    """Add the reports up."""
    return sum((read_counts(report) for report in reports), Counts())
