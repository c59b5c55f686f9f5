"""Writing what a session holds to files."""

from __future__ import annotations

from pathlib import Path

import msgspec

from jax_trace_viz.contract.document import Document


def write_document(document: Document, path: Path) -> None:
    path.write_bytes(msgspec.json.encode(document))


def save_svg(session, path, function=None):
    raise LookupError("not yet")
