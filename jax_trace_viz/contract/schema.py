"""The contract as JSON schema: the front end is generated from it, readers of saved sessions check with it."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from jax_trace_viz.contract import view
from jax_trace_viz.contract.document import Document

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_REFERENCE = "#/$defs/{name}"


def messages_schema() -> dict[str, Any]:
    """The messages between kernel and front end, and all that they are made of."""
    roots = [view.Update, view.Hello, view.Request, view.Answer]
    _, definitions = msgspec.json.schema_components(roots, ref_template=_REFERENCE)
    return {"$schema": DIALECT, "$defs": definitions}


def document_schema() -> dict[str, Any]:
    """The session document, as `--session` and `save` write it."""
    (root,), definitions = msgspec.json.schema_components([Document], ref_template=_REFERENCE)
    return {"$schema": DIALECT, **root, "$defs": definitions}


def files() -> dict[str, str]:
    """The generated files, by their path in the repository."""
    schemas = {
        "src/protocol/schema.json": messages_schema(),
        "docs/session-document.schema.json": document_schema(),
    }
    return {path: json.dumps(schema, indent=2) + "\n" for path, schema in schemas.items()}
