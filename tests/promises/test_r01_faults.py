"""R1: an exception of our own never reaches the program.

Figures: in a seeded sample of at least 100 combinations of function × {first, middle, last call} × {RuntimeError,
TypeError, RecursionError, MemoryError, AssertionError} that were really raised, 0 reach the program and its result is
the same to the last bit; faults are told, and what is recorded nonetheless is sound in itself; no hook stays in JAX;
what fails five times is turned off and named. `make soak` has every call fail in each of the eight workloads, with one
of the types, another in each, and in a small program with all of them.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

from tests.selecting import needing
from tests.workloads.needed import NEEDED

HERE = pathlib.Path(__file__).parent
SMALL = HERE / "small_program.py"
WORKLOADS = HERE.parent / "workloads" / "programs"
SEED = 20_261_129
CACHE_ALL = {
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
}
"""Has JAX keep small programs too."""


def faulted(
    program: pathlib.Path,
    *arguments: object,
    timeout: float,
    cache: pathlib.Path | None = None,
    package: str = "capture",
) -> Any:
    """What `faulting` reports; with a folder for JAX's persistent cache, XLA is waited for in the first run only."""
    command = [sys.executable, "-m", "tests.promises.faulting", package, str(program), *map(str, arguments)]
    env = os.environ | ({"JAX_COMPILATION_CACHE_DIR": str(cache), **CACHE_ALL} if cache is not None else {})
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=timeout, env=env)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def holds(report: dict[str, Any], *, at_least: int) -> None:
    """The promise's figures."""
    assert report["same"], "recording alone has changed the result"
    assert report["wrong"] == []
    assert report["loose"] == []
    assert report["unsound"] == []
    assert report["left"] == []
    assert report["fired"] >= at_least
    assert report["told"] > 0


# The limits are there for what hangs; on a busy machine these take several times as long as on a quiet one.
@pytest.mark.timeout(900)
def test_no_fault_reaches_a_small_program() -> None:
    holds(faulted(SMALL, SEED, 260, timeout=880), at_least=100)


@pytest.mark.timeout(900)
def test_no_fault_of_the_session_reaches_a_small_program() -> None:
    holds(faulted(SMALL, SEED, 150, timeout=880, package="session"), at_least=100)


@pytest.mark.timeout(900)
def test_no_fault_beside_ipython_reaches_a_cell(tmp_path: pathlib.Path) -> None:
    env = os.environ | {"IPYTHONDIR": str(tmp_path)}
    command = [sys.executable, "-m", "tests.promises.faulting_cells"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=880, env=env)
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout.splitlines()[-1])
    assert report["wrong"] == []
    assert report["printed"] == []
    assert report["left"] == []
    assert report["fired"] >= 80


@pytest.mark.timeout(900)
@pytest.mark.parametrize("program", [needing("jraph_graphs", NEEDED["jraph_graphs"], id="jraph_graphs")])
def test_no_fault_reaches_a_workload(program: str, tmp_path: pathlib.Path) -> None:
    holds(faulted(WORKLOADS / f"{program}.py", SEED, 60, timeout=880, cache=tmp_path), at_least=20)


def test_what_fails_five_times_is_turned_off_and_named() -> None:
    seams = {"dispatching.Dispatching._begin": "dispatch", "compiling.Compiling._began": "compiles"}
    report = faulted(SMALL, "always", *seams, timeout=200)
    for function, seam in seams.items():
        told = report[function]
        assert told["same"]
        assert told["raised"] == 5
        assert [fault.partition(":")[0] for fault in told["faults"]] == [seam] * 5
        assert told["limited"] == [seam]


@pytest.mark.soak
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("program", [needing(name, packages, id=name) for name, packages in NEEDED.items()])
def test_no_fault_at_any_call_reaches_a_workload(program: str, tmp_path: pathlib.Path) -> None:
    turn = sorted(NEEDED).index(program)
    report = faulted(WORKLOADS / f"{program}.py", turn, "each", timeout=7_000, cache=tmp_path)
    holds(report, at_least=int(0.8 * report["drawn"]))


@pytest.mark.soak
@pytest.mark.timeout(7_200)
def test_no_fault_at_all_reaches_a_small_program() -> None:
    report = faulted(SMALL, SEED, "all", timeout=7_000)
    holds(report, at_least=int(0.85 * report["drawn"]))
