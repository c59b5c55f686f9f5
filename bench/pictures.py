"""`python -m bench.pictures [--folder FOLDER] [PROGRAM …]`: how fast, how large and how busy the first pictures are.

Every program is recorded in a fresh process as a user's is. Measured is the CPU time from the jaxpr to its SVG: writing
the jaxpr as records, and drawing them for the first time. The garbage of importing and tracing is collected before, so
that a look at the whole heap of JAX, which takes 0.1 s and falls anywhere, is not counted as ours.
"""

from __future__ import annotations

import argparse
import gc
import pathlib
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import jax
import msgspec

import jax_trace_viz
from bench import programs

if TYPE_CHECKING:
    from bench.programs import Program
    from jax_trace_viz.session import Session


class Goal(msgspec.Struct):
    """The most that a picture should take: seconds, boxes, kilobytes."""

    seconds: float
    boxes: int
    kilobytes: int


GOALS: dict[str, Goal | None] = {
    "where": None,
    "newton": None,
    "conditional": None,
    "scan_gradient": None,
    "gan": None,
    "plain_mlp": None,
    "mlp_adam": Goal(0.05, 60, 70),
    "transformer": Goal(0.2, 65, 80),
    "diffrax_gradient": Goal(0.2, 65, 80),
    "unrolled": Goal(0.4, 20, 20),
    "scopes": Goal(0.8, 60, 60),
    "nested": Goal(0.2, 60, 70),
}


class Figures(msgspec.Struct):
    """What was measured of one picture."""

    equations: int
    written: float
    """Seconds for writing the jaxpr as records, which capture does while the program waits for XLA."""
    drawn: float
    """Seconds from the records to the SVG."""
    boxes: int
    kilobytes: float


def measure(name: str, folder: pathlib.Path | None) -> Figures:
    """Records and draws one program in this process; writes its picture and its session if there is a folder."""
    from jax_trace_viz.exports.svg import svg
    from jax_trace_viz.session.graph import build_graph

    program: Program = getattr(programs, name)()
    function, arguments = program
    with jax_trace_viz.trace() as session:
        traced = jax.jit(function).trace(*arguments)
    written = _writing_seconds(traced.jaxpr)
    trace = outermost(session)
    document = session.document()
    gc.collect()
    began = time.process_time()
    graph = build_graph(document, trace)
    text = svg(graph)
    drawn = time.process_time() - began
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.svg").write_text(text, encoding="utf-8")
        session.save(folder / f"{name}.json")
    boxes = sum(not box.open for box in graph.boxes)
    return Figures(graph.equations, written, drawn, boxes, len(text.encode()) / 1000)


def _writing_seconds(jaxpr: Any) -> float:  # noqa: ANN401
    from jax_trace_viz.capture.jaxprs.writer import JaxprWriter

    gc.collect()
    began = time.process_time()
    JaxprWriter().write(jaxpr)
    return time.process_time() - began


def outermost(session: Session) -> str:
    """The trace that stands for most equations."""
    return max((t for t in session.traces if t.jaxpr), key=lambda trace: trace.equations.expanded).id


def in_fresh_process(name: str, folder: pathlib.Path | None) -> Figures | None:
    """The figures, or None where a library that the program needs is not installed."""
    command = [sys.executable, "-m", "bench.pictures", "--here", name]
    command += ["--folder", str(folder)] if folder else []
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode and "ModuleNotFoundError" in run.stderr:
        return None
    if run.returncode:
        raise RuntimeError(run.stderr)
    return msgspec.json.decode(run.stdout.splitlines()[-1], type=Figures)


def row(name: str, figures: Figures | None, goal: Goal | None) -> str:
    """The line of the table; what is over its goal has a mark."""
    if figures is None:
        return f"{name:<17} needs a library that is not installed"
    f = figures
    whole = f.written + f.drawn
    seconds = _judged(f"{whole:7.3f} s", whole, goal and goal.seconds)
    boxes = _judged(f"{f.boxes:4} boxes", f.boxes, goal and goal.boxes)
    size = _judged(f"{f.kilobytes:5.0f} kB", f.kilobytes, goal and goal.kilobytes)
    return f"{name:<17} {f.equations:>17,} {seconds} ({f.written:.3f} + {f.drawn:.3f}) {boxes} {size}".rstrip()


def _judged(text: str, value: float, limit: float | None) -> str:
    if limit is None:
        return f"{text:<22}"
    return f"{text} ≤ {limit:g}{' over' if value > limit else ''}".ljust(22)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m bench.pictures", description=__doc__)
    parser.add_argument("programs", nargs="*", default=list(GOALS), metavar="PROGRAM", help=", ".join(GOALS))
    parser.add_argument("--folder", type=pathlib.Path, help="write the pictures and the session documents there")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(msgspec.json.encode(measure(options.programs[0], options.folder)).decode())
        return
    for name in options.programs:
        print(row(name, in_fresh_process(name, options.folder), GOALS[name]), flush=True)


if __name__ == "__main__":
    main()
