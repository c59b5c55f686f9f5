"""What an `if` does, as one expression for a traced condition: both branches, and `jnp.where` between them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple, cast

from jax_trace_viz.session.errors.copying import copied
from jax_trace_viz.session.errors.forms import traced_form
from jax_trace_viz.session.errors.kinds import is_static, may_be_an_array
from jax_trace_viz.session.errors.sites import code, enclosing_function
from jax_trace_viz.session.source.parsing import tree_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jax_trace_viz.session.errors.sites import Site

    Known = Callable[[str], bool]
    """Whether a name (or a place such as `self.total`) surely holds an array or a number before the `if`."""

_LONGEST = 160


class _Result(NamedTuple):
    """What a piece of code gives back, and what it leaves in names, in terms of what they held before."""

    values: dict[str, ast.expr]
    returned: ast.expr | None


def chosen(test: str, user: ast.AST, site: Site | None, known: Known) -> str | None:
    """The code to write in place of an `if`; None where there is none that surely does the same.

    Args:
        test: The condition, in the form that works on traced values.
        user: The `if` statement or expression.
        site: Where the error was raised.
        known: What holds an array or a number before.
    """
    condition = _parsed(test)
    if condition is None:
        return None
    if isinstance(user, ast.IfExp):
        text = _expression(condition, user, site)
    else:
        text = _statement(condition, user, site, known) if isinstance(user, ast.If) else None
    return text if text and len(text) <= _LONGEST and "…" not in text else None


def computes_arrays(user: ast.AST) -> bool:
    """Whether the branches may compute arrays: texts and objects cannot be chosen by a traced condition."""
    if isinstance(user, ast.IfExp):
        return may_be_an_array(user.body) and may_be_an_array(user.orelse)
    parts = [*user.body, *user.orelse] if isinstance(user, ast.If) else []
    values = [part.value for part in parts if isinstance(part, ast.Assign | ast.Return)]
    return all(value is None or isinstance(value, ast.Tuple) or may_be_an_array(value) for value in values)


def _statement(test: ast.expr, user: ast.If, site: Site | None, known: Known) -> str | None:
    """`return jnp.where(…)`, or `name = jnp.where(…)` for all that is read after the `if`."""
    rest = _following(user, site) if _returns([user]) else []
    then, other = _run([*user.body, *rest], {}, known), _run([*user.orelse, *rest], {}, known)
    if then is None or other is None or (then.returned is None) != (other.returned is None):
        return None
    if then.returned is not None and other.returned is not None:
        merged = _merge(test, then.returned, other.returned)
        return merged and f"return {_text(merged)}"
    values = _joined(test, then.values, other.values, known, lambda place: _is_read_later(place, user, site))
    if not values or any(isinstance(value, ast.Tuple) for value in values.values()):
        return None
    return f"{', '.join(values)} = {', '.join(map(_text, values.values()))}"


def _expression(test: ast.expr, user: ast.IfExp, site: Site | None) -> str | None:
    """A conditional expression; one that chooses between functions, with their call."""
    merged = _merge(test, user.body, user.orelse)
    if not all(isinstance(one, ast.Name | ast.Attribute | ast.Lambda) for one in (user.body, user.orelse)):
        return merged and _text(merged)
    call = site.around(user) if site is not None else None
    if not isinstance(call, ast.Call) or call.func is not user:
        return merged and _text(merged)
    if call.keywords or any(isinstance(given, ast.Starred) for given in call.args):
        return None
    return f"jax.lax.cond({', '.join(map(_text, [test, user.body, user.orelse, *call.args]))})"


def _run(block: Sequence[ast.stmt], values: dict[str, ast.expr], known: Known) -> _Result | None:
    """What some statements do, up to the first `return`; None where they do more than to compute."""
    values = dict(values)
    for place, statement in enumerate(block):
        if isinstance(statement, ast.Return):
            return None if statement.value is None else _Result(values, _with(values, statement.value))
        if isinstance(statement, ast.If) and _returns([statement]):
            return _returning(statement, block[place + 1 :], values, known)
        given = _given(statement, values, known)
        if given is None:
            return None
        values |= given
    return _Result(values, None)


def _given(statement: ast.stmt, values: dict[str, ast.expr], known: Known) -> dict[str, ast.expr] | None:
    """What one statement gives to names; None where it does more."""
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return {}
        case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
            new = _with(values, value)
        case ast.AugAssign(target=target, op=op, value=value) if may_be_an_array(value):
            new = ast.BinOp(_with(values, _parsed(code(target)) or target), op, _with(values, value))
        case ast.If(test=test, body=body, orelse=orelse):
            then, other = _run(body, values, known), _run(orelse, values, known)
            return then and other and _joined(_with(values, test), then.values, other.values, known)
        case _:
            return None
    key = _place(target)
    return None if key is None else {key: new}


def _returning(
    statement: ast.If, rest: Sequence[ast.stmt], values: dict[str, ast.expr], known: Known
) -> _Result | None:
    """An `if` in a branch, with a `return` in it: what follows belongs to the branches that go on."""
    then, other = _run([*statement.body, *rest], values, known), _run([*statement.orelse, *rest], values, known)
    if then is None or other is None or then.returned is None or other.returned is None:
        return None
    merged = _either(_with(values, statement.test), then.returned, other.returned)
    return None if merged is None else _Result(values, merged)


def _joined(
    test: ast.expr,
    then: dict[str, ast.expr],
    other: dict[str, ast.expr],
    known: Known,
    wanted: Callable[[str], bool] | None = None,
) -> dict[str, ast.expr] | None:
    """The values after an `if`: those it was given where a branch leaves them as they were.

    Args:
        test: The condition; without `wanted` as it stands in the source, with it in its traced form.
        then: What the one branch leaves.
        other: What the other one leaves.
        known: What holds an array or a number before.
        wanted: Which of them are read later.
    """
    out: dict[str, ast.expr] = {}
    for place in dict.fromkeys([*then, *other]):
        if wanted is not None and not wanted(place):
            continue
        before = _parsed(place)
        if before is None or ((place not in then or place not in other) and not known(place)):
            return None
        both = then.get(place, before), other.get(place, before)
        merged = _either(test, *both) if wanted is None else _merge(test, *both)
        if merged is None:
            return None
        out[place] = merged
    return out


def _either(test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr | None:
    if code(yes) == code(no):
        return yes
    if is_static(test):
        return ast.IfExp(test, yes, no)
    condition = _parsed(traced_form(test))
    return None if condition is None else _merge(condition, yes, no)


def _merge(test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr | None:
    """One expression for two: part by part where both are tuples; None where they are no arrays of one shape."""
    if isinstance(yes, ast.Tuple) and isinstance(no, ast.Tuple) and len(yes.elts) == len(no.elts):
        pairs = zip(yes.elts, no.elts, strict=True)
        parts = [part for one, two in pairs if (part := _merge(test, one, two)) is not None]
        return ast.Tuple(parts, ast.Load()) if len(parts) == len(yes.elts) else None
    if code(yes) == code(no):
        return yes
    if not may_be_an_array(yes) or not may_be_an_array(no) or _cuts(yes) != _cuts(no):
        return None
    try:
        both = [cast("ast.expr", _Chosen().visit(copied(one))) for one in (yes, no)]
    except _NoFormError:
        return None
    return ast.Call(ast.Attribute(ast.Name("jnp"), "where"), [test, *both], [])


class _NoFormError(Exception):
    """A part has no form that surely does the same."""


class _Chosen(ast.NodeTransformer):
    """Conditional expressions inside a branch, each in its traced form."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        found = _either(node.test, node.body, node.orelse)
        if found is None:
            raise _NoFormError
        return found


