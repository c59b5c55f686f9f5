"""A session as plain text."""

from __future__ import annotations

from jax_trace_viz.contract.environment import Environment, Outcome
from jax_trace_viz.contract.events import CallsLeftOut, EnvironmentSeen, EventsDropped
from jax_trace_viz.exports.text import FUNCTIONS, TRACES, report, summary
from jax_trace_viz.session.front_end.view import update
from tests.session.events import Program, key, leaf


def program() -> Program:
    program = Program()
    program.define(1, "train_step")
    program.define(2, "jnp_where", origin="library")
    for size in (8, 9, 10):
        program.call(key(leaf("x", size)))
    program.call(key(leaf("x", 8)), 2)
    program.session.finish(Outcome())
    return program


def test_a_summary_answers_first_then_advises_then_counts() -> None:
    verdict, findings, table = summary(update(program().session)).split("\n\n")
    assert verdict.startswith("train_step was traced 3")
    assert findings.splitlines()[0].startswith("• `train_step` was traced 2 more times because x changed shape")
    assert findings.splitlines()[1].startswith("  What usually helps: ")
    assert [line.split() for line in table.splitlines()] == [
        ["function", "calls", "traces", "hits", "compiles", "seconds"],
        ["train_step", "3", "3", "0", "3", "8.2", "s"],
    ]


def test_a_report_tells_why_each_trace_happened() -> None:
    lines = report(program().session.document()).splitlines()
    assert "train_step #1, main.py:100: first call, 2.8 s" in lines
    assert "train_step #2, main.py:100: x changed shape f32[8] → f32[9] (compared with train_step #1), 2.8 s" in lines
    assert not any("jnp_where" in line for line in lines)


def test_an_empty_session_is_one_line() -> None:
    session = Program().session
    session.finish(Outcome())
    assert summary(update(session)) == "No jitted function ran."
    assert report(session.document()) == "No jitted function ran.\n"


def test_a_report_says_what_was_not_watched() -> None:
    session = Program().session
    session.apply(EnvironmentSeen(environment=Environment(python="3.12", limited=["bodies"])))
    lines = report(session.document(Outcome())).splitlines()
    assert lines[-1] == "This recording is incomplete; not all was watched: bodies."


def test_what_is_too_much_is_counted() -> None:
    many = Program()
    for number in range(1, FUNCTIONS + 6):
        many.define(number, f"f{number}")
        many.trace(key(leaf("x", number)), number)
    for size in range(TRACES):
        many.trace(key(leaf("x", 1000 + size)))
    many.session.apply(EventsDropped(count=7))
    many.session.apply(CallsLeftOut(count=1_200))
    many.session.apply(CallsLeftOut(count=34))
    lines = report(many.session.document(Outcome())).splitlines()
    assert "and 5 more functions" in lines
    assert f"and {FUNCTIONS + 5} more traces" in lines
    assert lines[-1] == (
        "7 events were not recorded. "
        "1,234 further calls of helpers that a trace called again and again are only counted."
    )
