"""The values that a body read from outside, and how to read them again later without keeping anything alive."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
import weakref
from dataclasses import dataclass
from types import FunctionType, MemberDescriptorType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from jax_trace_viz.capture.code.reads import Read, Step, reads_of
from jax_trace_viz.capture.jaxprs.captures import address_of
from jax_trace_viz.capture.outside.snapshots import Snapshot, take
from jax_trace_viz.capture.values.contents import content_of
from jax_trace_viz.capture.values.kinds import status
from jax_trace_viz.capture.values.real_types import CONCRETE_ARRAYS, attributes_of, is_a, plain_dict
from jax_trace_viz.contract.document import OutsideValue, Place
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping
    from types import CodeType, FrameType

    from jax_trace_viz.capture.jaxprs.captures import Identity
    from jax_trace_viz.capture.state import Run

_MOST_VALUES = 100
_MOST_PARTS = 100
_NO_ELEMENTS = frozenset({
    "can_cast", "iscomplexobj", "isrealobj", "issubdtype", "may_share_memory", "result_type", "shares_memory",
})  # fmt: skip
"""Functions of NumPy that read no elements of an array, beside those that are named for its shape."""
_PRIVATE = re.compile(r"(?i)pass|pwd|secret|token|auth|cred|cookie|api_?key")
"""Variables whose value is not written out as a key."""
MISSING = object()
"""Stands where nothing can be read."""


@dataclass(slots=True, eq=False)
class Kept:
    """One value as a trace read it, and how to read it again: nothing of the user's is held."""

    read: Read
    file: str
    snapshot: Snapshot
    module: str
    function: weakref.ref[Any] | None
    parameter: weakref.ref[Any] | None
    identity: Identity
    """By which an array is found among the program's constants."""
    computed: bool = False
    """It is an array of NumPy's, and Python computed with its elements while tracing."""

    @property
    def holder(self) -> weakref.ref[Any] | None:
        """Whose life the value's place shares; None where a module holds it."""
        if self.read.root == "global" and self.module:
            return None
        return self.parameter if self.read.root == "parameter" else self.function

    @property
    def is_gone(self) -> bool:
        """Whether the place itself is gone, not only its value."""
        return self.holder is not None and self.holder() is None

    @property
    def where(self) -> Hashable:
        """What is read, whoever reads it."""
        holder = self.holder
        return self.read.root, self.read.name, self.read.steps, self.module, holder and id(holder())

    def now(self) -> Any:
        """What stands there now; `MISSING` if that cannot be read."""
        name, root = self.read.name, self.read.root
        if root == "global":
            module = sys.modules.get(self.module)
            function = self.function() if self.function is not None else None
            names = vars(module) if module is not None else function.__globals__ if function is not None else {}
            return _walk(plain_dict(names).get(name, MISSING), self.read)
        if root == "closure":
            return _walk(_cell(self.function() if self.function is not None else None, name), self.read)
        value = self.parameter() if self.parameter is not None else None
        return MISSING if value is None else _walk(value, self.read)


def at_begin(code: CodeType, frame: FrameType) -> dict[Read, Snapshot]:
    """What stands, when a body begins, at the places outside of it that it may read."""
    values = frame.f_locals
    resolved = (_resolved(read, frame, values) for read in reads_of(code).places)
    places = ((read, _walk(_base(read, frame, values), read)) for read in resolved)
    found = {one: take(value) for read, outer in places for one, value in _parts(read, outer)}
    return {read: snapshot for read, snapshot in found.items() if snapshot is not None}


def _base(read: Read, frame: FrameType, values: Mapping[str, Any]) -> Any:
    return (plain_dict(frame.f_globals) if read.root == "global" else values).get(read.name, MISSING)


def read_by(run: Run, frame: FrameType, function: Any) -> list[Kept]:
    """What the body that has just run read from outside, but for what changed while it ran.

    Args:
        run: The run, with the lines that ran.
        frame: Its frame, which still holds its locals.
        function: The user's function, if it is known.
    """
    reads, values = reads_of(run.code), frame.f_locals
    module = _module(frame)
    known = weakref.ref(function) if is_a(function, FunctionType) and function.__code__ is run.code else None
    out: list[Kept] = []
    for read in reads.places:
        happened = (read.line in run.lines and read.alone) or (read.first and not run.all_lines)
        if not happened:
            continue
        base, place = _base(read, frame, values), _resolved(read, frame, values)
        parameter = _weak(base) if read.root == "parameter" else None
        traced = read.root == "parameter" and status(base) in ("traced", "mixed")
        if traced or (read.root == "parameter" and (parameter is None or not read.steps)):
            continue
        for one, value in _parts(place, _walk(base, place)):
            before = run.outside.get(one)
            if before is None or before.change(value) is not None:
                continue
            if before.kind != "contents" or (read.whole and not reads.writes_parts):
                identity = address_of(value), None if read.shape_only else content_of(value)
                computed = one is place and is_a(value, np.ndarray) and _computes(read, frame)
                out.append(Kept(one, run.code.co_filename, before, module, known, parameter, identity, computed))
    return out


def _resolved(read: Read, frame: FrameType, values: Mapping[str, Any]) -> Read:
    """The same place with the keys that variables hold: `cfg[name]` is `cfg['lr']`."""
    if all(kind != "key" for kind, _ in read.steps):
        return read
    names = plain_dict(frame.f_globals)
    keys = {key: values.get(str(key), names.get(str(key))) for kind, key in read.steps if kind == "key"}
    if any(type(value) not in (str, int) or _PRIVATE.search(str(name)) for name, value in keys.items()):
        return read
    return read._replace(steps=tuple(("item", keys[key]) if kind == "key" else (kind, key) for kind, key in read.steps))


