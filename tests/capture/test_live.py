"""A run is told while it goes on: which one, from where, how far it has come."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

import jax_trace_viz
from tests.capture.told import line_of

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document, Trace

SECONDS = 60


def running(document: Document) -> dict[str, Trace]:
    """Function name → its run that has not ended."""
    names = {function.id: function.name for function in document.functions}
    return {names[trace.function]: trace for trace in document.traces if trace.status == "running"}


def test_another_thread_sees_the_run_and_its_equations_before_it_ends() -> None:
    reached, looked = threading.Event(), threading.Event()
    seen: list[Document] = []

    def inner(total, x):
        total = jnp.sin(total) + x  # staged last
        reached.set()
        assert looked.wait(SECONDS)
        return total * 2, None

    @jax.jit
    def outer(xs):
        return jax.lax.scan(inner, 0.0, xs * 2)[0]

    with jax_trace_viz.trace() as session:

        def look() -> None:
            assert reached.wait(SECONDS)
            seen.append(session.document())
            looked.set()

        thread = threading.Thread(target=look)
        thread.start()
        outer(jnp.arange(3.0))
        thread.join()
    (document,) = seen
    runs = running(document)
    assert set(runs) == {"outer", "inner"}
    assert runs["inner"].parent == runs["outer"].id
    assert runs["inner"].equations.distinct >= 2
    assert runs["inner"].at_line == line_of(__file__, "staged last")
    assert [argument.type for argument in runs["outer"].arguments] == ["f32[3]"]
    assert running(session.document()) == {}


def test_the_document_can_be_read_inside_the_traced_body() -> None:
    documents: list[Document] = []

    with jax_trace_viz.trace() as session:

        @jax.jit
        def step(x):
            y = jnp.sin(x)
            documents.append(session.document())
            return y * 2

        assert step(0.0) == 0.0
    assert set(running(documents[0])) == {"step"}
    assert session.document().faults == []


def test_reading_all_the_time_changes_nothing() -> None:
    stop = threading.Event()
    read = 0

    @jax.jit
    def step(x):
        for _ in range(300):
            x = jnp.sin(x) * 2
        return x

    expected = str(jax.make_jaxpr(step)(1.0))
    jax.clear_caches()
    with jax_trace_viz.trace() as session:

        def reading() -> None:
            nonlocal read
            while not stop.is_set():
                session.document()
                read += 1

        thread = threading.Thread(target=reading)
        thread.start()
        got = str(jax.make_jaxpr(step)(1.0))
        stop.set()
        thread.join()
    assert got == expected
    assert read > 0
    document = session.document()
    assert document.faults == []
    (trace,) = document.traces
    assert trace.equations.expanded == 600


def test_what_nobody_reads_is_formatted_once_a_second_while_jax_traces() -> None:
    seconds: list[float] = []

    @jax.jit
    def body(x):
        began = time.monotonic()
        for _ in range(2):
            before = session.own_seconds  # reading anything else would format what waits
            while session.own_seconds == before and time.monotonic() < began + SECONDS:
                time.sleep(0.01)
        seconds.append(time.monotonic() - began)
        return x * 2

    with jax_trace_viz.trace() as session:
        body(1.0)
    assert 1 <= seconds[0] < SECONDS
