"""`python -m tests.promises.faulting_cells` makes each function of the Jupyter side fail while cells run.

Each fails at its first and at its last call between the loading and the unloading of the extension, each time in a
shell of its own. Prints one line of JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
from typing import Any

from tests.promises import probing

PROBES = probing.install("jax_trace_viz.jupyter")

from IPython.core.interactiveshell import InteractiveShell  # noqa: E402

from tests.capture.patches import changed, snapshot  # noqa: E402

CELLS = (
    "import jax\n@jax.jit\ndef f(x):\n    return x + 1",
    "%%jaxtrace\na, b = float(f(1.0)), float(f(jax.numpy.ones(())))\na + b",
    "%jaxtrace on\n2",
    "@jax.jit\ndef g(x):\n    return x * 2\ng(2.0); float(g(jax.numpy.ones(())))",
    "%jaxtrace status\n3",
    "%jaxtrace last\n4",
    "%%jaxtrace --function f\nraise KeyError(3)",
    "float(f(3.0))",
    "%jaxtrace off\n5",
    "1 + 1",
)
TRACEBACKS = 1
"""The program's own."""


def run(plan: dict[str, tuple[int, type[BaseException]]]) -> tuple[list[str], str]:
    """What each cell gave or raised, and all that was printed."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    printed, gave = io.StringIO(), []
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        shell.run_cell("%load_ext jax_trace_viz")
        PROBES.begin(plan)
        for cell in CELLS:
            done = shell.run_cell(cell, store_history=True)
            gave.append(f"{done.result!r} {done.error_before_exec!r} {done.error_in_exec!r}")
        PROBES.plan = {}
        shell.run_cell("%unload_ext jax_trace_viz")
    return gave, printed.getvalue()


def main() -> None:
    """See the module's docstring."""
    run({})  # what is loaded late is loaded before anything is compared
    expected, _ = run({})
    counts, before = dict(PROBES.counts), snapshot()
    report: dict[str, Any] = {"functions": len(counts), "fired": 0, "wrong": [], "printed": [], "left": []}
    for name, count in sorted(counts.items()):
        for call in sorted({1, count}):
            gave, printed = run({name: (call, RuntimeError)})
            report["fired"] += len(PROBES.raised)
            where = f"{name} {call}/{count}"
            now = snapshot()
            if gave != expected:
                report["wrong"].append([where, gave])
            if "Error in callback" in printed or printed.count("Traceback (most recent call last)") != TRACEBACKS:
                report["printed"].append([where, printed[-1500:]])
            if left := changed(before, now):
                report["left"].append([where, left])
            before = now
    print(json.dumps(report))


if __name__ == "__main__":
    main()
