"""Graph and listing of one trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph import build_graph
from jax_trace_viz.session.listing import listing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jax_trace_viz.contract.document import Document, Trace
    from jax_trace_viz.contract.jaxpr import Jaxpr
    from jax_trace_viz.contract.listing import Listing
    from jax_trace_viz.contract.picture import Graph
    from jax_trace_viz.session.front_end.growing import Growing


@dataclass(frozen=True)
class Picture:
    """What the tabs Graph and Jaxpr show of one trace. A part that could not be made says why."""

    graph: Graph | None
    listing: Listing | None
    faults: tuple[str, ...] = ()


def picture(document: Document, trace: Trace, jaxprs: Mapping[str, Jaxpr], growing: Growing | None = None) -> Picture:
    """The default picture of a trace.

    Args:
        document: The session.
        trace: The trace.
        jaxprs: The session's jaxprs, by id.
        growing: Where the graph is to follow the one before, if the trace goes on.
    """
    listed = listing(trace.id, trace.jaxpr, jaxprs, document.frames) if trace.jaxpr else None
    try:
        if growing is not None and growing.draws(trace):
            return Picture(growing.graph(document, trace), listed)
        return Picture(build_graph(document, trace.id), listed)
    except Exception as error:  # noqa: BLE001 (a graph that cannot be drawn must not take the rest along)
        return Picture(None, listed, (f"graph of {trace.id}: {type(error).__name__}: {error}",))
