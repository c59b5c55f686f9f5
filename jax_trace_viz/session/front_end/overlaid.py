"""A trace's graph with what is known of its equations from elsewhere: the compiled program, another trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.contract.overlay import Changes, Overlay
from jax_trace_viz.session.graph.build import DEFAULTS, draw
from jax_trace_viz.session.jaxpr_diff.boxes import changes
from jax_trace_viz.session.jaxpr_diff.compare import fates
from jax_trace_viz.session.recorded.compilations import compilation_of
from jax_trace_viz.session.xla.overlay import overlay

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document
    from jax_trace_viz.contract.picture import Graph
    from jax_trace_viz.session.graph.build import Drawn
    from jax_trace_viz.session.graph.options import GraphOptions

_NOT_ALONE = (
    "This trace was not compiled by itself: its equations are part of the program of the function that calls it."
)
_NOT_COMPILED = "This trace was not compiled while it was recorded, so it is not known what XLA makes of it."
_NOT_READ = "The program that XLA made was not recorded with this session."


def overlaid(
    document: Document,
    trace: str,
    options: GraphOptions = DEFAULTS,
    *,
    xla: bool = False,
    other: str | None = None,
) -> Graph:
    """Draws a trace, see `build_graph`.

    Args:
        document: The session; with `xla`, one that holds the programs that were looked at.
        trace: The trace's id.
        options: What to draw of it, and how.
        xla: Whether to say where the equations ended up in the compiled program.
        other: Id of the trace that the equations are to be compared with.

    Raises:
        KeyError: There is no such trace.
        TooManyBoxesError: The depth asked for gives more boxes than can be drawn.
    """
    drawn = draw(document, trace, options)
    graph = drawn.graph
    if xla:
        graph = replace(graph, overlay=_overlay(document, drawn))
    return replace(graph, changes=_changes(document, drawn, other)) if other is not None else graph


def _changes(document: Document, drawn: Drawn, other: str) -> Changes:
    traces = {trace.id: place for place, trace in enumerate(document.traces)}
    one, two = traces[drawn.graph.trace], traces[other]
    later = one >= two
    before, after = (document.traces[place] for place in sorted((one, two)))
    found = fates(before, after, {jaxpr.id: jaxpr for jaxpr in document.jaxprs}, document.frames)
    if found is None:
        return Changes(other=other, later=later, note="One of the two traces has no jaxpr, so they are not compared.")
    return changes(drawn.nodes, found, other, later=later)


def _overlay(document: Document, drawn: Drawn) -> Overlay:
    trace = drawn.graph.trace
    compilation = compilation_of(document.compilations, trace)
    if compilation is None:
        nested = next((one.parent for one in document.traces if one.id == trace), None)
        return Overlay(note=_NOT_COMPILED if nested is None else _NOT_ALONE)
    program = next((one for one in document.programs if one.compilation == compilation.id), None)
    if program is None:
        return Overlay(compilation=compilation.id, note=_NOT_READ)
    return overlay(drawn.root, drawn.nodes, compilation, program)
