"""The verdict answers first, in words."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.document import Outcome, TraceError
from jax_trace_viz.contract.events import RunAdvanced
from jax_trace_viz.session.verdict import is_notable, verdict
from tests.session.events import Program, key, leaf

X8, X9, X10 = (key(leaf("x", size)) for size in (8, 9, 10))


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define(name="train_step")
    return program


def said(program: Program, outcome: Outcome | None = None) -> str:
    return verdict(program.session.document(outcome or Outcome()), "ok")


def test_retraces_with_cost_and_cause(program: Program) -> None:
    for each in (X8, X9, X10):
        program.call(each)
    assert said(program) == (
        "train_step was traced 3×: 2 retraces cost 5.5 s. Cause: x changed shape f32[8] → f32[9] → f32[10]."
    )


def test_the_costliest_function_is_named_and_the_others_counted(program: Program) -> None:
    program.define(2, "evaluate")
    for number, seconds in ((1, 1.0), (2, 9.0)):
        program.trace(X8, number)
        program.trace(X9, number, seconds=seconds)
    assert said(program).startswith("evaluate was traced twice: 1 retrace cost 9.0 s.")
    assert said(program).endswith("1 other function was retraced.")


def test_several_causes(program: Program) -> None:
    program.trace(X8)
    program.trace(X9, seconds=1.0)
    program.trace(key(leaf("x", 9, dtype="i32")), seconds=5.0)
    assert "Main cause: x changed dtype f32[9] → i32[9], and 1 more cause." in said(program)


def test_one_trace(program: Program) -> None:
    program.call(X8)
    program.count(11)
    assert said(program) == "train_step was traced once, compiled once (2.8 s); 11 calls were cache hits."


def test_several_functions(program: Program) -> None:
    program.define(2, "evaluate")
    program.call(X8)
    program.call(X8, 2)
    assert said(program) == "2 functions were traced, none retraced (5.5 s); train_step cost most."


def test_only_hits(program: Program) -> None:
    program.count(1)
    assert said(program) == "The only call was a cache hit: nothing was traced."
    program.count(11)
    assert said(program) == "All 12 calls were cache hits: nothing was traced."


def test_compiled_again_without_a_trace(program: Program) -> None:
    def on(device: str) -> object:
        return key(leaf("x", 8, placement=device, committed=True))

    program.compile(program.trace(on("cpu:0")))
    program.compile(None, key=on("cpu:1"))
    assert said(program).endswith(
        "Compiled again without a trace: x changed sharding or device cpu:0, committed → cpu:1, committed."
    )


def test_traces_that_were_asked_for_are_no_retraces(program: Program) -> None:
    program.call(X8)
    program.trace(X9, entry="make_jaxpr")
    program.trace(X10, entry="aot_lower")
    assert said(program) == "train_step was traced 3×, compiled once (3.8 s)."
    assert not is_notable(program.session.document(Outcome()))
    program.define(2, "evaluate")
    program.call(X8, 2)
    assert said(program) == "2 functions were traced (6.5 s); train_step cost most."


def test_nothing_jitted() -> None:
    program = Program()
    assert said(program) == "No jitted function ran."
    program.define(1, "add", origin="library")
    program.compile()
    assert said(program) == "No jitted function of yours ran; JAX compiled 1 operation one by one (2.2 s)."


def test_a_body_without_jit(program: Program) -> None:
    for _ in range(4):
        program.trace(X8, kind="grad")
    assert said(program) == "train_step was traced 4×: outside jit nothing keeps a trace."


def test_an_error_while_tracing(program: Program) -> None:
    error = TraceError(type="TypeError", message="no such shape\ndetails", file="main.py", line=12)
    program.end(program.begin(X8), error=error)
    outcome = Outcome(status="error", type="TypeError", message="no such shape", line=12)
    assert said(program, outcome) == "Tracing train_step stopped at line 12: TypeError: no such shape"


def test_an_error_without_a_message(program: Program) -> None:
    program.end(program.begin(X8), error=TraceError(type="KeyboardInterrupt", message="  ", line=12))
    outcome = Outcome(status="error", type="KeyboardInterrupt", message="", line=12)
    assert said(program, outcome) == "Tracing train_step stopped at line 12: KeyboardInterrupt"


def test_an_error_elsewhere(program: Program) -> None:
    program.call(X8)
    outcome = Outcome(status="error", type="KeyError", message="'w'", line=3)
    assert said(program, outcome) == "The program stopped at line 3: KeyError: 'w'"
    program.call(X9)
    assert "1 retrace cost" in said(program, outcome)


def test_while_it_runs(program: Program) -> None:
    program.call(X8)
    began = program.begin(X9)
    program.session.apply(RunAdvanced(run=began.run, equations=31, line=12))
    document = program.session.document()
    text = verdict(document, "running", 1.25)
    assert text == "Recording · 2 traces · 1 retrace · 1.2 s · tracing train_step: 31 equations"


def test_what_speaks_up_unasked(program: Program) -> None:
    program.call(X8)
    program.count(5)
    assert not is_notable(program.session.document(Outcome()))
    assert is_notable(program.session.document(Outcome(status="error", type="KeyError")))
    program.call(X9)
    assert is_notable(program.session.document(Outcome()))
