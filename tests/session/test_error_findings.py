"""Which errors are findings, and of which trace."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.document import TraceError
from jax_trace_viz.contract.environment import Outcome
from tests.session.events import Program, key, leaf

X2 = key(leaf("x", 2))


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define(source="def f(x):\n    if x > 0:\n        return x\n")
    return program


def test_an_error_is_told_once_at_the_innermost_trace(program: Program) -> None:
    program.define(2, "outer", line=50, end_line=60)
    error = TraceError(type="TracerBoolConversionError", message="Attempted …\nmore", file="main.py", line=11)
    outer = program.begin(X2, 2)
    inner = program.begin(X2, 1, kind="call", parent=outer.run)
    program.end(inner, error=error)
    program.end(outer, error=error)
    finding = program.finding()
    assert (finding.kind, finding.function) == ("tracing_error", "f2")
    assert finding.text.startswith("Tracing `outer` stopped at line 11, `if x > 0` in `f`: ")
    assert finding.fix is not None
    assert "jnp.where" in finding.fix


def test_an_error_of_the_users_own_has_no_advice(program: Program) -> None:
    program.end(program.begin(X2), error=TraceError(type="ValueError", message="bad size"))
    assert program.finding().fix is None
    assert "ValueError: bad size" in program.finding().text


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        (Outcome(status="error", type="UnexpectedTracerError", message="leak", line=3), "leaked_tracer"),
        (Outcome(status="error", type="KeyReuseError", message="reuse", line=3), "key_reuse"),
        (
            Outcome(
                status="error", type="ValueError", message="Non-hashable static arguments are used in a jit", line=3
            ),
            "unhashable_static",
        ),
    ],
)
def test_errors_outside_of_a_trace(program: Program, outcome: Outcome, kind: str) -> None:
    program.call(X2)
    program.session.finish(outcome)
    assert program.finding().kind == kind


def test_other_errors_of_the_program_are_not_ours_to_explain(program: Program) -> None:
    program.call(X2)
    program.session.finish(Outcome(status="error", type="ZeroDivisionError", message="division by zero", line=3))
    assert program.session.findings == []


@pytest.mark.parametrize("type", ["KeyboardInterrupt", "SystemExit"])
def test_an_end_that_was_meant_is_no_finding(program: Program, type: str) -> None:
    program.end(program.begin(X2), error=TraceError(type=type, message=""))
    assert program.session.findings == []
