"""Other tools that watch the program too: they see what they see without us; marks are there, or told to be missing."""

from __future__ import annotations

import functools
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

EXACT = sys.version_info >= (3, 12)
"""Whether bodies are seen by `sys.monitoring`, which leaves room for others."""
PROGRAM = pathlib.Path(__file__).parent / "beside" / "program.py"
ROOT = PROGRAM.parents[3]
WHOLE = {
    ("step", "x"),
    ("step", "i"),
    ("step", "z"),
    *({("helper", "x"), ("helper", "y")} if EXACT else ()),
}


def ran(tool: str, when: str, *more: str, launch: tuple[str, ...] = (), **environment: str) -> dict[str, Any]:
    """What the program printed, run in a process of its own."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    given = os.environ | {"PYTHONPATH": path, "JAX_PLATFORMS": "cpu"} | environment
    command = [sys.executable, "-W", "ignore", *launch, str(PROGRAM), tool, when, *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=given, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@functools.cache
def ran_alone(tool: str) -> dict[str, Any]:
    """The same without a recording, which makes no before and after."""
    return ran(tool, "before")


def marked(told: dict[str, Any]) -> set[tuple[str, str]]:
    return {(function, name) for function, name, _ in told["marks"]}


@pytest.mark.parametrize(
    ("tool", "when"),
    [
        ("settrace", "before"),
        ("settrace", "during"),
        ("setprofile", "during"),
        ("threading", "before"),
        ("cprofile", "before"),
        ("cprofile", "during"),
        ("debugpy", "before"),
    ],
)
def test_another_tool_sees_what_it_sees_without_us(tool: str, when: str) -> None:
    if tool == "debugpy":
        pytest.importorskip("debugpy")
    alone, both = ran_alone(tool), ran(tool, when, "record")
    assert both["seen"] == alone["seen"]
    assert both["hooks"] == alone["hooks"]
    profiles = tool in ("setprofile", "threading", "cprofile")
    if profiles and not EXACT:
        # Before Python 3.12 one profiler at a time is all there is.
        assert both["limited"] == ["bodies"] or "another profiler" in both["faults"][0]
    else:
        assert (both["limited"], both["faults"]) == ([], [])
        assert both["traces"] == ["step", "step"]
        assert marked(both) == WHOLE


@pytest.mark.skipif(not EXACT, reason="sys.monitoring needs Python 3.12")
def test_where_all_monitoring_ids_are_taken_bodies_are_seen_the_older_way() -> None:
    told = ran("ids", "before", "record")
    assert told["seen"] == [True]
    assert (told["limited"], told["faults"]) == (["lines"], [])
    assert told["traces"] == ["step", "step"]
    assert marked(told) == {("step", "x"), ("step", "i"), ("step", "z")}
    assert ["not_run", 0] in told["lines"]


@pytest.mark.parametrize("core", ["ctrace", *(["sysmon"] if EXACT else [])])
def test_coverage_counts_the_same_lines(core: str, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("coverage")
    lines: list[list[int]] = []
    for more in ((), ("record",)):
        data = tmp_path / f"{len(lines)}.coverage"
        launch = ("-m", "coverage", "run", f"--data-file={data}", f"--include={PROGRAM}")
        told = ran("none", "before", *more, launch=launch, COVERAGE_CORE=core)
        report = data.with_suffix(".json")
        command = [sys.executable, "-m", "coverage", "json", f"--data-file={data}", f"-o{report}"]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        (file,) = json.loads(report.read_text())["files"].values()
        lines.append(file["executed_lines"])
    alone, both = (set(each) for each in lines)
    here = PROGRAM.read_text().splitlines()
    end = next(number for number, text in enumerate(here, 1) if text.startswith("def calls("))
    assert {line for line in both if line < end} == {line for line in alone if line < end}
    assert (told["limited"], told["faults"]) == ([], [])
    assert marked(told) == WHOLE
