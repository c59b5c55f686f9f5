"""The formats a session can be exported in: one function each, one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from jax_trace_viz.exports import chrome_trace, drawing, html, json_document, text

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document


class Exporter(Protocol):
    """Writes a session document in one format."""

    def __call__(self, document: Document) -> str:
        """The document as text."""
        ...


EXPORTERS: dict[str, Exporter] = {
    "chrome_trace": chrome_trace.text,
    "dot": drawing.draw_dot,
    "html": html.page,
    "json": json_document.text,
    "svg": drawing.draw,
    "text": text.report,
}
