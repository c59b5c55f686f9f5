"""What a name holds before a statement, as far as the source and the arguments tell."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.kinds import may_be_an_array
from jax_trace_viz.session.errors.sites import code, enclosing_function

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem


def holds_an_array(place: str, statement: ast.stmt, problem: Problem) -> bool:
    """Whether a name, an attribute or an item surely exists before a statement, and may be an array or a number.

    Args:
        place: As the source reads it.
        statement: Where it is to be read.
        problem: The error, whose trace knows its arguments.
    """
    function = enclosing_function(problem.site)
    if function is None:
        return False
    if not place.isidentifier():
        return any(_reads(node, place, statement) for node in ast.walk(function))
    stored = (node for node in ast.walk(function) if isinstance(node, ast.stmt) and _stores(node, place))
    before = [node for node in stored if node.lineno < statement.lineno]
    if before:
        newest = max(before, key=lambda node: node.lineno)
        value = newest.value if isinstance(newest, ast.Assign | ast.AnnAssign | ast.AugAssign) else None
        return value is None or isinstance(value, ast.Tuple) or may_be_an_array(value)
    return _is_a_parameter(place, function, problem)


def _is_a_parameter(name: str, function: ast.FunctionDef, problem: Problem) -> bool:
    given = function.args
    if all(one.arg != name for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)):
        return False
    if problem.own_trace is not None and problem.own_trace.arguments:
        return any(one.path == name and one.role != "static" for one in problem.own_trace.arguments)
    plain = [*given.posonlyargs, *given.args]
    pairs = [*zip(reversed(plain), reversed(given.defaults), strict=False)]
    pairs += [(one, value) for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None]
    return all(may_be_an_array(value) for one, value in pairs if one.arg == name)


def _stores(node: ast.stmt, name: str) -> bool:
    """Whether a statement gives a name its value."""
    match node:
        case ast.Assign(targets=targets):
            parts = [part for target in targets for part in ast.walk(target)]
        case ast.AnnAssign(target=target, value=ast.expr()) | ast.AugAssign(target=target) | ast.For(target=target):
            parts = [*ast.walk(target)]
        case ast.With(items=items):
            parts = [part for item in items if item.optional_vars for part in ast.walk(item.optional_vars)]
        case _:
            return False
    return any(isinstance(part, ast.Name) and part.id == name for part in parts)


def _reads(node: ast.AST, place: str, statement: ast.stmt) -> bool:
    """Whether a place is read, or was written, no later than in a statement."""
    if not isinstance(node, ast.Attribute | ast.Subscript) or code(node) != place:
        return False
    end = statement.end_lineno or statement.lineno
    return (node.end_lineno or 0) <= (end if isinstance(node.ctx, ast.Load) else statement.lineno - 1)
