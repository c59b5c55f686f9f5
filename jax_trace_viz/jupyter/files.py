"""The files that a cell asks for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jax_trace_viz.jupyter.faults import guarded

if TYPE_CHECKING:
    from jax_trace_viz.jupyter.options import Options
    from jax_trace_viz.session import Session


def write(options: Options, session: Session) -> None:
    """Writes them, or says in one sentence each why not."""
    if options.svg:
        with guarded(f"{options.svg} is not written"):
            Path(options.svg).expanduser().write_text(session.to_svg(options.function), encoding="utf-8")
    if options.save:
        with guarded(f"{options.save} is not written"):
            session.save(Path(options.save).expanduser())
