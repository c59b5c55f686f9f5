"""What of a syntax tree is a function's own."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
"""What has a namespace of its own, or names what is in it anew."""


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes inside, without those of functions and classes defined there, in order."""
    for child in ast.iter_child_nodes(node):
        if isinstance(node, DEFINITIONS) and not isinstance(child, ast.stmt):
            continue  # decorators, parameters and defaults are no part of the body
        yield child
        if not isinstance(child, DEFINITIONS):
            yield from own_nodes(child)
