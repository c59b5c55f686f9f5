"""Updates: whole ones, changes, and how they are kept small."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.session.front_end import pictures, view
from jax_trace_viz.session.front_end.view import graph, update
from jax_trace_viz.session.recorded import timeline
from tests.session.events import Program, key, leaf
from tests.session.staged import X2, bytes_of, stage, traced

if TYPE_CHECKING:
    from jax_trace_viz.contract.view import Update

X3 = key(leaf("x", 3))


@pytest.fixture
def program() -> Program:
    program = Program()
    program.define(1, "cheap")
    program.define(2, "dear")
    program.define(3, "library", origin="library")
    traced(program, function=1)
    traced(program, function=2, seconds=50.0)
    traced(program, X3, function=2, seconds=50.0)
    traced(program, function=3, seconds=900.0)
    return program


def test_a_whole_picture_shows_the_costliest_function_first(program: Program) -> None:
    program.session.finish(Outcome())
    picture = update(program.session, Cell(id="c"), 4)
    assert (picture.number, picture.complete, picture.state, picture.cell.id) == (4, True, "ok", "c")
    assert [function.name for function in picture.functions] == ["dear", "cheap", "library"]
    assert picture.selected == "f2#2"
    assert [g.trace for g in picture.graphs] == ["f2#2", "f2#1", "f1#1"]
    assert [listed.trace for listed in picture.listings] == ["f2#2", "f2#1", "f1#1"]
    assert picture.verdict.startswith("dear was traced twice")
    assert len(picture.traces) == 4
    assert len(picture.spans) == 12


@pytest.mark.parametrize("name", ["cheap", "f1"])
def test_a_function_asked_for_comes_first(program: Program, name: str) -> None:
    assert update(program.session, function=name).selected == "f1#1"


def test_a_library_function_can_be_asked_for(program: Program) -> None:
    picture = update(program.session, function="library")
    assert [g.trace for g in picture.graphs] == ["f3#1", "f2#2", "f1#1"]


def test_a_function_that_was_not_traced_is_named(program: Program) -> None:
    picture = update(program.session, function="nobody")
    assert picture.selected == "f2#2"
    assert picture.note == "No function named nobody was traced; dear and cheap were."


def test_changes_since(program: Program) -> None:
    version = program.session.version
    traced(program, key(leaf("x", 4)), function=2, seconds=1.0)
    picture = update(program.session, since=version)
    assert not picture.complete
    assert [trace.id for trace in picture.traces] == ["f2#3"]
    assert [function.name for function in picture.functions] == ["dear"]
    assert [c.trace for c in picture.compilations] == ["f2#3"]
    assert [g.trace for g in picture.graphs] == ["f2#3"]
    assert picture.findings != []


def test_nothing_changed(program: Program) -> None:
    picture = update(program.session, since=program.session.version)
    assert (picture.functions, picture.traces, picture.graphs, picture.listings) == ([], [], [], [])


def test_older_traces_of_the_function_shown_first_are_pictured_too(program: Program) -> None:
    for size in (4, 5, 6):
        traced(program, key(leaf("x", size)), function=2)
    picture = update(program.session)
    assert [g.trace for g in picture.graphs] == ["f2#5", "f2#4", "f2#3", "f2#2", "f1#1"]
    assert [listed.trace for listed in picture.listings] == [g.trace for g in picture.graphs]
    oldest = graph(program.session, "f2#1")
    assert oldest is not None
    assert oldest.equations == 2


def test_a_picture_too_large_leaves_its_room_to_the_next(program: Program) -> None:
    traced(program, key(leaf("x", 4)), function=2, equations=1500)
    traced(program, key(leaf("x", 5)), function=2)
    picture = update(program.session, max_bytes=40_000)
    assert [g.trace for g in picture.graphs] == ["f2#4", "f2#2", "f2#1", "f1#1"]
    assert bytes_of(picture) <= 40_000
    assert picture.note == ""


def test_an_update_costs_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python calls are counted, so that the machine's load does not matter."""
    monkeypatch.setattr(timeline, "SPANS", 20)
    program = Program()
    program.define(1, "step")

    def costs(traces: int) -> int:
        for _ in range(traces):
            began = program.trace(key(leaf("x", len(program.session.traces))))
            program.compile(began)
        update(program.session, since=0)
        version = program.session.version
        traced(program, X2, function=1)
        calls = 0

        def count(_: object, event: str, __: object) -> None:
            nonlocal calls
            calls += event == "call"

        sys.setprofile(count)
        try:
            update(program.session, since=version)
        finally:
            sys.setprofile(None)
        return calls

    few = costs(60)
    assert costs(400) < 1.2 * few


