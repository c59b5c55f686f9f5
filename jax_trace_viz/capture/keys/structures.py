"""Pytree structures as text: equal structures give equal texts, without running anybody's `__repr__`."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections import OrderedDict, defaultdict
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from jax._src import tree_util

from jax_trace_viz.capture.values.kinds import preview
from jax_trace_viz.capture.values.real_types import SCALARS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jax_trace_viz.capture.keys.statics import Statics
    from jax_trace_viz.contract.key import ClassSeen, StaticValue

_MAX_TEXT = 400_000
_MAX_DEPTH = 50
_ELEMENT = re.compile(r"\[\d+\]")


def structure_text(structure: Any, statics: Statics) -> str:
    """Text of a treedef, leaves as `*`: `{'w': *, 'b': *}`, `(*, None)`, `Model[act=relu](*, *)`.

    A long one is cut, with a digest of the whole in place of its end, so that two that differ still read differently.
    """
    text = _text(structure, statics, _MAX_DEPTH)
    if len(text) > _MAX_TEXT:
        text = f"{text[:_MAX_TEXT]}… #{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    return _shared(text)


@lru_cache(maxsize=64)
def _shared(text: str) -> str:
    """One object for equal texts: those of a large model are long, and every trace keeps one."""
    return text


def _text(structure: Any, statics: Statics, depth: int) -> str:
    data = structure.node_data()
    if data is None:
        return "*" if structure.num_leaves else "None"
    kind, auxiliary = data
    children = structure.children()
    inner = [_text(child, statics, depth - 1) for child in children] if depth else ["…"]
    shown = _builtin(kind, auxiliary, inner, statics)
    return shown or f"{kind.__qualname__}{_auxiliary(kind, auxiliary, statics)}({', '.join(inner)})"


def _builtin(kind: type, auxiliary: Any, inner: list[str], statics: Statics) -> str | None:
    """The text of one of Python's own containers, as one would write it."""
    make = _BUILTIN.get(kind)
    return None if make is None else make(auxiliary, inner, statics)


def _pairs(keys: Sequence[Any], inner: list[str], statics: Statics) -> str:
    """Keys and children: `{'w': *, 'b': *}`."""
    names = [_key(key, statics) for key in keys]
    return "{" + ", ".join(f"{name}: {child}" for name, child in zip(names, inner, strict=False)) + "}"


def _key(key: Any, statics: Statics) -> str:
    """What a key of a dict is called; models have thousands, nearly all of them texts."""
    known = preview(key) if type(key) in SCALARS else None
    if known is not None:
        return known
    part = statics.parts("", key)[0]
    return part.value or part.token


def _auxiliary(kind: type, value: Any, statics: Statics) -> str:
    """The static part of a registered node: a dataclass's meta fields, a module's configuration."""
    if value is None or (type(value) is tuple and not value):  # `==` would ask the program's own `__eq__`
        return ""
    fields = _meta_fields(kind, value) or {"": value}
    return f"[{', '.join(text for name, one in fields.items() for text in _shown(name, one, statics))}]"


def _meta_fields(kind: type, value: Any) -> dict[str, Any]:
    """The values of a dataclass's static fields by name, where they are what its node keeps; else empty."""
    if type(value) is not tuple:
        return {}
    registered = _registered_meta_fields(kind)
    if registered and len(registered) == len(value):
        return dict(zip(registered, value, strict=True))
    if not dataclasses.is_dataclass(kind):
        return {}
    names = [field.name for field in dataclasses.fields(kind) if field.metadata.get("static")]
    before = len(value) - len(names)  # Equinox keeps something of its own in front
    if not names or before not in (0, 1):
        return {}
    own = {"": value[0]} if before and type(value[0]).__name__ != "_Missing" else {}
    return own | dict(zip(names, value[before:], strict=True))


