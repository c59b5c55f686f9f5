"""Copies of pieces of syntax trees."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")

NodeT = TypeVar("NodeT", bound=ast.AST)


def copied(node: NodeT) -> NodeT:
    """A copy of a node and of all inside it, with the fields of the grammar and the places alone.

    All trees of a process share `ast.Load()` and its like. What formats IPython's tracebacks hangs a `parent` on each
    node, so `deepcopy` would follow it into somebody else's whole module, while another thread may be at it.
    """
    return type(node)(**dict(_fields(node)))


def _fields(node: ast.AST) -> Iterator[tuple[str, Any]]:
    for name, value in ast.iter_fields(node):
        yield name, _value(value)
    yield from ((name, getattr(node, name)) for name in _PLACE if hasattr(node, name))


def _value(value: Any) -> Any:  # noqa: ANN401  (a node, several, a name, a constant's value)
    if isinstance(value, list):
        return [_value(one) for one in cast("list[Any]", value)]
    return copied(value) if isinstance(value, ast.AST) else value
