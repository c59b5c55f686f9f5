"""The jaxprs of a session, and the call frames that their equations came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.contract.jaxpr import Frame, Jaxpr
from jax_trace_viz.session.records import Records

if TYPE_CHECKING:
    from jax_trace_viz.contract.events import JaxprSeen

_LOST = Frame(file="", function="", line=0, end_line=0, column=0, end_column=0, parent=None, origin="library")
"""Stands for a frame whose event was dropped, so that the indices of later ones hold."""


class Jaxprs:
    """Keeps every jaxpr once."""

    def __init__(self) -> None:
        self.records: Records[Jaxpr] = Records()
        self.all_frames: list[Frame] = []
        """Grows; to be read while the session's state is held still."""

    def see(self, event: JaxprSeen, version: int) -> None:
        """A jaxpr is told."""
        missing = event.first_frame - len(self.all_frames)
        self.all_frames.extend([_LOST] * missing)
        self.all_frames[event.first_frame : event.first_frame + len(event.frames)] = event.frames
        self.records.put(event.jaxpr.id, event.jaxpr, version)

    def empty(self, identifier: str, version: int) -> None:
        """Lets go of a jaxpr's equations; how many there were stays, and so do its inputs."""
        jaxpr = self.records[identifier]
        kept = 1 + max([*jaxpr.inputs, *jaxpr.constants], default=-1)
        empty = replace(
            jaxpr,
            equations=[],
            outputs=[variable for variable in jaxpr.outputs if isinstance(variable, str) or variable < kept],
            output_names=[],
            types=jaxpr.types[:kept],
            needed=None,
            dropped_equations=jaxpr.dropped_equations + len(jaxpr.equations),
        )
        self.records.put(identifier, empty, version)

    def by_id(self) -> dict[str, Jaxpr]:
        """The jaxprs by id."""
        return {jaxpr.id: jaxpr for jaxpr in self.records.all()}

    def frames(self) -> list[Frame]:
        """All frames."""
        return list(self.all_frames)
