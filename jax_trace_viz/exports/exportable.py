"""What can be made of a session, whether it is still being recorded or was read from a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Compilation, Document, Finding, Function, Trace
    from jax_trace_viz.exports.drawing import Layer


class Exportable(ABC):
    """A session that can be drawn and saved."""

    @property
    def verdict(self) -> str:
        """What happened, in one line."""
        from jax_trace_viz.exports import text  # loaded by who reads

        return text.verdict_line(self.document(), self.seconds)

    def __repr__(self) -> str:
        """The verdict."""
        return f"<{type(self).__name__}: {self.verdict}>"

    @property
    @abstractmethod
    def seconds(self) -> float:
        """How long the session lasted, as far as that is known."""

    @abstractmethod
    def document(self) -> Document:
        """The session as it is saved."""

    @abstractmethod
    def look_at_trace(self, trace: str) -> None:
        """Reads what XLA made of a trace, so that the document holds it."""

    def to_svg(
        self,
        function: str | None = None,
        *,
        depth: int | None = None,
        engine: str = "auto",
        overlay: Layer | None = None,
    ) -> str:
        """Draws the graph of a function's newest trace as SVG.

        Args:
            function: The function's name; the costliest one if not given.
            depth: Opens all groups down to this depth, 0 for none; if not given, as many as make a readable picture.
            engine: `builtin`, `graphviz` (needs its executable `dot`), or `auto`.
            overlay: `xla` colours the boxes by the kernels that their equations ended up in, as far as the metadata of
                the executable tells; `changes` by how they differ from the trace that this one was compared with.

        Raises:
            LookupError: No such function was traced, or there is no earlier trace.
            ValueError: That would be more than 5,000 boxes, or there is no such depth, engine or overlay.
        """
        from jax_trace_viz.exports import drawing  # drawing is loaded by who draws

        if overlay == "xla":
            self.look_at_trace(drawing.drawn_trace(self.document(), function).id)
        return drawing.draw(self.document(), function, depth=depth, engine=engine, overlay=overlay)

    def to_dot(self, function: str | None = None, *, depth: int | None = None) -> str:
        """The same graph in the language of Graphviz, for other tools to lay out.

        Args:
            function: The function's name; the costliest one if not given.
            depth: As for `to_svg`.

        Raises:
            LookupError: No such function was traced.
            ValueError: That would be more than 5,000 boxes, or there is no such depth.
        """
        from jax_trace_viz.exports import drawing

        return drawing.draw_dot(self.document(), function, depth=depth)

    def to_html(self) -> str:
        """A page of its own: verdict, findings, functions and graphs, without script or network."""
        from jax_trace_viz.exports import html

        return html.page(self.document())

    def to_chrome_trace(self) -> str:
        """The timeline as a file for Perfetto (ui.perfetto.dev) and `chrome://tracing`."""
        from jax_trace_viz.exports import chrome_trace

        return chrome_trace.text(self.document())

    def save(self, path: str | Path) -> None:
        """Saves the session document as JSON; `jax_trace_viz.load` reads it.

        Raises:
            OSError: The file cannot be written.
        """
        from jax_trace_viz.exports import json_document

        json_document.save(self.document(), Path(path))


class SavedSession(Exportable):
    """A session that was read from a file."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def document(self) -> Document:
        """The session as it was saved."""
        return self._document

    @property
    def seconds(self) -> float:
        """How long the session lasted until its last trace or compilation ended."""
        return max((one.started + one.seconds for one in (*self.traces, *self.compilations)), default=0.0)

    def look_at_trace(self, trace: str) -> None:
        """Nothing to do: what was looked at before it was saved is there."""

    @property
    def functions(self) -> list[Function]:
        """The functions, in order of appearance."""
        return self._document.functions

    @property
    def traces(self) -> list[Trace]:
        """The traces, in order of start."""
        return self._document.traces

    @property
    def compilations(self) -> list[Compilation]:
        """The compilations, in order of start."""
        return self._document.compilations

    @property
    def findings(self) -> list[Finding]:
        """What is worth attention, the costliest first."""
        return self._document.findings
