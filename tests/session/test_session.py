"""Totals, ids, changes and threads of a session."""

from __future__ import annotations

import threading

import msgspec

from jax_trace_viz.contract.document import Constant, Document, EquationCount, TraceError
from jax_trace_viz.contract.environment import Device, Environment, Outcome
from jax_trace_viz.contract.events import (
    EnvironmentSeen,
    EventsDropped,
    Fault,
    JaxprSeen,
    Mark,
    RunAdvanced,
    RunEnded,
    RunFailed,
    RunStaged,
)
from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr
from jax_trace_viz.session import Session
from tests.session.events import Program, key, leaf

A = key(leaf("x", 2))


def test_totals_are_what_is_listed(program: Program) -> None:
    program.call(A)
    program.call(key(leaf("x", 3)))
    program.count(8)
    (function,) = program.session.functions
    assert (function.calls, function.traces, function.cache_hits, function.compiles) == (10, 2, 8, 2)
    assert function.seconds == msgspec.structs.replace(function.seconds, trace=1.0, lower=0.5, compile=4.0)


def test_a_body_that_no_call_ran_takes_no_hit_away(program: Program) -> None:
    program.trace(A, kind="vmap")
    program.trace(A, kind="vmap")
    program.call(A)
    program.count(3)
    (function,) = program.session.functions
    assert (function.calls, function.traces, function.cache_hits) == (4, 3, 3)


def test_ids_follow_the_order_of_appearance() -> None:
    program = Program()
    program.define(7, "late")
    program.define(3, "early")
    program.trace(A, 3)
    program.trace(A, 7)
    assert [(f.id, f.name) for f in program.session.functions] == [("f1", "late"), ("f2", "early")]
    assert [t.id for t in program.session.traces] == ["f2#1", "f1#1"]


def test_a_nested_trace_of_the_same_function_is_not_paid_twice(program: Program) -> None:
    program.define(2, "g")
    outer = program.begin(A)
    middle = program.begin(A, 2, parent=outer.run)
    program.trace(key(leaf("x", 9)), parent=middle.run, seconds=1.0)
    program.end(middle, 2.0)
    program.end(outer, 4.0)
    f, g = program.session.functions
    assert (f.seconds.trace, g.seconds.trace) == (4.0, 2.0)
    assert [t.parent for t in program.session.traces] == [None, "f1#1", "f2#1"]


def test_a_running_trace_tells_how_far_it_is(program: Program) -> None:
    began = program.begin(A)
    program.session.apply(RunAdvanced(run=began.run, equations=7, line=12))
    (trace,) = program.session.traces
    assert (trace.status, trace.equations.distinct, trace.at_line) == ("running", 7, 12)
    program.end(began)
    (trace,) = program.session.traces
    assert (trace.status, trace.at_line) == ("ok", None)


def test_what_a_run_leaves_behind(program: Program) -> None:
    began = program.begin(A)
    mark = Mark(line=12, name="x", binding="parameter", status="traced", value=None, type="f32[2]")
    program.session.apply(RunEnded(run=began.run, seconds=0.5, error=None, marks=[mark]))
    constant = Constant(name="w", source="global", type="f32[4]", bytes=16)
    equations = EquationCount(distinct=3, expanded=30)
    program.session.apply(RunStaged(run=began.run, jaxpr="j1", equations=equations, constants=[constant]))
    (trace,), (annotation,) = program.session.traces, program.session.annotations
    assert (trace.jaxpr, trace.equations, trace.constants) == ("j1", equations, [constant])
    assert (annotation.trace, annotation.file, annotation.name) == ("f1#1", "main.py", "x")


def test_errors_end_traces(program: Program) -> None:
    error = TraceError(type="TypeError", message="no", file="main.py", line=12)
    program.end(program.begin(A), error=error)
    began = program.trace(key(leaf("x", 3)))
    leak = TraceError(type="UnexpectedTracerError", message="leaked")
    program.session.apply(RunFailed(run=began.run, error=leak))
    assert [(t.status, t.error) for t in program.session.traces] == [("error", error), ("error", leak)]


