"""The graph of a function, drawn from a session document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.exports.svg import svg
from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.graph import build_graph
from jax_trace_viz.session.selection import newest_traces

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document


def draw(document: Document, function: str | None = None, *, engine: str = "auto") -> str:
    """The graph of a function's newest trace as SVG: of the costliest function, or of the one with this name.

    Raises:
        LookupError: No such function was traced. The message is one sentence for people.
    """
    traces = newest_traces(Evidence(document), function)
    if function is not None and not traces:
        raise LookupError(f"No function named {function} was traced, so there is no graph of it.")
    if not traces:
        raise LookupError("No function of yours was traced, so there is no graph.")
    return svg(build_graph(document, traces[0].id, engine=engine))
