"""Which other versions of JAX are run, on which Python, and what is said of the rest."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jax_trace_viz.session.verdict import KNOWN_JAX
from tests.tools.executables import make_executable
from tools import compat
from tools.compat import TARGETS, Target, find_interpreter, matches, run_target
from tools.compatibility import PAGE, Row, page
from tools.project import ROOT
from tools.results import Counts

OWN_MINOR = f"{sys.version_info.major}.{sys.version_info.minor}"
REPORT = """<testsuites><testsuite>
<testcase classname="tests.capture.test_eager" name="one"/>
<testcase classname="tests.capture.test_eager" name="two"><failure/></testcase>
<testcase classname="tests.cases.test_cases" name="three"/>
<testcase classname="tests.cases.test_cases" name="four"><skipped/></testcase>
<testcase classname="tests.session.test_keys" name="another"/>
</testsuite></testsuites>"""
NOWHERE = Target("0.6.2", ("3.99",), (), ("tests/capture",))


@pytest.mark.parametrize(
    ("version", "wanted", "expected"),
    [("0.12.0.1", "0.12.*", True), ("0.12", "0.12.*", False), ("0.1.2", "0.12.*", False), ("0.6.2", "0.6.2", True)],
)
def test_versions_match(version: str, wanted: str, expected: bool) -> None:
    assert matches(version, wanted) is expected


def test_what_make_test_covers_is_not_run_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compat, "RESULTS", tmp_path)
    (tmp_path / "python.xml").write_text(REPORT)
    (target,) = [one for one in TARGETS if one.jax == "0.10.2"]
    status, row = run_target(target, ("0.10.2", "3.11"), Path("unused.whl"), [])
    assert (status, row.jax, row.python, row.counts) == (0, "0.10.2", "3.11", Counts(passed=2, failed=1, skipped=1))
    assert capsys.readouterr().out == "→ JAX 0.10.2: COVERED, `make test` runs JAX 0.10.2 on Python 3.11\n"


def test_a_missing_python_gets_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, row = run_target(NOWHERE, ("0.10.2", "3.11"), Path("unused.whl"), [])
    assert (status, row.counts) == (0, None)
    assert capsys.readouterr().out == "→ JAX 0.6.2: SKIPPED, there is no Python 3.99 here\n"


def test_the_page_says_how_each_version_ended() -> None:
    ran = Row("0.12.0.1", "3.12", ("tests/capture", "tests/cases"), Counts(passed=300, failed=1, skipped=4))
    text = page([Row("0.6.2", "3.11", ("tests/capture",), None), ran], "Linux x86_64")
    assert "| 0.6.2 | 3.11 | `tests/capture` | not run | |  |\n" in text
    assert "| 0.12.0.1 | 3.12 | `tests/capture`, `tests/cases` | 300 | 1 | 4 |\n" in text
    assert text.endswith("\nRun on Linux x86_64, on the CPU.\n")


def test_the_page_in_the_docs_names_what_is_run_every_time_and_no_failure() -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.read_text(encoding="utf-8").splitlines()]
    ended = {row[0]: row[3:] for row in rows if len(row) == 6 and row[0][:1].isdigit()}
    for target in TARGETS:
        named = [counts for version, counts in ended.items() if matches(version, target.jax)]
        assert named or not target.always, f"{target.jax}: run `make compat ARGS=--all`"
    assert all(int(passed) > 0 and int(failed) == 0 for passed, failed, _ in ended.values())


def test_whoever_names_the_versions_names_those_that_are_run() -> None:
    oldest, newest = TARGETS[0].jax, TARGETS[-1].jax.removesuffix(".*")
    assert f"{oldest} to {newest}" == KNOWN_JAX
    assert f"- Tested: JAX {oldest} to {newest} " in (ROOT / "README.md").read_text()
    assert f'"jax>={oldest}"' in (ROOT / "pyproject.toml").read_text()


def test_a_shim_that_stands_for_nothing_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compat.sys, "base_prefix", str(tmp_path / "elsewhere" / "none"))
    make_executable(tmp_path / "bin" / f"python{OWN_MINOR}", "echo command not found >&2; exit 127")
    env = {"PATH": str(tmp_path / "bin"), "PYENV_ROOT": str(tmp_path / "pyenv")}
    assert find_interpreter([OWN_MINOR], env) is None

    real = tmp_path / "pyenv" / "versions" / f"{OWN_MINOR}.1" / "bin" / f"python{OWN_MINOR}"
    make_executable(real, f'exec {sys.executable} "$@"')
    found = find_interpreter(["3.99", OWN_MINOR], env)
    assert found is not None
    assert found.minor == OWN_MINOR


def test_an_impostor_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compat.sys, "base_prefix", str(tmp_path / "elsewhere" / "none"))
    make_executable(tmp_path / "python3.99", f'exec {sys.executable} "$@"')
    assert find_interpreter(["3.99"], {"PATH": str(tmp_path)}) is None
