"""The files that a cell asks for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jax_trace_viz.exports.drawing import draw, drawn_trace
from jax_trace_viz.exports.files import write_text
from jax_trace_viz.exports.json_document import save
from jax_trace_viz.jupyter.faults import complain, guarded

if TYPE_CHECKING:
    from jax_trace_viz.jupyter.options import Options
    from jax_trace_viz.session import Session


def write(options: Options, session: Session) -> None:
    """Writes them, or says in one sentence each why not."""
    if options.svg:
        with guarded(f"{options.svg} is not written"):
            try:
                if options.overlay == "xla":
                    session.look_at_trace(drawn_trace(session.document(), options.function).id)
                picture = draw(session.document(), options.function, overlay=options.overlay)
                write_text(Path(options.svg).expanduser(), picture)
            except LookupError as nothing_to_draw:
                complain(f"{options.svg} is not written: {nothing_to_draw}")
    if options.save:
        with guarded(f"{options.save} is not written"):
            session.look_at_programs()
            save(session.document(), Path(options.save).expanduser())
