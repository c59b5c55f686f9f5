"""Records the events of cases anew: `python -m tests.session.record CASE [CASE ...]`, in the root of the repository.

Each becomes a file of JSON lines beside this one, so that the session is tested on real events without running JAX.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import runpy
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import msgspec

from jax_trace_viz.outcome import outcome_of

if TYPE_CHECKING:
    from jax_trace_viz.contract.events import AnyEvent

HERE = pathlib.Path(__file__).parent
CASES = HERE.parent / "cases"


def record(case: pathlib.Path) -> None:
    """Runs one case in this process and writes what the capture told."""
    from jax_trace_viz.capture.capture import CAPTURE

    told: list[AnyEvent] = []
    begin = time.perf_counter()
    os.chdir(case)
    error: BaseException | None = None
    sink = CAPTURE.join(told.append, lambda: time.perf_counter() - begin)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path("case.py", run_name="__main__")
    except Exception as raised:  # noqa: BLE001 (the case's own)
        error = raised
    finally:
        CAPTURE.leave(sink)
    lines = [msgspec.json.encode(event) for event in told]
    target = HERE / "recordings" / f"{case.name}.jsonl"
    target.write_bytes(b"\n".join([msgspec.json.encode(outcome_of(error)), *lines, b""]))


def main() -> None:
    """Each case in a process of its own, as a user would run it."""
    for name in sys.argv[1:]:
        case = CASES / name
        truth = json.loads((case / "truth.json").read_text(encoding="utf-8"))
        command = [sys.executable, "-c", f"from tests.session.record import *; record(CASES / {name!r})"]
        subprocess.run(command, env={**os.environ, "JAX_PLATFORMS": "cpu", **truth.get("env", {})}, check=True)


if __name__ == "__main__":
    main()
