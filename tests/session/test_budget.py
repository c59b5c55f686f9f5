"""How updates are kept small."""

from __future__ import annotations

import pytest

from jax_trace_viz.contract.document import Argument
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.contract.events import Mark, RunEnded
from jax_trace_viz.session.front_end import budget, view
from jax_trace_viz.session.front_end.view import update
from tests.session.events import Program, key, leaf
from tests.session.staged import bytes_of, stage, traced


def busy(traces: int, arguments: int) -> Program:
    """A program with many traces of many arguments, each with marks and a library trace inside."""
    program = Program()
    program.define(1, "step")
    program.define(2, "library", origin="library")
    rows = [
        Argument(path=f"params['layer_{i}']['kernel']", role="traced", type="f32[128,128]") for i in range(arguments)
    ]
    for size in range(traces):
        outer = program.begin(key(leaf("x", size)), arguments=rows)
        inner = program.begin(key(leaf("x", size)), 2, parent=outer.run)
        program.end(inner)
        marks = [
            Mark(line=i, name=f"v{i}", binding="local", status="traced", value=None, type="f32[]") for i in range(20)
        ]
        program.session.apply(RunEnded(run=outer.run, seconds=0.5, error=None, marks=marks))
        stage(program, outer)
        program.compile(outer)
    program.session.finish(Outcome())
    return program


@pytest.mark.parametrize("most", [2_000_000, 500_000, 100_000, 20_000])
def test_no_update_is_larger_than_it_may_be(most: int) -> None:
    program = busy(traces=300, arguments=40)
    picture = update(program.session, max_bytes=most)
    assert bytes_of(picture) <= most
    assert picture.note.startswith("Left out to keep this small: ")
    assert "--save" in picture.note
    assert picture.verdict.startswith("step was traced 300")


def test_what_is_left_still_fits_together() -> None:
    picture = update(busy(traces=300, arguments=40).session, max_bytes=500_000)
    ids = {trace.id for trace in picture.traces}
    functions = {function.id for function in picture.functions}
    assert picture.selected in ids
    assert {trace.parent for trace in picture.traces} <= ids | {None}
    assert {trace.compared_with for trace in picture.traces} <= ids | {None}
    assert {c.trace for c in picture.compilations} <= ids | {None}
    assert {a.trace for a in picture.annotations} <= ids
    assert {trace.function for trace in picture.traces} <= functions


def test_the_newest_keep_their_details() -> None:
    picture = update(busy(traces=60, arguments=40).session)
    newest = [trace for trace in picture.traces if trace.function == "f1"][-1]
    assert len(newest.arguments) == 40
    assert "details of older traces" in picture.note
    assert picture.traces[0].arguments == []


def test_further_pictures_only_as_far_as_there_is_room() -> None:
    program = Program()
    for number in range(1, 6):
        program.define(number, f"f{number}")
        traced(program, function=number, equations=1500, seconds=float(number))
    picture = update(program.session)
    assert picture.selected == "f5#1"
    assert picture.graphs[0].trace == "f5#1"
    assert 1 <= len(picture.listings) < 5
    assert bytes_of(picture) <= 200_000
    assert picture.note == ""


def test_a_long_listing_is_cut_before_anything_is_lost_that_cannot_be_asked_for() -> None:
    program = Program()
    program.define(1, "step")
    traced(program, equations=4000)
    picture = update(program.session, max_bytes=100_000)
    (listing,) = picture.listings
    whole = view.picture_of(program.session, "f1#1")
    assert whole is not None
    assert whole.listing is not None
    assert bytes_of(picture) <= 100_000
    assert len(listing.lines) >= 200
    assert listing.lines == whole.listing.lines[: len(listing.lines)]
    assert len(listing.lines) + listing.dropped == len(whole.listing.lines) + whole.listing.dropped
    assert picture.note == ""
    assert picture.graphs


def test_the_end_of_a_listing_goes_before_the_details_of_older_traces() -> None:
    program = Program()
    program.define(1, "step")
    rows = [Argument(path=f"params[{i}]", role="traced", type="f32[128,128]") for i in range(60)]
    for size in range(budget.DETAILED + 2):
        traced(program, key(leaf("x", size)), equations=4000, arguments=rows)
    picture = update(program.session)
    assert 199_000 <= bytes_of(picture) <= 200_000
    assert [listing.dropped > 0 for listing in picture.listings] == [True]
    assert all(trace.arguments for trace in picture.traces)
    assert picture.note == ""


def test_the_words_about_what_is_left_out_take_room_too() -> None:
    whole = update(busy(traces=15, arguments=20).session)
    shorter = budget.fit(whole, [], (), typical=bytes_of(whole) - 1, most=budget.HARD_LIMIT)
    assert "details of older traces" in shorter.note
    limit = bytes_of(shorter) - 1
    assert bytes_of(budget.fit(whole, [], (), typical=limit, most=budget.HARD_LIMIT)) <= limit
