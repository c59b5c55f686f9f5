"""What a value of the program's really is, and what it holds: asked without running any of the program's code.

`isinstance` asks a value for its `__class__`. Proxies compute that, and raise where they stand for nothing; mocks name
a class that they are none of.
"""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import fractions
import pathlib
import uuid
import zoneinfo
from types import GetSetDescriptorType, MemberDescriptorType
from typing import TYPE_CHECKING, Any

import numpy as np
from jax import Array
from jax.core import Tracer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CONCRETE_ARRAYS = (Array, np.ndarray)
"""What holds elements, on a device or in NumPy."""
ARRAYS = (Tracer, *CONCRETE_ARRAYS)
"""The same, or traced."""
SCALARS = (bool, int, float, complex, str, bytes, type(None))
EXACT = (
    range,
    slice,
    fractions.Fraction,
    decimal.Decimal,
    pathlib.PurePath,
    uuid.UUID,
    dt.date,
    dt.time,
    dt.timedelta,
    dt.tzinfo,
)
"""Types of the standard library whose own `repr` is exact and harmless."""
_LONG_TEXT = 1_000
_LONG_INTEGER = 2_000
"""Bits. Python refuses to write what is much longer in decimal, and would take its time."""
_EXACT_REPRS: set[Callable[[Any], str]] = {
    kind.__repr__ for kind in (*EXACT[:-1], dt.datetime, dt.timezone, zoneinfo.ZoneInfo)
}


def is_a(value: Any, kinds: type | tuple[type, ...]) -> bool:
    """Whether a value is an instance of one of `kinds`, whatever it says of itself."""
    return issubclass(type(value), kinds)


def plain_text(value: Any) -> str:
    """A text that is equal for equal values of one of `SCALARS`: the `repr`, as long as that is short.

    Of a long text it is the hash, which Python keeps with the text: a program may have a whole file in a static value.
    """
    kind = type(value)
    if kind is int and value.bit_length() > _LONG_INTEGER:
        return hex(value)
    if kind not in (str, bytes) or len(value) <= _LONG_TEXT:
        return repr(value)
    return f"{kind.__name__} of {len(value)}, hash {hash(value)}"


def is_number(value: Any) -> bool:
    """Whether a value is a number of NumPy's own types; those that the program derives from them run its code."""
    return issubclass(type(value), (np.bool_, np.number)) and type(value).__module__ == "numpy"


def is_typed(value: Any) -> bool:
    """Whether a value is a Python number to which JAX gave a dtype, and so the same as an array to it."""
    return type(value).__module__ == "jax._src.literals"


def is_exact(value: Any) -> bool:
    """Whether the `repr` of a value is the standard library's, and tells equal values from others."""
    if type(value) is slice:
        return all(type(part) in SCALARS for part in (value.start, value.stop, value.step))
    return issubclass(type(value), EXACT) and type(value).__repr__ in _EXACT_REPRS


def plain_array(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same elements without the class that the program derived from NumPy's."""
    return value if type(value) is np.ndarray else np.asarray(value)


def plain_dict(value: dict[Any, Any]) -> dict[Any, Any]:
    """The same names without the class that the program derived from `dict`. Do not change it."""
    return value if type(value) is dict else dict(dict.items(value))


_PLAIN: dict[type, Callable[[Any], Any]] = {
    tuple: lambda value: tuple.__getitem__(value, slice(None)),
    list: lambda value: list.__getitem__(value, slice(None)),
    dict: plain_dict,
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    set: lambda value: set(set.__iter__(value)),
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    int: int.__int__,
    float: float.__float__,
    complex: complex.__complex__,
}
"""How each built-in type's own code makes a plain one of its values, whatever the program's class overrides."""


def plain_value(value: Any) -> Any:
    """What a value of a class derived from a built-in type holds, as that type; the value itself for all others.

    An enumeration's member is that member, not the number it may be as well.
    """
    base = _base_of(type(value))
    return value if base is None else _PLAIN[base](value)


def is_derived(value: Any) -> bool:
    """Whether a value is of a class derived from a built-in type, see `plain_value`."""
    return _base_of(type(value)) is not None


def _base_of(kind: type) -> type | None:
    if kind in _PLAIN or kind in SCALARS or issubclass(kind, (enum.Enum, np.generic)):
        return None
    return next((one for one in kind.__mro__ if one in _PLAIN), None)


def named_fields(value: Any) -> tuple[str, ...] | None:
    """The names of a named tuple's parts; None for what is none."""
    names: Any = getattr(type(value), "_fields", None)
    return names if issubclass(type(value), tuple) and type(names) is tuple else None


def enum_name(value: enum.Enum) -> str | None:
    """A member's name; None for what combines flags that have none."""
    return value._name_


def attributes_of(value: Any) -> dict[str, Any]:
    """The dict that holds an object's attributes; an empty one where there is none. Do not change it."""
    for base in type(value).__mro__:
        found = vars(base).get("__dict__")
        if found is not None:
            own = found.__get__(value) if type(found) in (GetSetDescriptorType, MemberDescriptorType) else None
            return own if type(own) is dict else {}
    return {}


def slots_of(value: Any) -> Iterator[tuple[str, Any]]:
    """The slots of an object that are filled, by name, those of the program's classes and of libraries'."""
    for base in type(value).__mro__:
        for name, member in vars(base).items():
            if type(member) is MemberDescriptorType and base.__module__ != "builtins":
                try:
                    yield name, member.__get__(value)
                except AttributeError:  # it was never filled
                    continue
