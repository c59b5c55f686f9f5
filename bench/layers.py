"""What each layer of the hooks adds to a trace: measured by leaving it out."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any
from unittest import mock

import jax

import jax_trace_viz
from bench import measures, model
from bench.results import Result, ratio
from jax_trace_viz.capture.bodies.watching import NoWatcher
from jax_trace_viz.capture.capture import Capture

if TYPE_CHECKING:
    from collections.abc import Generator

LAYERS = {
    "bodies": "bodies, arguments, marks",
    "dispatch": "calls of jitted functions",
    "staging": "staging traces and equations",
}
"""A seam of `capture/` → what it sees."""


@contextlib.contextmanager
def without(name: str | None) -> Generator[None]:
    """While the block lasts, recordings are made without one seam."""
    add, watcher = vars(Capture)["_add"], vars(Capture)["_watcher"]

    def adds(capture: Any, seam: str, make: Any) -> None:  # noqa: ANN401
        if seam != name:
            add(capture, seam, make)

    def watches(capture: Any, runs: Any) -> Any:  # noqa: ANN401
        return NoWatcher() if name == "bodies" else watcher(capture, runs)

    with mock.patch.object(Capture, "_add", adds), mock.patch.object(Capture, "_watcher", watches):
        yield


def recorded_seconds() -> float:
    """Processor time of the whole process, our threads included, while the model is traced under a recording."""
    with jax_trace_viz.trace():
        return process_seconds()


def seconds_until_document() -> float:
    """Processor time of the process for one recording of the model's trace, from its begin until its document is made.

    What the trace needs was made before, as it is for a plain one.
    """
    params, xs, step = model.parameters(), model.batch(), jax.jit(model.make_step())
    with measures.without_collector():
        began = time.process_time()
        with jax_trace_viz.trace() as session:
            step.trace(params, xs)
        session.document()
        return time.process_time() - began


def process_seconds() -> float:
    """Processor time of the whole process while the model is traced."""
    params, xs, step = model.parameters(), model.batch(), jax.jit(model.make_step())
    with measures.without_collector():
        began = time.process_time()
        step.trace(params, xs)
        return time.process_time() - began


def tracing(rounds: int, goal: float) -> list[Result]:
    """The model's trace with everything on, and what each layer adds: all in turns, in one run."""
    plain: list[float] = []
    seconds: dict[str | None, list[float]] = {name: [] for name in (None, *LAYERS)}
    for _ in range(rounds):
        plain.append(process_seconds())
        for name, measured in seconds.items():
            with without(name):
                measured.append(recorded_seconds())
    whole = seconds[None]
    rows = [ratio("tracing with everything on / plain, our threads counted", whole, plain, goal)]
    for name, words in LAYERS.items():
        added = (min(whole) - min(seconds[name])) / min(plain) * 100
        rows.append(Result(f"of which {words}", added, "%", note="of the plain trace; all on, less this layer off"))
    return rows
