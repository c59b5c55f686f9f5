"""The spans of the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jax_trace_viz.session.recorded import timeline
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


def looked_at(program: Program, *looks: tuple[int, float]) -> list[tuple[int, float, float]]:
    """What is known of `f1`'s hits after some calls each, read at these moments."""
    learned = timeline.Timeline()
    for calls, now in looks:
        program.count(calls)
        learned.learn_hits(program.session.functions, now)
    return [(hits.count, hits.since, hits.until) for hits in learned.hits]


def test_hits_lie_between_two_looks(program: Program) -> None:
    assert looked_at(program, (3, 1.0), (0, 2.0), (2, 4.0)) == [(3, 0.0, 1.0), (2, 2.0, 4.0)]


def test_many_stretches_are_joined_and_none_is_lost(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeline, "HITS", 4)
    found = looked_at(program, *((1, float(now)) for now in range(1, 12)))
    assert len(found) <= 4
    assert sum(count for count, _, _ in found) == 11
    assert (found[0][1], found[-1][2]) == (0.0, 11.0)
