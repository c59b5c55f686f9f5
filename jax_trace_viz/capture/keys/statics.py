"""Tokens for static values: equal ones mean equal values, without calling `__eq__`, `__hash__` or `__repr__`."""

from __future__ import annotations

import dataclasses
import enum
import types as python_types
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from jax import tree_util
from jax.core import Tracer

from jax_trace_viz.capture.keys.equality import compared_names
from jax_trace_viz.capture.keys.module_graphs import module_parts
from jax_trace_viz.capture.values.kinds import preview, type_of
from jax_trace_viz.capture.values.real_types import (
    EXACT,
    SCALARS,
    attributes_of,
    enum_name,
    is_a,
    is_derived,
    is_exact,
    is_number,
    named_fields,
    plain_dict,
    plain_text,
    plain_value,
    slots_of,
)
from jax_trace_viz.contract.key import ClassSeen, StaticValue
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.capture.code.functions import ObjectNumbers

_NUMBER = "number:"
_TRACER = "tracer:"
_MAX_DEPTH = 6
_MAX_PARTS = 20_000
_METHODS = (python_types.MethodType, python_types.BuiltinMethodType)
_IDENTICAL = (type, python_types.FunctionType, *_METHODS, python_types.ModuleType, enum.Enum)
_NUMBERS = (bool, int, float, complex)