def _registered_meta_fields(kind: type) -> Sequence[str]:
    """What `jax.tree_util.register_dataclass` was given as `meta_fields`; nothing but its own function holds it."""
    flatten = getattr(getattr(tree_util, "_registry", {}).get(kind), "to_iter", None)
    code, cells = getattr(flatten, "__code__", None), getattr(flatten, "__closure__", None)
    if code is None or cells is None or code.co_filename != tree_util.__file__:
        return ()
    held = dict(zip(code.co_freevars, cells, strict=True))
    fields = held["meta_fields"].cell_contents if "meta_fields" in held else ()
    return [name for name in fields if type(name) is str] if type(fields) in (list, tuple) else ()


def _shown(name: str, value: Any, statics: Statics) -> Iterator[str]:
    """One static value, part by part where its own text does not tell all of it."""
    parts = statics.parts(name, value)
    told: StaticValue | None = None
    for number, part in enumerate(parts):
        if told is not None and _is_inside(part, told):
            continue
        whole = _is_whole(parts, number)
        told = part if whole else None
        followed = number + 1 < len(parts) and _is_inside(parts[number + 1], part)
        if followed and not whole and not part.path and part.type == "tuple":
            continue  # its parts follow, in order
        # What consists of parts that follow needs no more than its type.
        text = part.value if whole else part.type if followed else _mark(part)
        is_named = part.path and not _ELEMENT.fullmatch(part.path)
        yield f"{part.path.lstrip('.')}={text}" if is_named else str(text)


def _is_whole(parts: Sequence[StaticValue], number: int) -> bool:
    """Whether the preview of a value tells all of it, its parts included: none is cut, or compared by identity."""
    part = parts[number]
    if part.value is None or "…" in part.value or part.identity or not part.sure:
        return False
    after = (parts[i] for i in range(number + 1, len(parts)))
    inside = takewhile(lambda other: _is_inside(other, part), after)
    return not any(other.identity or not other.sure for other in inside)


def _is_inside(part: StaticValue, outer: StaticValue) -> bool:
    return part.path.startswith((f"{outer.path}.", f"{outer.path}["))


def beside_text(name: str, structure: Any, statics: Statics) -> tuple[list[StaticValue], tuple[ClassSeen, ...]]:
    """What JAX compares of a structure and its text does not tell.

    Returns:
        The static parts that only their own `__eq__` could compare, by path below `name`; and the classes, each once.
    """
    unsure: list[StaticValue] = []
    classes: dict[ClassSeen, None] = {}
    for path, kind, auxiliary in _own_nodes(name, structure):
        classes[statics.class_of(kind)] = None
        for part in statics.parts(path, auxiliary) if auxiliary is not None else ():
            if part.of_class is not None:
                classes[part.of_class] = None
            if not part.sure:
                unsure.append(part)
    return unsure, tuple(classes)


def _own_nodes(path: str, structure: Any) -> Iterator[tuple[str, type, Any]]:
    """The nodes that are none of Python's own containers, with what they keep beside their leaves."""
    data = structure.node_data()
    if data is None or not structure.num_nodes:
        return
    if data[0] not in _BUILTIN:
        yield path, *data
    for number, child in enumerate(structure.children()):
        yield from _own_nodes(f"{path}[{number}]", child)


def _mark(part: StaticValue) -> str:
    """Stands for a value that has no text, so that another value reads differently."""
    if not part.sure:
        return part.type  # told beside the structure, see `beside_text`
    if part.identity:
        return f"{part.value or part.type} #{part.token.rpartition(':')[2]}"
    return f"{part.type} ~{hashlib.sha256(part.token.encode()).hexdigest()[:4]}"


def _tuple(_auxiliary: Any, inner: list[str], _statics: Statics) -> str:
    return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"


def _defaultdict(auxiliary: Any, inner: list[str], statics: Statics) -> str:
    return f"defaultdict({getattr(auxiliary[0], '__name__', '…')}, {_pairs(auxiliary[1], inner, statics)})"


_BUILTIN: dict[Any, Callable[[Any, list[str], Statics], str]] = {
    type(None): lambda _auxiliary, _inner, _statics: "None",
    tuple: _tuple,
    list: lambda _auxiliary, inner, _statics: f"[{', '.join(inner)}]",
    dict: _pairs,
    OrderedDict: lambda auxiliary, inner, statics: f"OrderedDict({_pairs(auxiliary, inner, statics)})",
    defaultdict: _defaultdict,
}
