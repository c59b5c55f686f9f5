"""The spans of the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jax_trace_viz.session import timeline
from tests.session.events import Program, key, leaf

if TYPE_CHECKING:
    from jax_trace_viz.contract.view import Span

X = key(leaf("x", 2))


@pytest.fixture
def program() -> Program:
    program = Program()
    for number, name in ((1, "f"), (2, "g"), (3, "helper")):
        program.define(number, name)
    return program


def drawn(program: Program, now: float = 100.0) -> list[Span]:
    with program.session.reading() as state:
        return state.index(program.session.outcome).timeline.spans(now)


def test_trace_lower_and_compile_follow_each_other(program: Program) -> None:
    program.call(X)
    assert [(s.kind, s.function, s.trace, s.seconds) for s in drawn(program)] == [
        ("compile", "f1", "f1#1", 2.0),
        ("trace", "f1", "f1#1", 0.5),
        ("lower", "f1", "f1#1", 0.25),
    ]


def test_helpers_are_no_lane_and_no_level(program: Program) -> None:
    outer = program.begin(X)
    helper = program.begin(X, 3, kind="call", parent=outer.run)
    program.trace(X, 2, parent=helper.run)
    assert [(s.function, s.depth) for s in drawn(program)] == [("f1", 0), ("f2", 1)]


def test_what_is_going_on_reaches_to_now(program: Program) -> None:
    began = program.begin(X, thread="worker")
    (span,) = drawn(program, now=began.at + 7.0)
    assert (span.seconds, span.thread) == (7.0, "worker")


def test_the_longest_are_kept(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "SPANS", 2)
    for seconds in (0.1, 5.0, 0.2, 3.0):
        program.trace(key(leaf("x", int(10 * seconds))), seconds=seconds)
    assert [s.seconds for s in drawn(program)] == [5.0, 3.0]
