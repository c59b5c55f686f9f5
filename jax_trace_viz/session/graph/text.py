"""Texts that fit: cleaned, cut and measured without a browser."""

from __future__ import annotations

import functools
import re
import unicodedata

LABEL_WIDTH, SMALL_WIDTH = 6.65, 5.45
"""Advance of a character at 11 and at 9 pixels, the same in the usual monospace faces."""

# Not allowed in XML 1.0, or able to turn the direction of the text around them.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def clean(text: str) -> str:
    """Text in which control characters, lone surrogates and overrides of the writing direction are made visible."""
    return text if text.isprintable() else _UNSAFE.sub("\ufffd", text)


def cut(text: str, length: int) -> str:
    """One clean line of at most so many characters."""
    line = clean(" ".join(text[: length * 4].split()))
    return line if len(line) <= length else line[: length - 1] + "…"


def columns(text: str) -> int:
    """How many columns a text takes up in a monospace face."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


@functools.lru_cache(maxsize=1024)
def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
