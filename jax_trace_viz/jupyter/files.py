"""The files that a cell asks for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jax_trace_viz.exports import json_document, svg
from jax_trace_viz.jupyter.faults import complain, guarded

if TYPE_CHECKING:
    from jax_trace_viz.contract.view import Graph, Update
    from jax_trace_viz.jupyter.feed import Feed
    from jax_trace_viz.jupyter.options import Options
    from jax_trace_viz.session import Session


def write(options: Options, session: Session, feed: Feed, update: Update) -> None:
    """Writes them, or says in one sentence each why not."""
    if options.svg:
        with guarded(f"{options.svg} is not written"):
            graph = _graph(options.function, feed, update)
            if graph is None:
                complain(f"{options.svg} is not written: this cell traced no {options.function or 'function of yours'}.")
            else:
                Path(options.svg).expanduser().write_text(svg.draw(graph), encoding="utf-8")
    if options.save:
        with guarded(f"{options.save} is not written"):
            json_document.save(session.document(), Path(options.save).expanduser())


def _graph(function: str | None, feed: Feed, update: Update) -> Graph | None:
    """The graph of the trace that is shown first, if it is one of the function asked for."""
    trace = next((trace for trace in update.traces if trace.id == update.selected), None)
    if trace is None:
        return None
    names = next(((f.id, f.name, f.qualname) for f in update.functions if f.id == trace.function), ())
    return feed.graph(trace.id, []) if function is None or function in names else None
