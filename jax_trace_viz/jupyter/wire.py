"""Records as plain JSON, and how large they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec

from jax_trace_viz.exports.home import without_home

if TYPE_CHECKING:
    from jax_trace_viz.contract.record import Record


def encoded(record: Record) -> bytes:
    """The record as JSON text, without the home folder. Infinities and NaN, which JSON lacks, become null."""
    try:
        return without_home(msgspec.json.encode(record).decode()).encode()
    except UnicodeEncodeError:  # half a character, as in a file name that is no text
        finite = json.loads(json.dumps(msgspec.to_builtins(record)), parse_constant=lambda _: None)
        return without_home(json.dumps(finite, ensure_ascii=False)).encode(errors="replace")


def plain(record: Record) -> dict[str, Any]:
    """The record as a message holds it: dicts, lists, strings and numbers that JSON can say."""
    return msgspec.json.decode(encoded(record))
