"""What a value outside a function was when the function was traced, so that a later change is noticed.

Nothing of the user's is kept alive: scalars and short texts by value, arrays by weak reference, containers and NumPy
arrays by a fingerprint. No array is copied from a device, and no code of the user's runs.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import weakref
import zlib
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from jax_trace_viz.capture.values.kinds import preview, type_of
from jax_trace_viz.capture.values.real_types import (
    CONCRETE_ARRAYS,
    SCALARS,
    enum_name,
    is_a,
    is_number,
    plain_array,
    plain_text,
)
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Hashable

Kind = Literal["value", "array", "contents", "function"]

_MAX_ITEMS = 100
_DEEPEST = 3
"""Functions in functions."""
_MAX_TEXT = 2_000
_MAX_BYTES = 4_096
_SAMPLES = 256


class Change(NamedTuple):
    """How a value changed."""

    kind: Kind
    before: str
    after: str
    in_place: bool
    """The same NumPy array has other contents."""

    @property
    def is_visible(self) -> bool:
        """Whether before and now look different, where they are what is told."""
        return self.kind in ("array", "function") or self.before != self.after


class Snapshot:
    """A value as it was."""

    __slots__ = ("_alive", "_token", "is_whole", "kind", "text")

    def __init__(
        self, kind: Kind, text: str, token: Hashable, alive: weakref.ref[Any] | None = None, *, is_whole: bool = False
    ) -> None:
        self.kind: Kind = kind
        self.text = text
        self.is_whole = is_whole
        """It is an array whose fingerprint is one of all its bytes."""
        self._token = token
        self._alive = alive

    def change(self, value: Any) -> Change | None:
        """What became of the value, if it is not what it was; None also where that cannot be told."""
        now = take(value)
        if now is None or (self.kind == "function" and self._alive is not None and self._alive() is value):
            return None
        same_object = self._alive is None or self.kind == "function" or self._alive() is value
        if now.kind == self.kind and now._token == self._token and (same_object or self._equals(now)):
            return None
        in_place = now.kind == self.kind == "array" and same_object
        return Change(self.kind, self.text, now.text, in_place)

    def _equals(self, now: Snapshot) -> bool:
        """Whether another array surely has the same contents, as one of a cell that ran again: all bytes were read."""
        return self.is_whole and now.is_whole and self.text == now.text


def take(value: Any) -> Snapshot | None:
    """Looks at a value; None for what can change without a trace, such as objects of the user's classes."""
    if type(value) in SCALARS or is_number(value):
        return _scalar(value)
    if is_a(value, CONCRETE_ARRAYS) and not is_a(value, Tracer):
        plain = plain_array(value) if is_a(value, np.ndarray) else None
        contents = None if plain is None else _fingerprint(plain)
        is_whole = plain is not None and contents is not None and plain.nbytes <= _MAX_BYTES
        return Snapshot("array", type_of(value), contents, weakref.ref(value), is_whole=is_whole)
    if is_a(value, (enum.Enum, np.dtype, type(jnp.float32))):
        return _named(value)
    if type(value) in (FunctionType, functools.partial):
        return _function(value)
    if type(value) in (dict, tuple, list, set, frozenset) and len(value) <= _MAX_ITEMS:
        parts = _parts(value)
        return None if parts is None else Snapshot("contents", _text(value), parts)
    return None


def _named(value: Any) -> Snapshot:
    """A member of an enumeration, or a dtype: `jnp.float32`, and what it becomes."""
    name = enum_name(value) if is_a(value, enum.Enum) else None
    text = f"{type(value).__name__}.{name}" if name else preview(value) or type(value).__name__
    return Snapshot("value", text, (type(value).__qualname__, name or text))


def _function(value: Any) -> Snapshot | None:
    token = _does(value, _DEEPEST)
    inner: Any = value
    while isinstance(inner, functools.partial):
        inner = inner.func
    if token is None or type(inner) is not FunctionType or origin(inner.__code__.co_filename) != "user":
        return None
    place = f"{inner.__code__.co_qualname} at line {inner.__code__.co_firstlineno}"
    return Snapshot("function", place, token, weakref.ref(value))


def _does(value: Any, depth: int) -> Hashable | None:
    """What a function does, as far as code and plain values tell: its code, defaults, closure, what is bound to it."""
    if type(value) is functools.partial and depth:
        bound = [_plain(one) for one in (*value.args, *value.keywords.values())]
        return "partial", _does(value.func, depth - 1), tuple(value.keywords), tuple(bound)
    if type(value) is not FunctionType:
        return None
    defaults = [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    closure: list[Any] = []
    for cell in value.__closure__ or ():
        with contextlib.suppress(ValueError):  # the variable is not there yet, or was deleted
            closure.append(cell.cell_contents)
    inner = [_does(one, depth - 1) if depth else None for one in closure]
    return _content(value.__code__), tuple(map(_plain, defaults)), tuple(map(_plain, closure)), tuple(inner)


def _plain(value: Any) -> Hashable | None:
    """A number or a text by its value; None for all others, which are not compared."""
    return (type(value), plain_text(value)) if type(value) in SCALARS else None


def _text(value: Any) -> str:
    if type(value) in (set, frozenset):
        inner = ", ".join(sorted(map(repr, value)))
        return f"{{{inner if len(inner) <= _MAX_TEXT else inner[:_MAX_TEXT] + '…'}}}"
    return preview(value) or type(value).__name__


def _scalar(value: Any) -> Snapshot | None:
    if isinstance(value, (str, bytes)) and len(value) > _MAX_TEXT:
        return None
    # By `repr`: nan is nan, and True is not 1.
    if type(value) in SCALARS:
        exact = plain_text(value)
        return Snapshot("value", preview(value) or exact, (type(value), exact))
    return Snapshot("value", str(value), (type(value), repr(value)))


def _content(code: CodeType) -> Hashable:
    """What a function does: a cell that ran again unchanged defines the same."""
    inner = tuple(_content(one) if isinstance(one, CodeType) else (type(one), repr(one)) for one in code.co_consts)
    return code.co_code, inner, code.co_names, code.co_varnames, code.co_freevars


def _parts(value: Any) -> Hashable | None:
    """The plain values in a container; None if it has others: whether those were read is not known."""
    out: list[Hashable] = []
    for item in value.items() if type(value) is dict else value:
        if type(item) in SCALARS:
            out.append((type(item), plain_text(item)))
        elif type(item) is tuple and len(item) <= _MAX_ITEMS and (inner := _parts(item)) is not None:
            out.append(inner)
        else:
            return None
    return type(value), tuple(sorted(out, key=repr) if isinstance(value, (set, frozenset)) else out)


def _fingerprint(array: np.ndarray[Any, Any]) -> int | None:
    """Of all bytes of a small NumPy array, of a sample of a large one; None where it would have to be copied."""
    if array.dtype.hasobject or not array.flags.c_contiguous:
        return None
    if array.nbytes <= _MAX_BYTES:
        return zlib.crc32(array.tobytes())
    flat = array.reshape(-1)
    return zlib.crc32(flat[:: max(1, flat.size // _SAMPLES)].tobytes())
