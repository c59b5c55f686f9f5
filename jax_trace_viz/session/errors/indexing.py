"""Lists, tuples and arrays of NumPy that a traced value indexes."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.kinds import may_be_an_array
from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code, enclosing_function

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem
    from jax_trace_viz.session.errors.sites import Site

_INDEXER = re.compile(r"got indexer with type (?P<type>\w+)")
_FUNCTIONS = (ast.Name, ast.Attribute, ast.Lambda)


def indexed(node: ast.Subscript, problem: Problem) -> str:
    """What takes a traced index in place of this: an array, or `jax.lax.switch` for functions."""
    table, index = node.value, code(node.slice)
    items = _items(table, problem.site)
    call = problem.site.parent if problem.site is not None else None
    if isinstance(call, ast.Call) and call.func is node and not call.keywords:
        given = ", ".join([index, code(table), *map(code, call.args)])
        return f"`jax.lax.switch({given})` calls the one that is chosen.{problem.or_static}"
    if items is not None and not all(map(may_be_an_array, items)):
        return f"What `{code(table)}` holds are no arrays: index it outside of the jitted function.{problem.or_static}"
    form = f"`jnp.asarray({code(table)})[{index}]` takes a traced index"
    certain = (items is not None and not any(isinstance(one, _FUNCTIONS) for one in items)) or problem.is_numpys
    condition = "" if certain else f", if `{code(table)}` holds numbers, or arrays of one shape"
    return f"{form}{condition}.{problem.or_static}"


def of_indexer(problem: Problem) -> Explanation:
    """An index that is no whole number."""
    node = problem.node
    found = _INDEXER.search(problem.message)
    kind = f" (`{found['type']}`)" if found else ""
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Tuple | ast.Slice):
        return Explanation(f"an index must be a whole number, and here it is another{kind}", "Give it `.astype(int)`.")
    index = code(node.slice)
    cast = f"{index if index.isidentifier() else f'({index})'}.astype(int)"
    why = f"the index `{index}` of `{code(node.value)}` must be a whole number, and is another{kind}"
    return Explanation(why, f"`{code(node.value)}[{cast}]` cuts it down to whole numbers.")


def _items(table: ast.expr, site: Site | None) -> list[ast.expr] | None:
    """What a list is written to hold; None where that is not known."""
    if isinstance(table, ast.List | ast.Tuple):
        return table.elts
    function = enclosing_function(site)
    if function is None or not isinstance(table, ast.Name):
        return None
    given = [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == table.id for t in node.targets)
    ]
    return given[0].elts if len(given) == 1 and isinstance(given[0], ast.List | ast.Tuple) else None
