"""What a Python value is during tracing: traced, static, a concrete array, or a mix. Never keeps the value."""

from __future__ import annotations

import enum
import functools
import types as python_types
from typing import TYPE_CHECKING, Any

import numpy as np
from jax import Array, tree_util
from jax.core import Tracer

from jax_trace_viz.capture.values.real_types import (
    CONCRETE_ARRAYS,
    SCALARS,
    enum_name,
    is_a,
    is_derived,
    is_exact,
    is_number,
    named_fields,
    plain_array,
    plain_text,
    plain_value,
)
from jax_trace_viz.capture.values.types import type_text
from jax_trace_viz.contract.source import Part

if TYPE_CHECKING:
    from jax_trace_viz.contract.source import MarkStatus

MAX_TEXT = 120
"""Longest preview of a value, in characters."""
MAX_PARTS = 12
"""Most leaves of a container that are told one by one."""
_MAX_ITEMS = 8
_FUNCTIONS = (python_types.FunctionType, python_types.BuiltinFunctionType, python_types.MethodType)
_SHORT_DTYPES = {
    "float": "f",
    "int": "i",
    "uint": "u",
    "complex": "c",
    "bfloat": "bf",
}


def status(value: Any) -> MarkStatus:
    """Classifies a value by its pytree leaves."""
    alone = _status_alone(value)
    return _status_of(_leaves(value)) if alone is None else alone


def status_and_leaves(value: Any) -> tuple[MarkStatus, list[Any]]:
    """The same, with the leaves it was told by: none for what is a scalar."""
    alone = _status_alone(value)
    if alone is not None:
        return alone, [] if alone == "static" else [value]
    leaves = _leaves(value)
    return _status_of(leaves), leaves


def _status_alone(value: Any) -> MarkStatus | None:
    """Of what surely is no container, else None."""
    if is_a(value, Tracer):
        return "traced"
    if is_a(value, CONCRETE_ARRAYS):
        return "concrete_array"
    return "static" if type(value) in SCALARS else None


def _status_of(leaves: list[Any]) -> MarkStatus:
    kinds = {_leaf_status(leaf) for leaf in {type(leaf): leaf for leaf in leaves}.values()}
    if "traced" in kinds:
        return "traced" if len(kinds) == 1 else "mixed"
    return "concrete_array" if "concrete_array" in kinds else "static"


def _leaf_status(leaf: Any) -> MarkStatus:
    if is_a(leaf, Tracer):
        return "traced"
    return "concrete_array" if is_a(leaf, CONCRETE_ARRAYS) else "static"


def _leaves(value: Any) -> list[Any]:
    try:
        return tree_util.tree_leaves(value)
    except Exception:  # noqa: BLE001  (a user's flatten function may fail: JAX will say so itself)
        return []


def parts(value: Any, leaves: list[Any]) -> list[Part]:
    """The leaves of a container by their key paths, the first dozen.

    Args:
        value: The container.
        leaves: Its leaves, as `status_and_leaves` found them.
    """
    if len(leaves) <= 1 and (not leaves or leaves[0] is value):
        return []
    try:
        paths = [tree_util.keystr(path) for path, _ in tree_util.tree_flatten_with_path(value)[0]]
    except Exception:  # noqa: BLE001  (a user's flatten function may fail)
        return []
    if len(paths) != len(leaves):
        return []
    return [_part(path, leaf) for path, leaf in zip(paths[:MAX_PARTS], leaves, strict=False)]


def _part(path: str, leaf: Any) -> Part:
    kind = status(leaf)
    return Part(path=path, status=kind, type=type_of(leaf), value=preview(leaf) if kind == "static" else None)


def type_of(value: Any) -> str:
    """The type of a value: `f32[8]` for anything array-like, else the Python type's name."""
    if is_a(value, (Tracer, Array)):
        return type_text(value.aval)
    if is_a(value, np.ndarray):
        value = plain_array(value)
        return array_type(value.shape, value.dtype)
    if is_a(value, np.generic):
        return array_type((), value.dtype)
    return type(value).__name__


def length(value: Any) -> int | None:
    """How many elements a list, tuple or dict has; None for all others, since their `__len__` is somebody's code."""
    return len(value) if type(value) in (list, tuple, dict) else None


def array_type(shape: tuple[Any, ...], dtype: Any) -> str:
    """`f32[8,128]` from a shape and a NumPy dtype."""
    name = str(dtype)
    word = name.rstrip("0123456789")
    return f"{_SHORT_DTYPES.get(word, word)}{name[len(word) :]}[{','.join(map(str, shape))}]"


def preview(value: Any) -> str | None:
    """A short text for values of known types; None for all others, since their `repr` is somebody's code."""
    text = _preview(value, depth=2)
    return None if text is None else text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def _preview(value: Any, depth: int) -> str | None:
    kind = type(value)
    if kind in (str, bytes):
        return repr(value[:MAX_TEXT])
    if kind in SCALARS:
        return plain_text(value)
    if is_number(value) or is_a(value, np.dtype) or is_exact(value):
        return repr(value)
    if is_a(value, enum.Enum):
        return f"{kind.__name__}.{enum_name(value)}"
    if callable(value):
        return _callable_preview(value)
    return _container_preview(value, depth) if depth else None


def _callable_preview(value: Any) -> str | None:
    """The name of a function, or of what JAX made of one: `relu`, which is a `custom_jvp`, or a jitted function's."""
    kind = type(value)
    if is_a(value, (*_FUNCTIONS, type)):
        return value.__qualname__
    if kind is functools.partial:
        return f"functools.partial of {_callable_preview(value.func) or 'a function'}"
    name: object = getattr(value, "__name__", None) if _is_of_library(kind) else None
    return name if isinstance(name, str) else None


def _is_of_library(kind: type) -> bool:
    """Whether asking an object of this type for an attribute runs nobody's code but JAX's or NumPy's."""
    return kind.__module__.partition(".")[0] in {"jax", "jaxlib", "numpy"}


def _container_preview(value: Any, depth: int) -> str | None:
    if is_derived(value):
        return _derived_preview(value, plain_value(value), depth)
    if type(value) is dict:
        pairs = [(_preview(k, 1), _preview(v, depth - 1)) for k, v in list(value.items())[:_MAX_ITEMS]]
        return "{" + ", ".join(f"{k or '…'}: {v or '…'}" for k, v in pairs) + _more(value) + "}"
    if type(value) in (set, frozenset):
        items = ", ".join(sorted(_preview(v, depth - 1) or "…" for v in value)[:_MAX_ITEMS]) + _more(value)
        return f"{type(value).__name__}({{{items}}})" if value else f"{type(value).__name__}()"
    if type(value) in (tuple, list):
        items = ", ".join(_preview(v, depth - 1) or "…" for v in value[:_MAX_ITEMS]) + _more(value)
        if type(value) is list:
            return f"[{items}]"
        return f"({items},)" if len(value) == 1 else f"({items})"
    return None


def _derived_preview(value: Any, plain: Any, depth: int) -> str:
    """A value of a class derived from a built-in type, by that class: `Point(x=1, y=2)`, `Sizes((1, 2))`."""
    names = named_fields(value)
    if names is None:
        return f"{type(value).__name__}({_preview(plain, depth)})"
    fields = zip(names[:_MAX_ITEMS], plain, strict=False)
    inner = ", ".join(f"{name}={_preview(part, depth - 1) or '…'}" for name, part in fields)
    return f"{type(value).__name__}({inner}{_more(plain)})"


def _more(value: Any) -> str:
    return ", …" if len(value) > _MAX_ITEMS else ""
