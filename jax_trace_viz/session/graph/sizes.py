"""Sizes of arrays, read from their printed types, and short texts for types."""

from __future__ import annotations

import functools
import math
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.wording import bytes_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_TYPE = re.compile(r"(bool|key|[a-z]+?(\d+))\w*(?:<[^>]*>)?\[([\d,]*)\]~?")
_SHOWN = 3


@functools.lru_cache(maxsize=4096)
def type_bytes(text: str) -> int:
    """Bytes of an array of this printed type (`f32[8,128]`); 0 where the type does not tell."""
    found = _TYPE.fullmatch(text)
    if not found:
        return 0
    bits = {"bool": 8, "key": 64}.get(found[1]) or int(found[2])
    return math.prod(int(size) for size in found[3].split(",") if size) * bits // 8


def types_text(types: Sequence[str]) -> str:
    """The first types, and how many more there are."""
    shown = ", ".join(types[:_SHOWN])
    return shown if len(types) <= _SHOWN else f"{shown} +{len(types) - _SHOWN}"


def arrays_text(types: Sequence[str]) -> str:
    """One array by its type, several by number and size."""
    if len(types) == 1:
        return types[0]
    return f"{len(types)} arrays, {bytes_text(sum(map(type_bytes, types)))}"
