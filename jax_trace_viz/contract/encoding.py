"""Plain data as JSON, whatever the texts of the user's program are."""

from __future__ import annotations

import json

import msgspec


def encoded(value: object) -> bytes:
    """A record as JSON in UTF-8.

    Half a character, as in a file name that is no text, becomes `?`. Infinities and NaN, which JSON lacks, become null.
    """
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        finite = json.loads(json.dumps(msgspec.to_builtins(value)), parse_constant=lambda _: None)
        return json.dumps(finite, ensure_ascii=False).encode(errors="replace")
