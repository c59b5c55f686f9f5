"""The counts are those of the runners' own reports."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tools import cli
from tools.results import Counts, read_counts, total

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

TESTS = """
import pytest
def test_right(): pass
def test_right_too(): pass
def test_wrong(): assert False
@pytest.fixture
def broken(): raise RuntimeError
def test_error(broken): pass
@pytest.mark.skip
def test_skipped(): pass
"""


def test_a_report_of_pytest_is_counted(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "--junitxml=report.xml", "test_some.py"]
    subprocess.run(command, cwd=tmp_path, check=False, capture_output=True)
    assert read_counts(tmp_path / "report.xml") == Counts(passed=2, failed=2, skipped=1)


def test_reports_add_up(tmp_path: Path) -> None:
    for name, inside in (("a", ""), ("b", "<failure/>"), ("c", "<skipped/>")):
        (tmp_path / f"{name}.xml").write_text(
            f"<testsuites><testsuite><testcase>{inside}</testcase></testsuite></testsuites>"
        )
    assert total(sorted(tmp_path.glob("*.xml"))) == Counts(1, 1, 1)


def test_the_closing_line() -> None:
    assert str(Counts(3, 0)) == "3 passed, 0 failed"
    assert str(Counts(3, 1, 2)) == "3 passed, 1 failed, 2 skipped"


def test_a_run_without_tests_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "RESULTS", tmp_path)
    assert cli.totals([]) == 1
    assert capsys.readouterr().out.endswith("0 passed, 0 failed\n")
    (tmp_path / "python.xml").write_text("<testsuite><testcase/></testsuite>")
    assert cli.totals([]) == 0