def test_a_large_graph_waits_for_the_end(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "LIVE_EQUATIONS", 5)
    version = program.session.version
    traced(program, key(leaf("x", 4)), function=2, equations=6, seconds=1.0)
    assert update(program.session, since=version).graphs == []
    assert update(program.session).graphs != []


def test_a_trace_is_drawn_while_it_grows(program: Program) -> None:
    version = program.session.version
    outer = program.begin(X2, 1)
    program.begin(X3, 2, parent=outer.run)
    for equations in (1, 3):
        stage(program, outer, equations)
        picture = update(program.session, since=version)
        assert picture.selected == "f1#2", "the outermost that is going on, whatever others have cost"
        assert [g.equations for g in picture.graphs] == [equations]
        assert [len(listed.lines) for listed in picture.listings] == [equations + 2]
        version = program.session.version
    program.end(outer)


def merged(updates: list[Update]) -> dict[str, dict[str, object]]:
    tables: dict[str, dict[str, object]] = {"functions": {}, "traces": {}, "compilations": {}}
    for each in updates:
        for name, table in tables.items():
            table.update({record.id: record for record in getattr(each, name)})
    return tables


def test_changes_add_up_to_the_whole() -> None:
    program = Program()
    program.define()
    updates: list[Update] = []
    version = 0
    for size in range(6):
        began = program.begin(key(leaf("x", size)))
        read = program.session.version
        updates.append(update(program.session, since=version))
        version = read
        program.end(began)
        program.compile(began)
    updates.append(update(program.session, since=version))
    assert merged(updates) == merged([update(program.session)])


def test_an_empty_session() -> None:
    picture = update(Program().session)
    assert (picture.state, picture.selected, picture.graphs) == ("running", None, [])


def test_a_graph_with_open_boxes(program: Program) -> None:
    drawn = graph(program.session, "f2#2", ["no such box"])
    assert drawn is not None
    assert drawn.trace == "f2#2"
    assert graph(program.session, "f9#9") is None


def test_a_graph_that_cannot_be_drawn_takes_nothing_else_along(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("no width")

    monkeypatch.setattr(pictures, "build_graph", broken)
    picture = update(program.session)
    assert picture.graphs == []
    assert len(picture.listings) == 3
    assert picture.faults == [
        "graph of f2#2: ZeroDivisionError: no width",
        "graph of f2#1: ZeroDivisionError: no width",
        "graph of f1#1: ZeroDivisionError: no width",
    ]


def test_any_trace_can_be_pictured_and_compared(program: Program) -> None:
    traced(program, X2, function=2, equations=5)
    program.trace(key(leaf("x", 9)), 2)  # still running: it has no jaxpr yet
    first = view.picture_of(program.session, "f2#1")
    assert first is not None
    assert first.graph is not None
    assert first.listing is not None
    assert (first.graph.trace, len(first.listing.lines)) == ("f2#1", 4)

    retraced = view.compare(program.session, "f2#2")
    assert retraced is not None
    assert (retraced.before, retraced.after, retraced.same) == ("f2#1", "f2#2", 2)
    chosen = view.compare(program.session, "f2#3", "f2#2")
    assert chosen is not None
    assert (chosen.before, chosen.added, chosen.same) == ("f2#2", 3, 2)

    assert view.picture_of(program.session, "f9#1") is None
    assert view.compare(program.session, "f2#1") is None, "a first trace was compared with none"
    assert view.compare(program.session, "f2#4", "f2#1") is None
