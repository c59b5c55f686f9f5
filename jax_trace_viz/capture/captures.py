"""Arrays that a body can read from outside, with the user's names for them."""

from __future__ import annotations

from types import CodeType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from jax import Array
from jax.core import Tracer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

Source = Literal["closure", "global", "unknown"]
Names = dict[int, tuple[str, Source]]
"""Address of an array → what the user's body calls it, and where the name lives."""

_MAX_NAMES = 200
_MAX_PARTS = 200
_MAX_DEPTH = 3


def address_of(value: Any) -> int:
    """The identity of the user's own array: newer JAX wraps NumPy arrays (`TypedNdArray.val`), maybe a view."""
    inner = getattr(value, "val", value)
    while isinstance(inner, np.ndarray) and isinstance(inner.base, np.ndarray):
        inner = inner.base
    return id(inner)


def captured(frame: FrameType) -> Names:
    """Addresses of the arrays a body can read from outside, with the user's names: `w`, `cfg['w']`, `self.w`."""
    out: Names = {}
    code, values = frame.f_code, frame.f_locals
    own = {*code.co_varnames}
    for name in code.co_freevars:
        if name in values:
            _collect(name, "closure", values[name], _MAX_DEPTH, out)
    for name in list(values)[:_MAX_NAMES]:
        if name in own:  # a parameter such as `self` that holds arrays
            _collect(name, "unknown", values[name], _MAX_DEPTH, out)
    for name in _global_names(code):
        if name in frame.f_globals:
            _collect(name, "global", frame.f_globals[name], _MAX_DEPTH, out)
    return out


def _global_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _global_names(inner)


def _collect(name: str, source: Source, value: Any, depth: int, out: Names) -> None:
    if isinstance(value, Tracer) or len(out) > _MAX_PARTS:
        return
    if isinstance(value, (Array, np.ndarray)):
        out.setdefault(address_of(value), (name, source))
    elif depth and type(value) is dict:
        for key, part in list(value.items())[:_MAX_PARTS]:
            _collect(f"{name}[{key!r}]" if type(key) in (str, int) else f"{name}[…]", source, part, depth - 1, out)
    elif depth and type(value) in (list, tuple):
        for i, part in enumerate(value[:_MAX_PARTS]):
            _collect(f"{name}[{i}]", source, part, depth - 1, out)
    elif depth and _is_plain_object(value):
        for attribute, part in list(vars(value).items())[:_MAX_PARTS]:
            _collect(f"{name}.{attribute}", source, part, depth - 1, out)


def _is_plain_object(value: Any) -> bool:
    """An instance of a class written in Python, whose attributes can be read without running anybody's code."""
    return type(getattr(value, "__dict__", None)) is dict and not callable(value)