class Statics:
    """Describes static values; objects whose equality only they can tell are compared by identity."""

    def __init__(self, numbers: ObjectNumbers) -> None:
        self._numbers = numbers
        self.treedef_text: Callable[[Any], str] = str
        """How a pytree structure inside a value is told; set by who knows structures."""

    def parts(self, path: str, value: Any, *, typed: bool = True) -> list[StaticValue]:
        """One entry per innermost part: `cfg.rate`, `cfg.sizes[0]`, so that a change names what changed.

        Args:
            path: What the value is called.
            value: A static value.
            typed: Whether JAX compares its type as well; those of its parts it never compares.
        """
        out: list[StaticValue] = []
        self._walk(path, value, _MAX_DEPTH if typed else _MAX_DEPTH - 1, out)
        return out

    def class_of(self, kind: type) -> ClassSeen:
        """A class by name and object."""
        return ClassSeen(name=kind.__qualname__, number=self._numbers.of(kind))

    def _walk(self, path: str, value: Any, depth: int, out: list[StaticValue]) -> None:
        if len(out) >= _MAX_PARTS:
            if len(out) == _MAX_PARTS:  # what is not looked at must not count as equal, nor as changed
                out.append(self._unsure(path, value))
            return
        if is_a(value, Tracer):
            out.append(self._by_identity(path, value, _TRACER))
            return
        inner = self._inside(value) if depth else None
        if inner is None:
            out.append(self._leaf(path, value, typed=depth == _MAX_DEPTH))
            return
        out.append(self._container(path, value, typed=depth == _MAX_DEPTH))
        for suffix, part in inner:
            self._walk(path + suffix, part, depth - 1, out)
        if _hashed_by_identity(value):
            out.append(self._own_hash(path, value, by_identity=True))
        elif _hashes_itself(value):
            out.append(self._own_hash(path, value, by_identity=False))

    def _container(self, path: str, value: Any, *, typed: bool) -> StaticValue:
        kind = type(value)
        plain = kind in (tuple, list, dict) or (not typed and _is_tuple(kind))
        of_class = None if plain else self.class_of(kind)
        text = preview(value)
        return StaticValue(path=path, type=kind.__qualname__, value=text, token=_shape_of(value), of_class=of_class)

    @staticmethod
    def _inside(value: Any) -> list[tuple[str, Any]] | None:
        """The parts of a value whose equality is decided by its parts, or None."""
        kind = type(value)
        if kind in (tuple, list, dict):
            return _items(value)
        if (names := named_fields(value)) is not None and _is_tuple(kind):
            return [(f".{name}", part) for name, part in zip(names, tuple.__iter__(value), strict=False)]
        module = module_parts(value)
        if module is not None:
            return module
        if dataclasses.is_dataclass(kind) and _generated_eq(kind):
            return [(f".{f.name}", getattr(value, f.name, None)) for f in dataclasses.fields(value) if f.compare]
        plain = plain_value(value)
        if plain is value or type(plain) not in (tuple, list, dict):
            return _attributes(value)
        items = _items(plain)
        own = None if kind.__eq__ is type(plain).__eq__ else _attributes(value)
        return items if items is None or own is None else items + own

    def parts_at_entry(self, path: str, value: Any) -> list[StaticValue]:
        """The parts of an object as a body sees it.

        What holds tracers was made in this trace: its inner objects are new each time, and no cache is asked about it.
        """
        parts = self.parts(path, value)
        if not any(part.token.startswith(_TRACER) for part in parts):
            return parts
        return [part for part in parts if part.sure and not part.identity]

    def _leaf(self, path: str, value: Any, *, typed: bool) -> StaticValue:
        token = self._token(value)
        if token is None:
            return self._by_identity(path, value)
        if token == "":
            return self._unsure(path, value)
        kind = type(value)
        told = typed and (is_derived(value) or token.startswith(_NUMBER))
        compared = f"{kind.__module__}.{kind.__qualname__}" if told else ""  # NumPy calls its own types `bool` too
        text, of_class = preview(value), self._own_class(value, typed=typed)
        return StaticValue(
            path=path, type=type_of(value), value=text, token=token, compared_type=compared, of_class=of_class
        )

    def _own_class(self, value: Any, *, typed: bool) -> ClassSeen | None:
        """The class that a value is, or of which it is a member; None for others that have a token."""
        if is_a(value, type):
            return self.class_of(value)
        kind = type(value)
        if typed and is_derived(value):
            return self.class_of(kind)
        # A member that is a number or a text as well equals that.
        compares = typed or kind.__eq__ is object.__eq__
        return self.class_of(kind) if is_a(value, enum.Enum) and compares else None

    def _by_identity(self, path: str, value: Any, kind: str = "object:") -> StaticValue:
        token = f"{kind}{self._identity(value)}"
        return StaticValue(path=path, type=type_of(value), value=preview(value), token=token, identity=True)

    def _identity(self, value: Any) -> str:
        """A number, of the object and of nothing equal to it."""
        kind = type(value)
        if kind not in _METHODS:
            return str(self._numbers.of(value))
        # `model.apply` is another object each time it is written, and equals itself: same object, same function.
        function = self._numbers.of(value.__func__) if kind is python_types.MethodType else value.__name__
        return f"{function}:{self._numbers.of(value.__self__)}"

    def _own_hash(self, path: str, value: Any, *, by_identity: bool) -> StaticValue:
        """Stands for the object itself, where that may tell it from its equals: not every JAX looks at its hash."""
        token = f"object:{self._numbers.of(value)}"
        type, text = ("hash", "hash of the object") if by_identity else (type_of(value), None)
        return StaticValue(
            path=f"{path}.__hash__", type=type, value=text, token=token, identity=by_identity, sure=False
        )

    def _unsure(self, path: str, value: Any) -> StaticValue:
        token = f"object:{self._numbers.of(value)}"
        return StaticValue(path=path, type=type_of(value), value=preview(value), token=token, sure=False)

    def _token(self, value: Any) -> str | None:
        """What equal values share; None for values compared by identity, empty where that is not known."""
        kind = type(value)
        if is_a(value, (type, python_types.ModuleType)) or _is_built_in_function(value):
            name = getattr(value, "__qualname__", value.__name__)
            return f"{kind.__name__}:{getattr(value, '__module__', '')}.{name}"
        if is_a(value, tree_util.PyTreeDef):
            return f"treedef:{self.treedef_text(value)}"
        if kind in _NUMBERS or is_number(value):
            # What is not equal to itself, as NaN, still is the same object.
            return None if value != value else _number_text(value)  # noqa: PLR0124
        plain = plain_value(value)
        if plain is not value and kind.__eq__ is type(plain).__eq__:
            return self._token(plain)
        return _content_token(value)