def test_frames_and_jaxprs_are_kept_in_place(program: Program) -> None:
    def frame(line: int) -> Frame:
        return Frame(
            file="main.py", function="f", line=line, end_line=line, column=0, end_column=1, parent=None, origin="user"
        )

    def jaxpr(name: str) -> Jaxpr:
        equation = Equation(primitive="sin", inputs=[0], outputs=[1], frame=0)
        return Jaxpr(id=name, inputs=[0], outputs=[1], constants=[], types=["f32[]"] * 2, equations=[equation])

    program.session.apply(JaxprSeen(jaxpr=jaxpr("j1"), frames=[frame(1), frame(2)], first_frame=0))
    program.session.apply(JaxprSeen(jaxpr=jaxpr("j2"), frames=[frame(9)], first_frame=4))
    assert [f.line for f in program.session.frames] == [1, 2, 0, 0, 9], "dropped frames leave their places"
    assert list(program.session.jaxprs) == ["j1", "j2"]


def test_the_environment_may_change() -> None:
    session = Session()
    assert session.document().environment.python.startswith("3.")
    device = Device(id=0, platform="cpu", kind="cpu")
    session.apply(EnvironmentSeen(environment=Environment(python="3.12", jax="1.0", platform="cpu", devices=[device])))
    assert session.document().environment.platform == "cpu"


def test_what_was_dropped_and_what_failed_is_told() -> None:
    session = Session()
    session.apply(EventsDropped(count=3))
    session.apply(EventsDropped(count=4))
    session.apply(Fault(seam="keys", text="ValueError"))
    document = session.document()
    assert (document.dropped.events, document.faults) == (7, ["keys: ValueError"])


def test_events_about_what_was_dropped_are_passed_over() -> None:
    program = Program()
    began = program.trace(A, function=9)
    program.compile(None, function=9)
    program.count(3, function=9)
    program.session.apply(RunStaged(run=began.run, jaxpr=None, equations=EquationCount(), constants=[]))
    program.session.apply(RunAdvanced(run=99, equations=1, line=None))
    program.session.apply(RunFailed(run=99, error=TraceError(type="E", message="")))
    document = program.session.document()
    assert (document.functions, document.traces, document.compilations) == ([], [], [])


def test_the_outcome_is_running_until_the_program_ends() -> None:
    session = Session()
    assert session.document().outcome.status == "running"
    assert session.document(Outcome()).outcome.status == "ok"
    session.finish(Outcome(status="error", type="ValueError"))
    assert session.document().outcome.type == "ValueError"
    assert session.seconds == session.seconds, "time stands still after the end"


def test_what_changed_since(program: Program) -> None:
    program.trace(A)
    version = program.session.version
    program.trace(key(leaf("x", 3)))
    with program.session.reading() as state:
        assert [t.id for t in state.traces.records.since(version)] == ["f1#2"]
        assert [f.id for f in state.functions.records.since(version)] == ["f1"]
        assert state.traces.records.since(program.session.version) == []
        assert len(state.traces.records.since(0)) == 2


def test_reading_brings_in_what_waits() -> None:
    waiting = [EventsDropped(count=5)]
    session = Session(refresh=lambda: session.apply(waiting.pop()) if waiting else None)
    assert session.document().dropped.events == 5


def test_a_document_survives_the_way_through_a_file(program: Program) -> None:
    program.call(A)
    document = program.session.document()
    assert msgspec.json.decode(msgspec.json.encode(document), type=Document) == document


def test_many_threads_lose_nothing() -> None:
    session = Session()
    first = Program(session)
    first.define()
    errors: list[Exception] = []

    def work(thread: int) -> None:
        program = Program(session)
        program._runs = iter(range(thread * 1000, (thread + 1) * 1000))
        program._dispatches = iter(range(thread * 1000, (thread + 1) * 1000))
        try:
            for size in range(50):
                program.call(key(leaf("x", thread, size)))
                session.document()
        except Exception as error:  # noqa: BLE001 (a thread's error would be lost)
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    (function,) = session.functions
    assert (function.traces, function.compiles, function.calls) == (400, 400, 400)
    assert len({trace.id for trace in session.traces}) == 400
    assert {c.trace for c in session.compilations} == {t.id for t in session.traces}
