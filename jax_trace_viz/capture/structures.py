"""Pytree structures as text: equal structures give equal texts, without running anybody's `__repr__`."""

from __future__ import annotations

import hashlib
from collections import OrderedDict, defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.capture.statics import Statics

_MAX_TEXT = 2_000
_MAX_DEPTH = 50
_BUILTIN = {type(None), tuple, list, dict, OrderedDict, defaultdict}


def structure_text(structure: Any, statics: Statics) -> str:
    """Text of a treedef, leaves as `*`: `{'w': *, 'b': *}`, `(*, None)`, `Model[act=relu](*, *)`.

    A long one is cut, with a digest of the whole in place of its end, so that two that differ still read differently.
    """
    text = _text(structure, statics, _MAX_DEPTH)
    if len(text) <= _MAX_TEXT:
        return text
    return f"{text[:_MAX_TEXT]}… #{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _text(structure: Any, statics: Statics, depth: int) -> str:
    data = structure.node_data()
    if data is None:
        return "*" if structure.num_leaves else "None"
    kind, auxiliary = data
    children = structure.children()
    inner = [_text(child, statics, depth - 1) for child in children] if depth else ["…"]
    shown = _builtin(kind, auxiliary, inner, statics)
    return shown or f"{kind.__qualname__}{_auxiliary(auxiliary, statics)}({', '.join(inner)})"


def _builtin(kind: type, auxiliary: Any, inner: list[str], statics: Statics) -> str | None:
    """The text of one of Python's own containers, as one would write it."""
    match kind.__name__ if kind in _BUILTIN else "":
        case "NoneType":
            return "None"
        case "tuple":
            return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"
        case "list":
            return f"[{', '.join(inner)}]"
        case "dict":
            return _pairs(auxiliary, inner, statics)
        case "OrderedDict":
            return f"OrderedDict({_pairs(auxiliary, inner, statics)})"
        case "defaultdict":
            return f"defaultdict({getattr(auxiliary[0], '__name__', '…')}, {_pairs(auxiliary[1], inner, statics)})"
        case _:
            return None


def _pairs(keys: Sequence[Any], inner: list[str], statics: Statics) -> str:
    """Keys and children: `{'w': *, 'b': *}`."""
    names = [part.value or part.token for key in keys for part in statics.parts("", key)[:1]]
    return "{" + ", ".join(f"{name}: {child}" for name, child in zip(names, inner, strict=False)) + "}"


def _auxiliary(value: Any, statics: Statics) -> str:
    """The static part of a registered node: a dataclass's meta fields, a module's configuration."""
    if value is None or value == ():
        return ""
    parts = [part for part in statics.parts("", value) if part.value is not None or part.identity]
    return "[" + ", ".join(f"{part.path.lstrip('.')}={part.value or part.token}" for part in parts) + "]"
