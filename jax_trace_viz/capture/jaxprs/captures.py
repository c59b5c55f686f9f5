"""Arrays that a body can read from outside, with the user's names for them."""

from __future__ import annotations

import contextlib
from itertools import islice
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MethodType,
    ModuleType,
    NoneType,
)
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from jax.core import Tracer

from jax_trace_viz.capture.code.reads import reads_of
from jax_trace_viz.capture.values.contents import content_of, content_of_list, unwrapped
from jax_trace_viz.capture.values.real_types import (
    CONCRETE_ARRAYS,
    attributes_of,
    is_a,
    plain_dict,
    plain_text,
    slots_of,
)
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from types import FrameType

Source = Literal["closure", "global", "unknown"]
Names = dict["Hashable", tuple[str, Source]]
"""Address of an array, and the content of one of NumPy's → what the user's body calls it, and where the name lives."""
Identity = tuple[int, "Hashable | None"]
"""The address of an array, and the content by which it is known after JAX has copied it."""

_MAKING = {"array", "asarray"}
_MAX_NAMES = 200
_MAX_PARTS = 200
_MAX_DEPTH = 3
_MAX_LOOKS = 2_000
_MAX_HELPERS = 50
_BASE: Any = vars(np.ndarray)["base"]
"""A class derived from NumPy's may have another."""
_NOT_SEARCHED = (Tracer, ModuleType, FunctionType, BuiltinFunctionType, MethodType, type, str, int, float, NoneType)
"""Holds no array that a body would read by this name."""


def address_of(value: Any) -> int:
    """The identity of the user's own array: newer JAX wraps NumPy arrays (`TypedNdArray.val`), maybe a view."""
    inner = unwrapped(value)
    while is_a(inner, np.ndarray) and is_a(base := _BASE.__get__(inner), np.ndarray):
        inner = base
    return id(inner)


def identity_of(value: Any) -> Identity:
    """What a constant is found by among the arrays that a body can read."""
    return address_of(value), content_of(value)


def name_of(identity: Identity, names: Names) -> tuple[str, Source] | None:
    """What the user's body calls a constant, if that is known."""
    address, content = identity
    return names.get(address) or (names.get(content) if content is not None else None)


def captured(frame: FrameType) -> Names:
    """The arrays a body can read from outside, with the user's names: `w`, `cfg['w']`, `self.w`."""
    code, values = frame.f_code, frame.f_locals
    own = {*code.co_varnames}
    search = _Search({*_used(code), *own}, _made_into_arrays(code))
    for name in code.co_freevars:
        if name in values:
            search.look(name, "closure", values[name])
    for name in list(values)[:_MAX_NAMES]:
        if name in own:  # a parameter such as `self` that holds arrays
            search.look(name, "unknown", values[name])
    names = plain_dict(frame.f_globals)
    for name in _global_names(code):
        if name in names:
            search.look(name, "global", names[name])
    search.look_into_helpers()
    return search.found


def _used(code: CodeType) -> Iterator[str]:
    """What a body reads from outside and may compute with."""
    return (read.text for read in reads_of(code).places if not read.shape_only)


def _made_into_arrays(code: CodeType) -> set[str]:
    """The lists that a body reads and gives to a function that makes an array of them: `jnp.asarray(rates)`."""
    places = reads_of(code).places
    return {read.text for read in places for by in read.given_to if by.rpartition(".")[2] in _MAKING}


def _global_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _global_names(inner)


class _Search:
    """Looks for arrays behind names, a few steps deep and within a budget."""

    def __init__(self, used: set[str], listed: set[str]) -> None:
        self.found: Names = {}
        self._left = _MAX_LOOKS
        self._helpers: list[FunctionType] = []
        self._used = used
        """What the body computes with: a copy of these may be among the constants."""
        self._listed = listed
        """Lists that the body makes into arrays."""

    def look_into_helpers(self) -> None:
        """Adds what the functions that were found read themselves, in the words of each."""
        seen: set[int] = set()
        while self._helpers and len(seen) < _MAX_HELPERS:
            function = self._helpers.pop(0)
            code = function.__code__
            if id(code) in seen or origin(code.co_filename) != "user":
                continue
            seen.add(id(code))
            self._used, self._listed = {*_used(code), *code.co_varnames}, _made_into_arrays(code)
            for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=False):
                with contextlib.suppress(ValueError):  # the variable is not there yet
                    self.look(name, "closure", cell.cell_contents)
            given = code.co_varnames[: code.co_argcount][::-1]
            for name, value in zip(given, (function.__defaults__ or ())[::-1], strict=False):
                self.look(name, "unknown", value)
            names = plain_dict(function.__globals__)
            for name in _global_names(code):
                if name in names:
                    self.look(name, "global", names[name])

    def look(self, name: str, source: Source, value: Any, depth: int = _MAX_DEPTH) -> None:
        """Adds what `value` is or holds."""
        self._left -= 1
        if type(value) is FunctionType:
            self._helpers.append(value)
        if self._left < 0 or is_a(value, _NOT_SEARCHED):
            return
        if is_a(value, CONCRETE_ARRAYS):
            self.found.setdefault(address_of(value), (name, source))
            content = content_of(value) if self._may_be_copied(name) else None
            if content is not None:
                self.found.setdefault(content, (name, source))
        elif name in self._listed and (content := content_of_list(value)) is not None:
            self.found.setdefault(content, (name, source))
        elif depth:
            for suffix, part in _parts(value):
                self.look(name + suffix, source, part, depth - 1)

    def _may_be_copied(self, name: str) -> bool:
        """Whether a body computes with what it reads by this name, or with what that is a part of."""
        return name in self._used or any(name.startswith((f"{used}[", f"{used}.")) for used in self._used)


def _parts(value: Any) -> list[tuple[str, Any]]:
    """The parts of a container or of a plain object, by the suffix that reads them; nobody's code runs."""
    if is_a(value, dict):
        items = list(dict.items(value))[:_MAX_PARTS]
        return [(f"[{plain_text(key)}]" if type(key) in (str, int) else "[…]", part) for key, part in items]
    if is_a(value, tuple):
        fields = getattr(type(value), "_fields", ())
        parts = list(tuple.__iter__(value))
        named = type(fields) is tuple and len(fields) == len(parts) and all(type(field) is str for field in fields)
        return [(f".{fields[i]}" if named else f"[{i}]", part) for i, part in enumerate(parts[:_MAX_PARTS])]
    if is_a(value, list):
        return [(f"[{i}]", part) for i, part in enumerate(list(list.__iter__(value))[:_MAX_PARTS])]
    return [(f".{name}", part) for name, part in list(attributes_of(value).items())[:_MAX_PARTS]] + _slots(value)


def _slots(value: Any) -> list[tuple[str, Any]]:
    """The parts of an object whose class keeps them in slots."""
    # A mapping around a dict (`FrozenDict`) is read like the dict.
    hidden = "_dict" if hasattr(type(value), "__getitem__") else ""
    return [("" if name == hidden else f".{name}", part) for name, part in islice(slots_of(value), _MAX_PARTS)]
