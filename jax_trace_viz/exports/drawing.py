"""The graph of a function, drawn from a session document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from jax_trace_viz.exports import dot
from jax_trace_viz.exports.home import without_home
from jax_trace_viz.exports.svg import side_by_side, svg
from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.front_end.overlaid import overlaid
from jax_trace_viz.session.front_end.selection import newest_traces, not_traced
from jax_trace_viz.session.graph import GraphOptions, build_graph
from jax_trace_viz.session.wording import trace_name

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document, Trace


Layer = Literal["xla", "changes"]
"""What may lie over a graph: the kernels that XLA made, or how the trace differs from the one it was compared with."""


def draw(
    document: Document,
    function: str | None = None,
    *,
    depth: int | None = None,
    engine: str = "auto",
    overlay: Layer | None = None,
) -> str:
    """The graph of a function's newest trace as SVG: of the costliest function, or of the one with this name.

    Args:
        document: The session; for the overlay `xla`, one that holds the programs that were looked at.
        function: The function's name.
        depth: Opens all groups down to this depth.
        engine: The layout engine.
        overlay: What else to say of the boxes.

    Raises:
        LookupError: No such function was traced, or there is nothing to compare it with. The message is one sentence
            for people.
        ValueError: There is no such overlay, depth or engine, or it gives more boxes than can be drawn.
    """
    _check_depth(depth)
    if overlay not in (None, *get_args(Layer)):
        raise ValueError(f"Unknown overlay {overlay!r}: there are {', '.join(get_args(Layer))}.")
    trace, options = drawn_trace(document, function), GraphOptions(depth=depth, engine=engine)
    if overlay == "changes":
        return without_home(_compared(document, trace, options))
    return without_home(svg(overlaid(document, trace.id, options, xla=overlay == "xla")))


def draw_dot(document: Document, function: str | None = None, *, depth: int | None = None) -> str:
    """The same graph in the language of Graphviz, for other tools to lay out.

    Raises:
        LookupError: No such function was traced. The message is one sentence for people.
        ValueError: There is no such depth, or it gives more boxes than can be drawn.
    """
    _check_depth(depth)
    graph = build_graph(document, drawn_trace(document, function).id, GraphOptions(depth=depth, engine="builtin"))
    return without_home(dot.text(graph))


def drawn_trace(document: Document, function: str | None = None) -> Trace:
    """The trace that is drawn: the newest of the costliest function, or of the one with this name.

    Raises:
        LookupError: There is none. The message is one sentence for people.
    """
    evidence = Evidence(document)
    traces = newest_traces(evidence, function)
    if traces:
        return traces[0]
    limited = document.environment.limited
    if limited:
        what = f"of a function named {function}" if function is not None else "of a function of yours"
        off = ", ".join(limited)
        raise LookupError(
            f"No trace {what} was recorded, so there is no graph. "
            f"There may have been one: not all was watched (off: {off})."
        )
    if function is not None:
        raise LookupError(not_traced(evidence, function))
    raise LookupError("No function of yours was traced, so there is no graph.")


def _check_depth(depth: object) -> None:
    if depth is not None and not (isinstance(depth, int) and depth >= 0):
        raise ValueError(f"depth is {depth!r}: it must be a whole number, 0 or more.")


def _compared(document: Document, trace: Trace, options: GraphOptions) -> str:
    if trace.compared_with is None:
        names = {function.id: function.name for function in document.functions}
        name = trace_name(names.get(trace.function, trace.function), trace.id)
        raise LookupError(f"Trace {name} has no earlier one in this session, so there is nothing to compare.")
    before = overlaid(document, trace.compared_with, options, other=trace.id)
    after = overlaid(document, trace.id, options, other=trace.compared_with)
    return side_by_side(before, after)
