"""Python loops that a traced value decides about, and JAX's loop that does the same, where there is one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.copying import copied
from jax_trace_viz.session.errors.forms import traced_form
from jax_trace_viz.session.errors.sites import code, enclosing_function

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.sites import Site

_NOT_IN_BODIES = (ast.Break, ast.Continue, ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal)
_OWN_NAMES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)
_WHILE = (
    "Use `jax.lax.while_loop(cond, body, state)`: all that changes from round to round must be in `state`, also what "
    "the condition reads; its body is traced once."
)
_COUNTED = "Use `jax.lax.fori_loop`, or `jax.lax.scan` to collect values: all that changes must be in its state."


def while_advice(loop: ast.While, site: Site | None) -> str:
    """`jax.lax.while_loop` with the condition and the state of this loop, or what to do in words."""
    state = _state(loop, site)
    read = {node.id for node in ast.walk(loop.test) if isinstance(node, ast.Name)}
    if not state or not read.intersection(state) or any(isinstance(n, _OWN_NAMES) for n in ast.walk(loop.test)):
        return _WHILE
    if len(state) == 1:
        condition, given = f"lambda {state[0]}: {traced_form(loop.test)}", state[0]
    else:
        test = _Parts(state).visit(copied(loop.test))
        condition, given = f"lambda state: {traced_form(test)}", f"({', '.join(state)})"
    if "…" in condition or "state" in read:  # cut because it is long, or another `state` is meant
        return _WHILE
    return f"Use `jax.lax.while_loop({condition}, body, {given})`; its body is traced once."


def range_advice(call: ast.Call, site: Site | None) -> str:
    """`jax.lax.fori_loop` with the bounds of this `range`, or what to do in words."""
    parent = site.parent if site is not None else None
    if isinstance(parent, ast.comprehension):
        return "How long a list gets must be known while tracing: take the greatest length that occurs, and a mask."
    if not isinstance(parent, ast.For) or parent.iter is not call:
        return "`range` takes known numbers only."
    given = [code(part) for part in call.args]
    if not _is_plain(parent) or not isinstance(parent.target, ast.Name) or any(map(_has_a_cast, call.args)):
        return _COUNTED
    if len(given) == 3:
        name = parent.target.id
        return f"{_COUNTED} It counts by one: with `k` for its rounds, `{name}` is `{given[0]} + k * {given[2]}`."
    bounds = ", ".join(given if len(given) == 2 else ["0", *given])
    return f"Use `jax.lax.fori_loop({bounds}, body, …)`: its body is traced once."


def is_bound_before(name: str, statement: ast.stmt, site: Site | None) -> bool:
    """Whether a function gives a name its value before it comes to a statement, as a parameter or above it."""
    function = enclosing_function(site)
    if function is None:
        return False
    if any(one.arg == name for one in ast.walk(function.args) if isinstance(one, ast.arg)):
        return True
    return any(node.id == name and node.lineno < statement.lineno for node in _stored(function))


def _state(loop: ast.While, site: Site | None) -> list[str]:
    """The names that a loop carries from round to round; empty where names alone do not tell."""
    function = enclosing_function(site)
    if function is None or loop.orelse or not _is_plain(loop):
        return []
    assigned = list(dict.fromkeys(node.id for part in loop.body for node in _stored(part)))
    carried = [name for name in assigned if is_bound_before(name, loop, site)]
    end = loop.end_lineno or loop.lineno
    later = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and n.lineno > end}
    return [] if later.intersection(assigned).difference(carried) else carried


def _is_plain(loop: ast.While | ast.For) -> bool:
    """Whether a loop's body does nothing but to give names new values."""
    for node in (node for part in loop.body for node in ast.walk(part)):
        if isinstance(node, _NOT_IN_BODIES) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
            return False
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, ast.AugAssign) and isinstance(node.value, ast.List | ast.ListComp | ast.Tuple):
            return False
    return True


def _stored(tree: ast.AST) -> list[ast.Name]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def _has_a_cast(node: ast.AST) -> bool:
    """Whether a bound is `int(x)` or the like, which fails by itself."""
    return any(isinstance(one, ast.Call) and code(one.func).split(".")[-1] in ("int", "item") for one in ast.walk(node))


class _Parts(ast.NodeTransformer):
    """Names of a loop's state as the parts of one tuple."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self._names:
            return node
        return ast.Subscript(ast.Name("state", ast.Load()), ast.Constant(self._names.index(node.id)), ast.Load())
