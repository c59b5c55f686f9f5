"""Pictures of traces that go on: from one to the next, what is drawn stays where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.session.graph import GraphOptions, build_graph
from jax_trace_viz.session.graph.layout.online import Online

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document, Trace
    from jax_trace_viz.contract.picture import Graph

_MOST = 120
"""A picture with more boxes begins afresh, with fewer groups open."""
_TRACES = 4
"""So many traces are drawn in turn; the oldest is let go first."""


class Growing:
    """Remembers what the last picture of each trace showed and where. Used by one thread at a time."""

    def __init__(self) -> None:
        self._engines: dict[str, Online] = {}
        self._wishes: dict[str, list[str]] = {}

    def draws(self, trace: Trace) -> bool:
        """Whether a trace goes on, or was drawn while it did."""
        return trace.status == "running" or trace.id in self._engines

    def graph(self, document: Document, trace: Trace) -> Graph:
        """The next picture: groups stay open or closed, boxes stay in their places."""
        engine = self._engines.setdefault(trace.id, Online())
        graph = build_graph(document, trace.id, GraphOptions(open_boxes=self._wishes.get(trace.id, ()), online=engine))
        if len(graph.boxes) > _MOST:
            engine = self._engines[trace.id] = Online()
            graph = build_graph(document, trace.id, GraphOptions(online=engine))
        groups = [box for box in graph.boxes if box.kind == "group"]
        self._wishes[trace.id] = [box.id if box.open else f"-{box.id}" for box in groups]
        while len(self._engines) > _TRACES:
            oldest = next(iter(self._engines))
            del self._engines[oldest], self._wishes[oldest]
        return graph
