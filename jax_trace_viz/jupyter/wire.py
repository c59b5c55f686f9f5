"""Records as plain JSON, and how large they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from jax_trace_viz.contract import encoding
from jax_trace_viz.exports.home import without_home

if TYPE_CHECKING:
    from jax_trace_viz.contract.record import Record


def encoded(record: Record) -> bytes:
    """The record as JSON text, without the home folder."""
    return without_home(encoding.encoded(record).decode()).encode()


def plain(record: Record) -> dict[str, Any]:
    """The record as a message holds it: dicts, lists, strings and numbers that JSON can say."""
    return msgspec.json.decode(encoded(record))
