"""What the front end draws, made from a session: a whole picture, or what changed since the one before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.contract.view import Update
from jax_trace_viz.session.findings import advice, find
from jax_trace_viz.session.front_end.budget import HARD_LIMIT, TYPICAL, fit
from jax_trace_viz.session.front_end.overlaid import overlaid
from jax_trace_viz.session.front_end.pictures import picture
from jax_trace_viz.session.front_end.selection import newest_traces, not_traced
from jax_trace_viz.session.front_end.tally import tally
from jax_trace_viz.session.graph.options import GraphOptions
from jax_trace_viz.session.graph.search import search
from jax_trace_viz.session.jaxpr_diff import compare as compare_jaxprs
from jax_trace_viz.session.recorded.memory import calls_text, dropped_text
from jax_trace_viz.session.source.line_names import with_files
from jax_trace_viz.session.verdict import verdict_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jax_trace_viz.contract.cell import Tally
    from jax_trace_viz.contract.document import Compilation, Document, Function, Trace
    from jax_trace_viz.contract.expression import Expressions
    from jax_trace_viz.contract.listing import JaxprDiff
    from jax_trace_viz.contract.picture import Graph
    from jax_trace_viz.contract.source import Annotation, LineMark
    from jax_trace_viz.contract.view import Advice, Found, Hits, Span
    from jax_trace_viz.session.evidence import Evidence
    from jax_trace_viz.session.front_end.growing import Growing
    from jax_trace_viz.session.front_end.pictures import Picture
    from jax_trace_viz.session.recorded.tables import Tables
    from jax_trace_viz.session.session import Session

PICTURED = 8
"""Functions whose newest trace gets a graph and a listing, as long as there is room."""

COMPARED = 4
"""Newest traces of the function shown first that get them too: to see what a retrace changed."""

LIVE_EQUATIONS = 3000
"""A larger graph waits for the complete update: drawing it would hold up the program."""


@dataclass(frozen=True)
class _Snapshot:
    """A session at one moment."""

    document: Document
    verdict: str
    spans: list[Span]
    hits: list[Hits]
    seconds: float
    selected: Trace | None
    pictured: list[Trace]
    note: str
    functions: list[Function]
    traces: list[Trace]
    compilations: list[Compilation]
    annotations: list[Annotation]
    line_marks: list[LineMark]
    expressions: list[Expressions]
    advice: list[Advice]
    tally: Tally


def update(
    session: Session,
    cell: Cell | None = None,
    number: int = 0,
    *,
    since: int | None = None,
    function: str | None = None,
    max_bytes: int = HARD_LIMIT,
    growing: Growing | None = None,
) -> Update:
    """What there is to draw.

    Args:
        session: The session.
        cell: The cell that is recorded.
        number: The update's number.
        since: The session's `version` as read before the update that went before; None for a complete update.
        function: Name, qualified name or id of the function to show first, instead of the costliest.
        max_bytes: What does not fit into so many bytes of JSON is left out, with words in `note`.
        growing: The pictures of traces that go on, as the updates before showed them. Their boxes stay where they are
            until the session has ended.
    """
    now = _snapshot(session, since, function)
    base = _without_pictures(session, cell or Cell(), number, now, complete=since is None)
    jaxprs = {jaxpr.id: jaxpr for jaxpr in now.document.jaxprs} if now.pictured else {}
    following = growing if session.outcome.status == "running" else None
    pictures = [picture(now.document, trace, jaxprs, following) for trace in now.pictured]
    library = {f.id for f in now.document.functions if f.origin == "library"}
    typical = TYPICAL if since is None else max_bytes
    return fit(base, pictures, library, typical=typical, most=max_bytes)


def _without_pictures(session: Session, cell: Cell, number: int, now: _Snapshot, *, complete: bool) -> Update:
    dropped = now.document.dropped
    return Update(
        session=session.name,
        number=number,
        complete=complete,
        started_at=session.started_at,
        cell=cell,
        state=now.document.outcome.status,
        verdict=now.verdict,
        environment=now.document.environment,
        seconds=now.seconds,
        tally=now.tally,
        functions=now.functions,
        traces=now.traces,
        compilations=now.compilations,
        annotations=now.annotations,
        line_marks=now.line_marks,
        expressions=now.expressions,
        findings=now.document.findings,
        advice=now.advice,
        spans=now.spans,
        hits=now.hits,
        selected=now.selected.id if now.selected else None,
        note=" ".join(filter(None, (now.note, dropped_text(dropped) if dropped.memory_mb else calls_text(dropped)))),
        dropped=dropped,
        faults=now.document.faults,
        cells=[other for other in now.document.cells if other.file != cell.file],
    )


def graph(
    session: Session, trace: str, open_boxes: Iterable[str] = (), *, overlay: bool = False, other: str | None = None
) -> Graph | None:
    """The graph of one trace with these groups open (or closed, see `Request`); None if there is no such trace.

    Args:
        session: The session.
        trace: The trace's id.
        open_boxes: What to draw otherwise than by default.
        overlay: Whether to say where the equations ended up in the compiled program.
        other: The trace that the equations are to be compared with, if any.
    """
    document, traces = _traces(session)
    if trace not in traces or (other is not None and other not in traces):
        return None
    if overlay:
        session.look_at_trace(trace)
        document, _ = _traces(session)
    return overlaid(document, trace, GraphOptions(open_boxes=open_boxes), xla=overlay, other=other)


def found(session: Session, trace: str, text: str) -> Found | None:
    """What a search finds in one trace; None if there is no such trace."""
    document, traces = _traces(session)
    return search(document, trace, with_files(text, session.cells)) if trace in traces else None


def picture_of(session: Session, trace: str) -> Picture | None:
    """The default graph and the listing of any trace; None if there is no such trace."""
    document, traces = _traces(session)
    if trace not in traces:
        return None
    return picture(document, traces[trace], {jaxpr.id: jaxpr for jaxpr in document.jaxprs})


def compare(session: Session, trace: str, other: str | None = None) -> JaxprDiff | None:
    """What became of the equations of a trace since another one; None if there is nothing to compare.

    `other` is by default the trace that this one was compared with for its reasons.
    """
    document, traces = _traces(session)
    after = traces.get(trace)
    before = traces.get(other or (after.compared_with if after else None) or "")
    if after is None or before is None:
        return None
    return compare_jaxprs(before, after, {jaxpr.id: jaxpr for jaxpr in document.jaxprs}, document.frames)


def _traces(session: Session) -> tuple[Document, dict[str, Trace]]:
    with session.reading() as state:
        document = state.document(session.outcome)
    return document, {trace.id: trace for trace in document.traces}


def _snapshot(session: Session, since: int | None, function: str | None) -> _Snapshot:
    with session.reading() as tables:
        document, seconds = tables.document(session.outcome), session.seconds
        index = tables.index(session.outcome)
        index.timeline.learn_hits(tables.functions.records.all(), seconds)
        evidence = index.evidence
        whole = since is None
        shown = _shown(evidence, function)
        traces = document.traces if whole else tables.traces.records.since(since)
        return _Snapshot(
            document=replace(document, findings=find(evidence)),
            verdict=verdict_on(evidence, session.outcome.status, seconds),
            spans=index.timeline.spans(seconds),
            hits=index.timeline.hits,
            seconds=seconds,
            selected=shown[0] if shown else None,
            pictured=_pictured(evidence, shown) if whole else [t for t in shown[:1] if _is_live(t, traces)],
            note=_missing(evidence, function),
            functions=_in_order(document.functions if whole else tables.functions.records.since(since), evidence),
            traces=traces,
            compilations=document.compilations if whole else tables.compilations.records.since(since),
            annotations=document.annotations if whole else tables.annotations().since(since),
            line_marks=document.line_marks if whole else tables.line_marks().since(since),
            expressions=_expressions(tables, evidence, since),
            advice=advice(evidence),
            tally=tally(evidence),
        )


def _shown(evidence: Evidence, function: str | None) -> list[Trace]:
    """The newest traces of the functions, in order of importance."""
    wanted = newest_traces(evidence, function) if function is not None else evidence.running[:1]
    return [*wanted, *(trace for trace in newest_traces(evidence) if trace not in wanted)]


def _pictured(evidence: Evidence, shown: list[Trace]) -> list[Trace]:
    """The traces that get a picture in a complete update, as long as there is room."""
    if not shown:
        return []
    first = shown[0]
    older = [trace for trace in evidence.newest(first.function, COMPARED) if trace.id != first.id]
    return [first, *older[: COMPARED - 1], *shown[1:PICTURED]]


def _expressions(tables: Tables, evidence: Evidence, since: int | None) -> list[Expressions]:
    """Those of the newest traces of each function."""
    if since is not None:
        return tables.expressions().since(since)
    newest = {trace.id for f in evidence.ranked for trace in evidence.newest(f.id, COMPARED)}
    return [one for one in tables.expressions().all() if one.trace in newest]


def _is_live(trace: Trace, fresh: list[Trace]) -> bool:
    """Whether an update tells of changes in what this trace's picture shows, and it is drawn fast."""
    return trace.jaxpr is not None and trace.equations.distinct <= LIVE_EQUATIONS and trace in fresh


def _in_order(functions: list[Function], evidence: Evidence) -> list[Function]:
    """The costliest of the user's first."""
    rank = {function.id: place for place, function in enumerate(evidence.ranked)}
    return sorted(functions, key=lambda function: rank.get(function.id, len(rank)))


def _missing(evidence: Evidence, function: str | None) -> str:
    if function is None or newest_traces(evidence, function):
        return ""
    return not_traced(evidence, function)
