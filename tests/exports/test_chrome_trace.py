"""The timeline in the form that Perfetto reads."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jax_trace_viz.exports import chrome_trace
from tests.session.events import Program, key, leaf


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define(1, "outer")
    program.define(2, "inner")
    outer = program.begin(key(leaf("x", 2)), 1)
    program.trace(key(leaf("y", 2)), 2, parent=outer.run)
    program.end(outer)
    program.call(key(leaf("x", 3)), 1)
    return program


def events(program: Program, phase: str) -> list[dict[str, Any]]:
    written = json.loads(chrome_trace.text(program.session.document()))
    return [event for event in written["traceEvents"] if event["ph"] == phase]


def test_each_stretch_of_the_session_is_a_span_in_microseconds(program: Program) -> None:
    document, spans = program.session.document(), events(program, "X")
    traces = {event["args"]["trace"]: event for event in spans if event["cat"] == "trace"}
    assert set(traces) == {trace.id for trace in document.traces}
    for trace in document.traces:
        event = traces[trace.id]
        assert (event["ts"], event["dur"]) == pytest.approx((trace.started * 1e6, trace.seconds * 1e6))
    assert [event["name"] for event in spans if event["cat"] == "compile"] == ["compile outer"]
    assert [event["name"] for event in spans if event["cat"] == "lower"] == ["lower outer"]
    (retrace,) = (event for name, event in traces.items() if name == "f1#2")
    assert retrace["args"]["why"] == ["x changed shape f32[2] → f32[3]"]


def test_spans_of_one_thread_nest(program: Program) -> None:
    open_until: list[float] = []
    for event in events(program, "X"):
        while open_until and open_until[-1] <= event["ts"] + 1e-6:
            open_until.pop()
        end = event["ts"] + event["dur"]
        assert not open_until or end <= open_until[-1] + 1e-6
        open_until.append(end)


def test_threads_have_names(program: Program) -> None:
    names = {event["args"]["name"] for event in events(program, "M")}
    assert names == {"JAX tracing", *(trace.thread for trace in program.session.document().traces)}
