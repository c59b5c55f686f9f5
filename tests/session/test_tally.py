"""A cell in a few numbers."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.cell import Tally
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.front_end.tally import tally
from jax_trace_viz.session.verdict import verdict
from tests.session.events import Program, key, leaf

X8, X9 = (key(leaf("x", size)) for size in (8, 9))


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define(name="train_step")
    return program


def told(program: Program) -> Tally:
    return tally(Evidence(program.session.document(Outcome())))


def test_nothing(program: Program) -> None:
    assert told(program) == Tally()


def test_retraces_are_counted_and_priced_as_in_the_verdict_and_one_of_the_main_cause_is_named(program: Program) -> None:
    program.trace(X8)
    program.trace(X9, seconds=5.0)
    program.trace(key(leaf("x", 9, dtype="i32")), seconds=1.0)
    found = told(program)
    assert (found.traces, found.retraces, found.seconds) == (3, 2, 6.0)
    assert "2 retraces cost 6.0 s" in verdict(program.session.document(Outcome()), "ok")
    assert found.trace == program.session.traces[1].id


def test_retraces_of_all_functions_count(program: Program) -> None:
    program.define(2, "evaluate")
    for number in (1, 2):
        program.trace(X8, number, seconds=1.0)
        program.trace(X9, number, seconds=2.0)
    assert (told(program).retraces, told(program).seconds) == (2, 4.0)


def test_without_a_retrace_all_traces_are_priced(program: Program) -> None:
    program.define(2, "evaluate")
    program.trace(X8, seconds=1.0)
    program.trace(X8, 2, seconds=3.0)
    found = told(program)
    assert (found.traces, found.retraces, found.seconds) == (2, 0, 4.0)
    assert found.trace is not None
    assert found.trace.startswith("f2")


def test_what_was_only_compiled_is_priced_too(program: Program) -> None:
    program.trace(X8, seconds=1.0)
    program.define(2, "evaluate")
    program.compile(function=2)
    assert (told(program).traces, told(program).seconds) == (1, 3.25)
