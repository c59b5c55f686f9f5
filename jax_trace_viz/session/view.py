"""What the front end draws, made from a session: a whole picture, or what changed since the one before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.contract.view import Cell, Update
from jax_trace_viz.session.budget import HARD_LIMIT, TYPICAL, fit
from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.findings import find
from jax_trace_viz.session.graph import build_graph
from jax_trace_viz.session.pictures import picture
from jax_trace_viz.session.selection import newest_traces
from jax_trace_viz.session.timeline import spans
from jax_trace_viz.session.verdict import verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jax_trace_viz.contract.document import Annotation, Compilation, Document, Function, Trace
    from jax_trace_viz.contract.view import Graph, Span, State
    from jax_trace_viz.session.session import Session

PICTURED = 8
"""Functions whose newest trace gets a graph and a listing, as long as there is room."""

LIVE_EQUATIONS = 3000
"""A larger graph waits for the complete update: drawing it would hold up the program."""


@dataclass(frozen=True)
class _Snapshot:
    """A session at one moment."""

    document: Document
    spans: list[Span]
    seconds: float
    functions: list[Function]
    traces: list[Trace]
    compilations: list[Compilation]
    annotations: list[Annotation]


def update(
    session: Session,
    cell: Cell | None = None,
    number: int = 0,
    *,
    since: int | None = None,
    state: State | None = None,
    function: str | None = None,
    max_bytes: int = HARD_LIMIT,
) -> Update:
    """What there is to draw.

    Args:
        session: The session.
        cell: The cell that is recorded.
        number: The update's number.
        since: The session's `version` as read before the update that went before; None for a complete update.
        state: How it stands with the cell; by default as the session's outcome says.
        function: Name, qualified name or id of the function to show first, instead of the costliest.
        max_bytes: What does not fit into so many bytes of JSON is left out, with words in `note`.
    """
    now = _snapshot(session, since)
    evidence = Evidence(now.document)
    shown = _shown(evidence, function)
    base = replace(
        _picture_of(now, evidence, state or now.document.outcome.status),
        session=session.name,
        started_at=session.started_at,
        cell=cell or Cell(),
        number=number,
        complete=since is None,
        selected=shown[0].id if shown else None,
        note=_missing(evidence, function),
    )
    if since is not None:
        fresh = {trace.id for trace in now.traces}
        shown = [t for t in shown[:1] if t.id in fresh and t.jaxpr and t.equations.distinct <= LIVE_EQUATIONS]
    jaxprs = {jaxpr.id: jaxpr for jaxpr in now.document.jaxprs}
    pictures = [picture(now.document, trace, jaxprs) for trace in shown]
    library = {f.id for f in now.document.functions if f.origin == "library"}
    typical = TYPICAL if since is None else max_bytes
    return fit(base, pictures, library, typical=typical, most=max_bytes)


def graph(session: Session, trace: str, open_boxes: Iterable[str] = ()) -> Graph | None:
    """The graph of one trace with these groups open (or closed, see `Request`); None if there is no such trace."""
    with session.reading() as state:
        document = state.document(session.outcome)
    if all(one.id != trace for one in document.traces):
        return None
    return build_graph(document, trace, open_boxes=frozenset(open_boxes))


def _shown(evidence: Evidence, function: str | None) -> list[Trace]:
    """The traces that get a picture, in order of importance."""
    wanted = newest_traces(evidence, function) if function is not None else evidence.running[:1]
    others = [trace for trace in newest_traces(evidence) if trace not in wanted]
    return [*wanted, *others][:PICTURED]


def _snapshot(session: Session, since: int | None) -> _Snapshot:
    with session.reading() as state:
        document, seconds = state.document(session.outcome), session.seconds
        lowerings = list(state.compilations.lowerings)
        if since is None:
            changed = (document.functions, document.traces, document.compilations, document.annotations)
        else:
            changed = (
                state.functions.records.since(since),
                state.traces.records.since(since),
                state.compilations.records.since(since),
                state.traces.annotations.since(since),
            )
    # What takes time is done while others may go on.
    spanned = spans(document.traces, lowerings, document.compilations, seconds)
    return _Snapshot(replace(document, findings=find(document)), spanned, seconds, *changed)


def _picture_of(now: _Snapshot, evidence: Evidence, state: State) -> Update:
    """What the session says of itself, not yet addressed to anyone."""
    return Update(
        session="",
        number=0,
        complete=True,
        started_at=0.0,
        cell=Cell(),
        state=state,
        verdict=verdict(now.document, state, now.seconds),
        environment=now.document.environment,
        seconds=now.seconds,
        functions=_in_order(now.functions, evidence),
        traces=now.traces,
        compilations=now.compilations,
        annotations=now.annotations,
        findings=now.document.findings,
        spans=now.spans,
        dropped=now.document.dropped,
        faults=now.document.faults,
    )


def _in_order(functions: list[Function], evidence: Evidence) -> list[Function]:
    """The costliest of the user's first."""
    rank = {function.id: place for place, function in enumerate(evidence.ranked)}
    return sorted(functions, key=lambda function: rank.get(function.id, len(rank)))


def _missing(evidence: Evidence, function: str | None) -> str:
    if function is None or newest_traces(evidence, function):
        return ""
    return f"No function named {function} was traced."
