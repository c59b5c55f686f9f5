"""The spans of the timeline: when functions were traced, lowered and compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from jax_trace_viz.contract.view import Hits, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jax_trace_viz.contract.document import Compilation, Function, Trace
    from jax_trace_viz.session.recorded.compilations import Lowering

SPANS = 1000
"""Spans that a timeline can show; the longest are kept."""


HITS = 100
"""Stretches with hits that a timeline can show; of more, two neighbours each become one."""


class Timeline:
    """The spans so far. Of a session that goes on it learns what is new, however much there is already."""

    def __init__(self) -> None:
        self._ended: dict[tuple[str, str], Span] = {}
        self._running: dict[str, Span] = {}
        self._depths: dict[str, int] = {}
        """By trace: how many traces are around it, helpers not counted."""
        self._inside: dict[str, int] = {}
        """By trace: how many are around what it holds."""
        self._threads: dict[str, str] = {}
        self._works = 0
        self._hits: list[Hits] = []
        self._known_hits: dict[str, int] = {}
        self._looked = 0.0

    def learn(
        self, traces: Iterable[Trace], lowerings: Iterable[Lowering], compilations: Iterable[Compilation]
    ) -> None:
        """Take in records: traces that are new or changed, lowerings and compilations that are new."""
        # An outer trace begins before the inner one, whatever changed first.
        for trace in sorted(traces, key=lambda trace: trace.started):
            self._learn_trace(trace)
        for lowering in lowerings:
            self._learn_work("lower", lowering)
        for compilation in compilations:
            self._learn_work("compile", compilation)
        if len(self._ended) > 2 * SPANS:
            self._ended = dict(sorted(self._ended.items(), key=lambda item: -item[1].seconds)[:SPANS])

    def learn_hits(self, functions: Iterable[Function], now: float) -> None:
        """Read the counters of all functions, at this moment."""
        for function in functions:
            count = function.cache_hits - self._known_hits.get(function.id, 0)
            if count > 0:
                self._hits.append(Hits(function=function.id, count=count, since=self._looked, until=now))
                self._known_hits[function.id] = function.cache_hits
        self._looked = now
        if len(self._hits) > HITS:
            self._hits = _joined(self._hits)

    @property
    def hits(self) -> list[Hits]:
        """The stretches with hits, in order of time."""
        return list(self._hits)

    def spans(self, now: float) -> list[Span]:
        """The longest stretches in order of start. A trace that is going on reaches to `now`."""
        running = [replace(span, seconds=max(0.0, now - span.started)) for span in self._running.values()]
        longest = sorted([*self._ended.values(), *running], key=lambda span: -span.seconds)[:SPANS]
        return sorted(longest, key=lambda span: (span.started, -span.seconds))

    def _learn_trace(self, trace: Trace) -> None:
        depth = self._depths[trace.id] = self._inside.get(trace.parent or "", 0)
        self._inside[trace.id] = depth + (trace.kind != "call")
        self._threads[trace.id] = trace.thread
        if trace.kind == "call":
            return
        span = Span(
            kind="trace",
            function=trace.function,
            trace=trace.id,
            started=trace.started,
            seconds=trace.seconds,
            depth=depth,
            thread=trace.thread,
        )
        if trace.status == "running":
            self._running[trace.id] = span
        else:
            self._running.pop(trace.id, None)
            self._ended["trace", trace.id] = span

    def _learn_work(self, kind: Literal["lower", "compile"], work: Lowering | Compilation) -> None:
        self._works += 1
        trace = work.trace or ""
        self._ended[kind, str(self._works)] = Span(
            kind=kind,
            function=work.function,
            trace=work.trace,
            started=work.started,
            seconds=work.seconds,
            depth=self._depths.get(trace, 0),
            thread=self._threads.get(trace, "MainThread"),
        )


def _joined(hits: list[Hits]) -> list[Hits]:
    """Half as many stretches: each takes in the next of the same function."""
    joined: list[Hits] = []
    open_: dict[str, int] = {}
    for one in hits:
        place = open_.pop(one.function, None)
        if place is None:
            open_[one.function] = len(joined)
            joined.append(one)
        else:
            first = joined[place]
            joined[place] = replace(first, count=first.count + one.count, until=one.until)
    return joined
