"""Where a function reads what was baked in."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.source.parsing import parse

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Function


def first_reading(function: Function, name: str) -> int | None:
    """The first line of a function that reads an array by the user's name for it: `w`, `self.w`, `cfg['w']`.

    None where the source is not known, or does not name it: a helper may read it.
    """
    tree = parse(function) if name else None
    if tree is None:
        return None
    kind = ast.Name if name.isidentifier() else ast.Attribute | ast.Subscript
    reads = (node for node in ast.walk(tree) if isinstance(node, kind))
    lines = [node.lineno for node in reads if isinstance(node.ctx, ast.Load) and ast.unparse(node) == name]
    return min(lines) - 2 + (function.line or 1) if lines else None
