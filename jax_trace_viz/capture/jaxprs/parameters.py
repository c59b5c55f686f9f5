"""An equation's parameters: the jaxprs among them, and short texts for the rest."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

import numpy as np
from jax._src import core

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 120
"""Longer texts are cut."""

_SCALARS = frozenset({bool, int, float, complex, type(None)})
_PLAIN = _SCALARS | {str}
_CLOSED = getattr(core, "ClosedJaxpr", core.Jaxpr)
_DEEPEST = 3
_MODULES = ("numpy", "jax.", "ml_dtypes")
_SIMPLE: set[type] = {*_PLAIN}
"""Types whose values hold no jaxpr; grows, by types of JAX's and NumPy's only."""


def inner_jaxprs(parameters: dict[str, Any]) -> Sequence[tuple[str, Any]]:
    """The jaxprs in an equation's parameters, by where they stand: `jaxpr`, `branches[1]`."""
    found: list[tuple[str, Any]] | None = None
    for name, value in parameters.items():
        kind = type(value)
        if kind not in _SIMPLE and not _is_simple(kind, value):
            found = found or []
            found += _jaxprs_in(name, value, _DEEPEST)
    return found or ()


def _is_simple(kind: type, value: Any) -> bool:
    """Whether a value surely holds no jaxpr: this is asked of every equation's parameters."""
    if kind is tuple:
        return _plain(value) or _numbers(value, _DEEPEST - 1)
    simple = issubclass(kind, (np.dtype, np.generic, enum.Enum)) and kind.__module__.startswith(_MODULES)
    if simple:
        _SIMPLE.add(kind)
    return simple


def _plain(values: tuple[Any, ...]) -> bool:
    """Whether a tuple has plain values only: most are axes or shapes."""
    return _PLAIN.issuperset(map(type, values))


def _jaxprs_in(name: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    if isinstance(value, core.Jaxpr):
        yield name, value
    elif isinstance(value, _CLOSED):
        yield name, value.jaxpr
    elif depth and isinstance(value, (tuple, list)):
        for place, item in enumerate(value):
            yield from _jaxprs_in(f"{name}[{place}]", item, depth - 1)
    elif depth and isinstance(value, dict):
        for key, item in value.items():
            yield from _jaxprs_in(f"{name}[{key!r}]" if isinstance(key, str) else name, item, depth - 1)


def parameter_texts(primitive: str, parameters: dict[str, Any]) -> dict[str, str]:
    """Short texts of the parameters that are no jaxprs.

    Nothing of the user's is printed by its own `repr`, which could run code, take long or tell secrets: objects that
    are not plain values appear by the name of their type.
    """
    texts = {name: text for name, value in parameters.items() if (text := value_text(value)) is not None}
    if primitive == "scan" and "num_carry" not in parameters and "ft_in" in parameters:
        # JAX 0.12 keeps the split into constants, carry and inputs of each step as a tree.
        constants, carry, _ = parameters["ft_in"].unpack()
        texts = {name: text for name, text in texts.items() if name not in ("ft_in", "ft_out")}
        texts |= {"num_consts": str(len(constants)), "num_carry": str(len(carry))}
    return texts


def value_text(value: Any) -> str | None:
    """Text of one parameter's value, or None for a jaxpr."""
    kind = type(value)
    if kind in _SCALARS:
        return str(value)
    if kind is tuple and (_plain(value) or _numbers(value, _DEEPEST - 1)):
        return _cut(str(value))
    return _cut(_text(value, _DEEPEST))


def _numbers(values: tuple[Any, ...], depth: int) -> bool:
    """Whether Python writes a tuple as `_text` does: most are dimension numbers and paddings."""
    for value in values:
        kind = type(value)
        if kind not in _SCALARS and not (kind is tuple and depth and _numbers(value, depth - 1)):
            return False
    return True


def _cut(text: str | None) -> str | None:
    return text if text is None or len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _text(value: Any, depth: int) -> str | None:
    """Like `value_text`, without the cut; None if the value holds nothing but jaxprs."""
    kind = type(value)
    if kind in _SCALARS or kind is str:
        return str(value)
    if isinstance(value, (core.Jaxpr, _CLOSED)):
        return None
    if isinstance(value, (tuple, list, set, frozenset, dict)):
        return _collection(value, depth)
    if isinstance(value, (enum.Enum, np.dtype)):
        return value.name
    return str(value.item()) if isinstance(value, np.generic) else _name(value)


def _collection(value: Any, depth: int) -> str | None:
    if depth == 0:
        return "…"
    items = list(value.items() if isinstance(value, dict) else value)[:LONGEST]
    if isinstance(value, dict):
        return _joined("{", [(_text(key, 0), _text(item, depth - 1)) for key, item in items], "}")
    fields: Any = getattr(value, "_fields", None)
    if fields is not None:  # JAX's dimension numbers are named tuples
        pairs = zip(fields, items, strict=False)
        return _joined(
            type(value).__name__ + "(", [(str(name), _text(item, depth - 1)) for name, item in pairs], ")", "="
        )
    texts = [_text(item, depth - 1) for item in items]
    if texts and all(text is None for text in texts):
        return None
    inside = ", ".join(text or "…" for text in texts)
    if isinstance(value, tuple):
        return f"({inside},)" if len(texts) == 1 else f"({inside})"
    return f"[{inside}]" if isinstance(value, list) else f"{{{inside}}}"


def _joined(start: str, pairs: list[tuple[str | None, str | None]], end: str, sign: str = ": ") -> str:
    return start + ", ".join(f"{name}{sign}{text or '…'}" for name, text in pairs) + end


def _name(value: Any) -> str:
    """A function or class by its name, a sharding by its partition, anything else by its type's name."""
    kind = type(value)
    if kind.__module__.startswith("jax."):
        if kind.__name__ == "NamedSharding":
            return f"NamedSharding({_text(tuple(value.spec), _DEEPEST)})"
        if kind.__name__ == "DType" or hasattr(value, "_rules"):  # extended dtypes, `key<fry>`
            return str(value)
    name = getattr(value, "__name__", None) if callable(value) else None
    return name if isinstance(name, str) else kind.__name__
