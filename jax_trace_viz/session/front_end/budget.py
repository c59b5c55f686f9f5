"""Keeps updates small, for the notebook file and for the wire: the least telling goes first, and is named."""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.contract.encoding import encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from jax_trace_viz.contract.document import Trace
    from jax_trace_viz.contract.expression import Expressions
    from jax_trace_viz.contract.listing import Listing
    from jax_trace_viz.contract.view import Update
    from jax_trace_viz.session.front_end.pictures import Picture

TYPICAL = 200_000
"""Bytes of JSON that a saved cell should not exceed without need."""

HARD_LIMIT = 2_000_000
"""Bytes of JSON that a saved cell never exceeds."""

DETAILED = 10
"""Newest traces of a function that keep their arguments, constants and annotations when room is short."""

KEPT = 500
"""Newest traces that stay when room is very short, the same number for each function."""

SHORT_LISTING = 200
"""Lines of a listing that stay as long as anything else can be given up,"""
SHORTEST_LISTING = 50
"""and those that stay with the listing itself. The others can be asked for while the kernel lives."""


_COMMA = 1
"""Byte between two lines of a listing."""

_SAID_THERE = ""
"""The end of a listing needs no word in the note: the listing says how many lines it lacks, and asks for them."""


def fit(update: Update, pictures: Sequence[Picture], library: Collection[str], *, typical: int, most: int) -> Update:
    """Add the pictures for which there is room, the first before all others, and cut what exceeds `most` bytes.

    `library` holds the ids of the functions that are not the user's.
    """
    if pictures:
        update = _with(update, pictures[0])
    note = update.note
    left_out: list[str] = []
    for what, shorten, limit in _steps(library, min(typical, most), most):
        if _size(update) <= limit:
            continue
        shorter = shorten(update)
        if shorter != update:
            left_out += [what] if what else []
            update = replace(shorter, note=_note(note, left_out))  # its words take room too
    return _add_pictures(update, pictures[1:], min(typical, most))


def _size(value: object) -> int:
    return len(encoded(value))


def _steps(library: Collection[str], typical: int, most: int) -> list[tuple[str, Callable[[Update], Update], int]]:
    """What is given up, in this order, each as long as the update is larger than its limit."""
    return [
        ("traces of library functions", lambda update: _without_library(update, library), typical),
        (_SAID_THERE, lambda update: _with_shorter_listing(update, typical, SHORT_LISTING), typical),
        ("details of older traces", _without_old_details, typical),
        ("the arguments of traces that are not shown first", _without_other_arguments, typical),
        (_SAID_THERE, lambda update: _with_shorter_listing(update, typical, SHORTEST_LISTING), typical),
        ("older traces", _without_old_traces, min(3 * typical, most)),
        ("the graph", lambda update: replace(update, graphs=[]), most),
        ("all details of traces", _without_details, most),
        ("the compilations", lambda update: replace(update, compilations=[]), most),
        ("the timeline", lambda update: replace(update, spans=[]), most),
        ("the traces", lambda update: replace(update, traces=[], listings=[], selected=None), most),
        ("all functions but the first hundred", lambda update: replace(update, functions=update.functions[:100]), most),
    ]


def _note(note: str, left_out: list[str]) -> str:
    if not left_out:
        return note
    what = ", ".join(dict.fromkeys(left_out))
    words = f"Left out to keep this small: {what}. A saved session (`--save FILE`) holds everything."
    return f"{note} {words}".strip()


def _with(update: Update, picture: Picture) -> Update:
    return replace(
        update,
        graphs=[*update.graphs, *([picture.graph] if picture.graph else [])],
        listings=[*update.listings, *([picture.listing] if picture.listing else [])],
        faults=[*update.faults, *picture.faults],
    )


def _add_pictures(update: Update, pictures: Sequence[Picture], limit: int) -> Update:
    """Further pictures can be asked for while the kernel lives, so it needs no word where there is no room for them."""
    size = _size(update)
    for picture in pictures:
        needed = _size(picture)
        if size + needed <= limit:
            size += needed
            update = _with(update, picture)
    return update


def _without_library(update: Update, library: Collection[str]) -> Update:
    """Library traces go, except those around a trace of the user's."""
    by_id = {trace.id: trace for trace in update.traces}
    kept: set[str] = set()
    for trace in update.traces:
        outer = trace if trace.function not in library else None
        while outer is not None and outer.id not in kept:
            kept.add(outer.id)
            outer = by_id.get(outer.parent or "")
    return replace(update, traces=[trace for trace in update.traces if trace.id in kept])


def _without_old_details(update: Update) -> Update:
    newest = _newest(update.traces, DETAILED) | {update.selected}
    return replace(
        update,
        traces=[trace if trace.id in newest else _bare(trace) for trace in update.traces],
        annotations=[annotation for annotation in update.annotations if annotation.trace in newest],
        line_marks=[mark for mark in update.line_marks if mark.trace in newest],
        expressions=_of_last(update),
    )


def _of_last(update: Update) -> list[Expressions]:
    """Those of the newest trace of each function, and of the one that is shown."""
    last = _newest(update.traces, 1) | {update.selected}
    return [one for one in update.expressions if one.trace in last]


def _without_details(update: Update) -> Update:
    kept = [trace if trace.id == update.selected else _bare(trace) for trace in update.traces]
    return replace(update, traces=kept, annotations=[], line_marks=[], expressions=[])


def _without_old_traces(update: Update) -> Update:
    functions = len({trace.function for trace in update.traces})
    newest = _newest(update.traces, max(1, KEPT // max(1, functions))) | {update.selected}
    traces = [trace for trace in update.traces if trace.id in newest]
    ids = {trace.id for trace in traces}
    traces = [
        replace(
            trace,
            parent=trace.parent if trace.parent in ids else None,
            compared_with=trace.compared_with if trace.compared_with in ids else None,
        )
        for trace in traces
    ]
    compilations = [c for c in update.compilations if c.trace is None or c.trace in ids]
    return replace(update, traces=traces, compilations=compilations)


def _newest(traces: Sequence[Trace], count: int) -> set[str | None]:
    by_function: defaultdict[str, list[str]] = defaultdict(list)
    for trace in traces:
        by_function[trace.function].append(trace.id)
    return {identifier for identifiers in by_function.values() for identifier in identifiers[-count:]}


def _bare(trace: Trace) -> Trace:
    return replace(trace, arguments=[], constants=[], outside=[])


def _without_other_arguments(update: Update) -> Update:
    traces = [t if t.id == update.selected else replace(t, arguments=[]) for t in update.traces]
    return replace(update, traces=traces)


def _with_shorter_listing(update: Update, limit: int, least: int) -> Update:
    """As many lines of the listings as there is room for, but so many at least."""
    room = limit - _size(replace(update, listings=[]))
    return replace(update, listings=[_short(listing, room, least) for listing in update.listings])


def _short(listing: Listing, room: int, least: int) -> Listing:
    every = listing.dropped + len(listing.lines)
    taken = accumulate(
        (_size(line) + _COMMA for line in listing.lines), initial=_size(replace(listing, lines=[], dropped=every))
    )
    fitting = sum(size <= room for size in taken) - 1
    kept = listing.lines[: max(least, fitting)]
    return replace(listing, lines=kept, dropped=every - len(kept))