def _content_token(value: Any) -> str | None:
    """The text that tells its content, with its type; else what `_token` returns where there is none."""
    kind = type(value)
    exact = _exact_text(value)
    if exact is not None:
        return f"{kind.__qualname__}:{exact}"
    if kind.__eq__ is not object.__eq__ and not is_a(value, _IDENTICAL):
        return ""  # only its own `__eq__` could tell, and calling it is JAX's business
    return None


def _is_built_in_function(value: Any) -> bool:
    """Whether this is a function as `math.sqrt`, not a method of an object as `scores.get`."""
    if type(value) is not python_types.BuiltinFunctionType:
        return False
    return value.__self__ is None or is_a(value.__self__, python_types.ModuleType)


def _number_text(value: Any) -> str:
    """Numbers are equal across types."""
    number = value.item() if isinstance(value, np.generic) else value
    if isinstance(number, complex) and number.imag == 0:
        number = number.real
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    return f"{_NUMBER}{plain_text(number + 0)}"  # adding nothing makes the negative zero that equals zero look like it


def _exact_text(value: Any) -> str | None:
    """A text that is equal for equal values, for the types where that is known."""
    if type(value) in SCALARS:
        return plain_text(value)
    if is_a(value, np.dtype) or is_exact(value):
        return repr(value)
    if is_a(value, enum.Enum):
        return enum_name(value)
    if type(value) is frozenset and len(value) <= _MAX_PARTS and all(type(item) in SCALARS for item in value):
        return str(sorted(_number_text(item) if type(item) in _NUMBERS else plain_text(item) for item in value))
    return None


def _items(value: Any) -> list[tuple[str, Any]] | None:
    """The elements of a tuple, list or dict; None for a dict with keys that cannot be told, or too many."""
    if type(value) is not dict:
        return [(f"[{i}]", part) for i, part in enumerate(value[: _MAX_PARTS + 1])]
    if len(value) > _MAX_PARTS or not all(type(key) in SCALARS for key in value):
        return None
    return sorted(((f"[{plain_text(key)}]", part) for key, part in value.items()), key=itemgetter(0))


def _attributes(value: Any) -> list[tuple[str, Any]] | None:
    """The attributes of an object that defines its own equality.

    Calling its `__eq__` is JAX's business, not ours; equal attributes, of those that it looks at, are the best sign of
    what it would say.
    """
    kind = type(value)
    if kind in SCALARS or kind.__eq__ is object.__eq__ or is_a(value, (*_IDENTICAL, *EXACT)):
        return None
    own = attributes_of(value) | dict(slots_of(value))
    compared = compared_names(kind)
    names = [name for name in sorted(own) if name in compared] or sorted(own)
    return [(f".{name}", own[name]) for name in names] or None


def _generated_eq(kind: type) -> bool:
    """Whether `__eq__` is the one `dataclass` generates: it compares the fields and nothing else."""
    eq = vars(kind).get("__eq__")
    return isinstance(eq, python_types.FunctionType) and eq.__code__.co_filename.startswith("<")


def _shape_of(value: Any) -> str:
    """The token of a container: its type and the names of its parts; the parts have tokens of their own."""
    kind = type(value)
    if is_a(value, dict):
        names = list(map(plain_text, plain_dict(value)))
        return f"{kind.__qualname__}:{sorted(names) if kind.__eq__ is dict.__eq__ else names}"
    length = len(plain_value(value)) if is_a(value, (tuple, list)) else ""
    return f"{kind.__module__}.{kind.__qualname__}:{length}"


def _hashed_by_identity(value: Any) -> bool:
    """Whether a class compares by content and keeps the hash of the object: no dictionary finds its equals again."""
    kind = type(value)
    return kind.__hash__ is object.__hash__ and kind.__eq__ is not object.__eq__


def _hashes_itself(value: Any) -> bool:
    """Whether a class says by code of its own what its hash is: that may look at more than the content."""
    own: Any = type(value).__hash__
    file = own.__code__.co_filename if isinstance(own, python_types.FunctionType) else "<string>"
    return file != "<string>" and origin(file) == "user" and module_parts(value) is None  # else `dataclass` wrote it


def _is_tuple(kind: type) -> bool:
    """Whether its values are equal as plain tuples are."""
    return kind.__eq__ is tuple.__eq__
