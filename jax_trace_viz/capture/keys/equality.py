"""What a class's own `__eq__` and `__hash__` look at, read from their code: running them is JAX's business."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_CODES = 30
_ALL = frozenset({
    "__dict__", "__eq__", "__getstate__", "__reduce__", "__repr__", "__slots__", "__str__", "asdict", "astuple", "dir",
    "dumps", "fields", "format", "getattr", "repr", "str", "super", "vars",
})  # fmt: skip
"""Who uses these may look at each attribute."""


def compared_names(kind: type) -> frozenset[str]:
    """The names among which are those of all attributes that decide whether two objects are equal.

    Returns:
        Empty where the code does not tell.
    """
    names: set[str] = set()
    left = [code for name in ("__eq__", "__hash__") for code in _codes(getattr(kind, name, None))]
    seen: list[CodeType] = []
    while left:
        code = left.pop()
        if any(code is one for one in seen):
            continue
        if len(seen) == _MOST_CODES:
            return frozenset()
        seen.append(code)
        left += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for name in code.co_names:
            names.add(name)
            left += _codes(_member(kind, name))
    return frozenset() if names & _ALL else frozenset(names)


def _member(kind: type, name: str) -> Any:
    """What a class has by this name, without asking its descriptors."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


def _codes(member: Any) -> Iterator[CodeType]:
    """The code that runs when this is called or read."""
    function = member.fget if type(member) is property else getattr(member, "__func__", member)
    if isinstance(function, FunctionType):
        yield function.__code__
