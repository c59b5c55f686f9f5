"""The graph of a function, drawn from a session document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.exports import dot
from jax_trace_viz.exports.svg import svg
from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.graph import build_graph
from jax_trace_viz.session.selection import newest_traces

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document
    from jax_trace_viz.contract.view import Graph


def draw(document: Document, function: str | None = None, *, depth: int | None = None, engine: str = "auto") -> str:
    """The graph of a function's newest trace as SVG: of the costliest function, or of the one with this name.

    Raises:
        LookupError: No such function was traced. The message is one sentence for people.
        TooManyBoxesError: A `ValueError`: the depth asked for gives more boxes than can be drawn.
    """
    return svg(_graph(document, function, depth, engine))


def draw_dot(document: Document, function: str | None = None, *, depth: int | None = None) -> str:
    """The same graph in the language of Graphviz, for other tools to lay out.

    Raises:
        LookupError: No such function was traced. The message is one sentence for people.
        TooManyBoxesError: A `ValueError`: the depth asked for gives more boxes than can be drawn.
    """
    return dot.text(_graph(document, function, depth, "builtin"))


def _graph(document: Document, function: str | None, depth: int | None, engine: str) -> Graph:
    traces = newest_traces(Evidence(document), function)
    if traces:
        return build_graph(document, traces[0].id, depth=depth, engine=engine)
    limited = document.environment.limited
    if limited:
        what = f"of a function named {function}" if function is not None else "of a function of yours"
        off = ", ".join(limited)
        raise LookupError(
            f"No trace {what} was recorded, so there is no graph. "
            f"There may have been one: not all was watched (off: {off})."
        )
    if function is not None:
        raise LookupError(f"No function named {function} was traced, so there is no graph of it.")
    raise LookupError("No function of yours was traced, so there is no graph.")