def _cuts(value: ast.AST) -> list[str]:
    """The slices in a branch: a piece of an array has another shape, and `jnp.where` needs one."""
    return sorted(code(node) for node in ast.walk(value) if isinstance(node, ast.Slice))


def _place(target: ast.AST) -> str | None:
    """What is assigned to, if it can be chosen as a whole: a name, an attribute, an item of a dict."""
    if isinstance(target, ast.Name | ast.Attribute):
        return code(target)
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        return code(target) if isinstance(target.slice.value, str) else None
    return None


def _returns(block: Sequence[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Return) for one in block for node in ast.walk(one))


def _parsed(text: str) -> ast.expr | None:
    """An expression anew, for reading; None where its text was cut."""
    tree = tree_of(text, "eval")
    return tree.body if isinstance(tree, ast.Expression) else None


class _Substituted(ast.NodeTransformer):
    """Names by what they stand for."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self._values = values

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and (found := self._values.get(code(node))):
            return copied(found)
        return super().visit(node)


def _with(values: dict[str, ast.expr], node: ast.expr) -> ast.expr:
    return cast("ast.expr", _Substituted(values).visit(copied(node))) if values else node


def _following(statement: ast.If, site: Site | None) -> list[ast.stmt]:
    """The statements after this one in the same block, where that block is a function's."""
    parent = site.around(statement) if site is not None else None
    if isinstance(parent, ast.FunctionDef | ast.With | ast.If) and statement in parent.body:
        return parent.body[parent.body.index(statement) + 1 :]
    return []


def _is_read_later(place: str, statement: ast.If, site: Site | None) -> bool:
    """Whether what is assigned is more than a helper of the branch."""
    if not place.isidentifier():
        return True
    parents = site.parents if site is not None else ()
    function = enclosing_function(site)
    if function is None or any(isinstance(one, ast.For | ast.While) for one in parents):
        return True
    end = statement.end_lineno or statement.lineno
    return any(isinstance(n, ast.Name) and n.id == place and n.lineno > end for n in ast.walk(function))


def _text(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())