def _computes(read: Read, frame: FrameType) -> bool:
    """Whether Python surely computes with the elements of an array, if it is one of NumPy's."""
    for path in read.given_to:
        module, _, name = path.partition(".")
        if plain_dict(frame.f_globals).get(module) is np and name and not read.shape_only and name not in _NO_ELEMENTS:
            return True
    return read.computed


def _parts(read: Read, value: Any, depth: int = 2) -> Iterator[tuple[Read, Any]]:
    """A place and what stands there; of a list of arrays that is read as a whole, also each place in it.

    Of a `functools.partial`, also the arrays that are bound to it.
    """
    yield read, value
    for steps, part in _bound(value):
        yield read._replace(steps=(*read.steps, *steps)), part
    if read.whole and depth and type(value) in (list, tuple) and len(value) <= _MOST_PARTS:
        for place, part in enumerate(value):
            if is_a(part, CONCRETE_ARRAYS) or type(part) in (list, tuple):
                yield from _parts(read._replace(steps=(*read.steps, ("item", place))), part, depth - 1)


def _bound(value: Any) -> list[tuple[tuple[Step, Step], Any]]:
    """The arrays bound to a `functools.partial`, each with the steps that read it."""
    if type(value) is not functools.partial:
        return []
    found: list[tuple[tuple[Step, Step], Any]] = []
    for place, part in enumerate(value.args):
        found.append(((("attribute", "args"), ("item", place)), part))
    for name, part in value.keywords.items():
        found.append(((("attribute", "keywords"), ("item", name)), part))
    return [one for one in found[:_MOST_PARTS] if is_a(one[1], CONCRETE_ARRAYS)]


def values_read(kept: list[Kept]) -> list[OutsideValue]:
    """The plain values among what a trace read, each name once; arrays are told as constants."""
    found: dict[str, OutsideValue] = {}
    for one in kept:
        if one.snapshot.kind == "value" and len(found) < _MOST_VALUES:
            place = Place(file=one.file, line=one.read.line)
            found.setdefault(one.read.text, OutsideValue(name=one.read.text, value=one.snapshot.text, place=place))
    return list(found.values())


def _module(frame: FrameType) -> str:
    """The name by which a body's globals are found again; empty if they are no module's."""
    name = plain_dict(frame.f_globals).get("__name__")
    module = sys.modules.get(name) if type(name) is str else None
    return str(name) if module is not None and vars(module) is frame.f_globals else ""


def _weak(value: Any) -> weakref.ref[Any] | None:
    try:
        return weakref.ref(value)
    except TypeError:
        return None


def _cell(function: Any, name: str) -> Any:
    if function is None or function.__closure__ is None:
        return MISSING
    cell = dict(zip(function.__code__.co_freevars, function.__closure__, strict=False)).get(name)
    try:
        return MISSING if cell is None else cell.cell_contents
    except ValueError:  # the variable was deleted
        return MISSING


def _walk(value: Any, read: Read) -> Any:
    """Reads the parts, as far as that runs nobody's code."""
    for kind, key in read.steps:
        if value is MISSING:
            break
        match kind:
            case "attribute":
                value = _attribute(value, str(key))
            case "len":
                value = len(value) if type(value) in (dict, list, set, tuple) else MISSING
            case "getenv":
                value = os.environ.get(str(key)) if value is os else MISSING
            case "get":  # what it gives for a key that is not there yet, or no more
                found = _item(value, key)
                value = None if found is MISSING and _is_mapping(value) else found
            case "key":  # no variable that holds a plain key
                value = MISSING
            case _:
                value = _item(value, key)
    return value


def _attribute(value: Any, name: str) -> Any:
    if is_a(value, ModuleType):
        readable = origin(getattr(value, "__file__", None) or "<") == "user" or (value is os and name == "environ")
        return vars(value).get(name, MISSING) if readable else MISSING
    own = attributes_of(value)
    if name in own:
        return own[name]
    if is_a(value, tuple) and name in (fields := getattr(type(value), "_fields", ())):
        return tuple.__getitem__(value, fields.index(name))
    if type(value) is type:
        return _of_class(value, name)
    return _of_class(type(value), name, value)


def _of_class(owner: type, name: str, instance: Any = None) -> Any:
    """A plain value that a class holds, or one in a slot of an instance."""
    for base in owner.__mro__:
        if name in vars(base):
            found = vars(base)[name]
            if isinstance(found, MemberDescriptorType) and instance is not None:
                with contextlib.suppress(AttributeError):  # it was never filled
                    return found.__get__(instance)
            return MISSING if hasattr(type(found), "__get__") else found
    return MISSING


def _is_mapping(value: Any) -> bool:
    return type(value) is dict or value is os.environ


def _item(value: Any, key: str | int) -> Any:
    if type(value) is dict:
        return value.get(key, MISSING)
    if value is os.environ and isinstance(key, str):
        return os.environ.get(key, MISSING)
    if type(value) in (list, tuple) and isinstance(key, int) and -len(value) <= key < len(value):
        return value[key]
    if type(value) is np.ndarray and value.ndim == 1 and isinstance(key, int) and -len(value) <= key < len(value):
        return value[key]
    return MISSING
