"""Graph and listing of one trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from jax_trace_viz.session.listing import listing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jax_trace_viz.contract.document import Frame, Function, Jaxpr, Trace
    from jax_trace_viz.contract.view import Graph, Listing


class Picture(msgspec.Struct, kw_only=True, frozen=True):
    """What the tabs Graph and Jaxpr show of one trace."""

    graph: Graph | None
    listing: Listing


def picture(trace: Trace, function: Function, jaxprs: Mapping[str, Jaxpr], frames: Sequence[Frame]) -> Picture | None:
    """The default picture of a trace; None as long as it has no jaxpr."""
    if trace.jaxpr is None or trace.jaxpr not in jaxprs:
        return None
    return Picture(graph=None, listing=listing(trace.id, trace.jaxpr, jaxprs, frames))
