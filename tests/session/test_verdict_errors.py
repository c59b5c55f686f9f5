"""The verdict on a program that an exception ended: what stopped it, and where."""

from __future__ import annotations

from jax_trace_viz.contract.document import TraceError
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.session.verdict import verdict
from tests.session.events import Program, key, leaf

X8, X9 = (key(leaf("x", size)) for size in (8, 9))


def said(program: Program, outcome: Outcome) -> str:
    return verdict(program.session.document(outcome), "error")


def test_an_error_while_tracing(program: Program) -> None:
    error = TraceError(type="TypeError", message="no such shape\ndetails", file="main.py", line=12)
    program.end(program.begin(X8), error=error)
    outcome = Outcome(status="error", type="TypeError", message="no such shape", line=12)
    assert said(program, outcome) == "Tracing f stopped at line 12: TypeError: no such shape"


def test_an_error_of_jax_is_explained(program: Program) -> None:
    error = TraceError(type="TracerBoolConversionError", message="Attempted …", file="main.py", line=12)
    program.end(program.begin(X8), error=error)
    outcome = Outcome(status="error", type=error.type, message="Attempted …", file="main.py", line=12)
    assert said(program, outcome) == (
        "Tracing f stopped at line 12: Python needs a value, which is traced (TracerBoolConversionError)."
    )


def test_an_error_without_a_message(program: Program) -> None:
    program.end(program.begin(X8), error=TraceError(type="KeyboardInterrupt", message="  ", line=12))
    outcome = Outcome(status="error", type="KeyboardInterrupt", message="", line=12)
    assert said(program, outcome) == "Tracing f stopped at line 12: KeyboardInterrupt"


def test_an_error_elsewhere(program: Program) -> None:
    program.call(X8)
    outcome = Outcome(status="error", type="KeyError", message="'w'", line=3)
    assert said(program, outcome) == "The program stopped at line 3: KeyError: 'w'"
    program.call(X9)
    assert said(program, outcome).startswith(
        "The program stopped at line 3: KeyError: 'w'. f was traced twice: 1 retrace cost"
    )
    asked = Outcome(status="error", type="ValueError", message="Is it 8?", line=3)
    assert "ValueError: Is it 8? f was traced" in said(program, asked)


def test_errors_without_a_line(program: Program) -> None:
    outcome = Outcome(status="error", type="KeyError", message="'w'")
    assert said(program, outcome) == "The program stopped: KeyError: 'w'"
    assert said(program, Outcome(status="error")) == "The program stopped: an error"
    program.end(program.begin(X8), error=TraceError(type="KeyError", message="'w'"))
    assert said(program, outcome) == "Tracing f stopped: KeyError: 'w'"


def test_an_error_that_ended_a_trace_is_not_the_one_that_ended_the_program(program: Program) -> None:
    program.end(program.begin(X8), error=TraceError(type="TypeError", message="caught"))
    outcome = Outcome(status="error", type="KeyError", message="'w'", line=3)
    assert said(program, outcome) == "The program stopped at line 3: KeyError: 'w'"
