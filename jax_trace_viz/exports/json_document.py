"""The session document as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from jax_trace_viz.contract import SCHEMA_VERSION
from jax_trace_viz.contract.document import Document
from jax_trace_viz.contract.encoding import encoded
from jax_trace_viz.exports.files import write_text
from jax_trace_viz.exports.home import without_home
from jax_trace_viz.exports.references import broken_reference

if TYPE_CHECKING:
    from pathlib import Path


class UnreadableDocumentError(ValueError):
    """A file that holds no session document, or one of another form. The message is one sentence for people."""


class _Versioned(msgspec.Struct):
    schema_version: int


def text(document: Document) -> str:
    """The document as JSON."""
    return without_home(encoded(document).decode())


def save(document: Document, path: Path) -> None:
    """Write the document to a file, which `load` reads."""
    write_text(path, text(document))


def load(path: Path) -> Document:
    """Read a saved document.

    Raises:
        UnreadableDocumentError: The file is broken, is something else, or was written by another version.
        OSError: There is no such file, or it may not be read.
    """
    data = path.read_bytes()
    try:
        version = msgspec.json.decode(data, type=_Versioned).schema_version
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableDocumentError(f"{path} is no session document: {error}.") from error
    if version != SCHEMA_VERSION:
        raise UnreadableDocumentError(_other_version(path, version))
    try:
        document = msgspec.json.decode(data, type=Document)
    except msgspec.DecodeError as error:
        raise UnreadableDocumentError(f"{path} is a damaged session document: {error}.") from error
    if (broken := broken_reference(document)) is not None:
        raise UnreadableDocumentError(f"{path} is a damaged session document: {broken}.")
    return document


def _other_version(path: Path, version: int) -> str:
    remedy = "upgrade jax-trace-viz" if version > SCHEMA_VERSION else "record the session again"
    return f"{path} has session form {version}, this jax-trace-viz reads form {SCHEMA_VERSION}: {remedy}."
