"""The spans of the timeline: when functions were traced, lowered and compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.view import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jax_trace_viz.contract.document import Compilation, Trace
    from jax_trace_viz.session.compilations import Lowering

SPANS = 1000
"""Spans that a timeline can show; the longest are kept."""


def spans(
    traces: Sequence[Trace], lowerings: Sequence[Lowering], compilations: Sequence[Compilation], now: float
) -> list[Span]:
    """All stretches in order of start. A trace that is going on reaches to `now`."""
    by_id = {trace.id: trace for trace in traces}
    depths: dict[str, int] = {}
    found = [_trace_span(trace, _depth(trace, by_id, depths), now) for trace in traces if trace.kind != "call"]
    found += _work_spans(lowerings, compilations, by_id, depths)
    if len(found) > SPANS:
        found = sorted(found, key=lambda span: -span.seconds)[:SPANS]
    return sorted(found, key=lambda span: (span.started, -span.seconds))


def _depth(trace: Trace, by_id: Mapping[str, Trace], depths: dict[str, int]) -> int:
    """How many traces are around it, helpers not counted."""
    if trace.id not in depths:
        parent = by_id.get(trace.parent or "")
        depths[trace.id] = 0 if parent is None else _depth(parent, by_id, depths) + (parent.kind != "call")
    return depths[trace.id]


def _trace_span(trace: Trace, depth: int, now: float) -> Span:
    return Span(
        kind="trace",
        function=trace.function,
        trace=trace.id,
        started=trace.started,
        seconds=max(0.0, now - trace.started) if trace.status == "running" else trace.seconds,
        depth=depth,
        thread=trace.thread,
    )


def _work_spans(
    lowerings: Sequence[Lowering],
    compilations: Sequence[Compilation],
    by_id: Mapping[str, Trace],
    depths: Mapping[str, int],
) -> Iterator[Span]:
    for kind, work in (("lower", lowerings), ("compile", compilations)):
        for item in work:
            trace = by_id.get(item.trace or "")
            yield Span(
                kind="lower" if kind == "lower" else "compile",
                function=item.function,
                trace=item.trace,
                started=item.started,
                seconds=item.seconds,
                depth=depths.get(trace.id, 0) if trace else 0,
                thread=trace.thread if trace else "MainThread",
            )
