"""The form of a condition that works on traced values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.sites import code

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.session.errors.sites import Site

_ON_ARRAYS = {"any": "jnp.any", "all": "jnp.all", "sum": "jnp.sum", "max": "jnp.max", "min": "jnp.min"}
_OF_TWO = {"max": "jnp.maximum", "min": "jnp.minimum"}
_NAMED = (ast.Name, ast.Attribute, ast.Subscript)
_TELL_TRUTH = {
    *("all", "any", "isnan", "isinf", "isfinite", "isclose", "allclose", "array_equal", "isin", "isinstance", "bool"),
    *("logical_and", "logical_or", "logical_not", "logical_xor", "callable", "hasattr", "signbit"),
}
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def traced_form(node: ast.AST, asked: ast.AST | None = None) -> str:
    """The same condition with what works on traced values: `(0 < x) & (x < 3)` for `0 < x < 3`.

    Args:
        node: The condition.
        asked: The operand in it whose value was missing. Those before it were known, so they stay Python's: they may
            guard the others, and may be no numbers.
    """
    if isinstance(node, ast.BoolOp):
        return _of_operands(node, asked)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"jnp.logical_not({traced_form(node.operand, asked)})"
    if isinstance(node, ast.Compare):
        return _comparison(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _builtin(node, node.func.id, asked)
    return code(node)


def value_form(node: ast.AST, asked: ast.AST | None, is_bool: Callable[[ast.AST], bool]) -> str:
    """The same as `traced_form` where the result is used as a value: `a or b` is one of both, not true or false.

    Args:
        node: The expression.
        asked: As in `traced_form`.
        is_bool: Whether an operand that says it by its form no more than a name does is true or false.
    """
    if not isinstance(node, ast.BoolOp) or all(_is_bool(part, is_bool) for part in node.values):
        return traced_form(node, asked)
    word = "and" if isinstance(node.op, ast.And) else "or"
    place = next((i for i, part in enumerate(node.values) if asked is not None and asked in ast.walk(part)), 0)
    *operands, text = [value_form(part, None, is_bool) for part in node.values[place:]]
    for part in reversed(operands):
        text = f"jnp.where({part}, {text}, {part})" if word == "and" else f"jnp.where({part}, {part}, {text})"
    return f" {word} ".join([*map(code, node.values[:place]), text])


def method_form(call: ast.Call, site: Site | None) -> str | None:
    """What a method of a list that compares does, on an array; None for others."""
    if not isinstance(call.func, ast.Attribute) or call.keywords:
        return None
    array, given = f"jnp.asarray({code(call.func.value)})", [code(one) for one in call.args]
    match call.func.attr, given:
        case "index", [value]:
            return f"jnp.argmax({array} == {value})"
        case "count", [value]:
            return f"jnp.sum({array} == {value})"
        case "sort", [] if isinstance(call.func.value, ast.Name) and site and isinstance(site.parent, ast.Expr):
            return f"{code(call.func.value)} = jnp.sort({array})"
        case _:
            return None


def _is_bool(node: ast.AST, otherwise: Callable[[ast.AST], bool]) -> bool:
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
            return True
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return _is_bool(operand, otherwise)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor()) | ast.BoolOp():
            parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
            return all(_is_bool(part, otherwise) for part in parts)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _TELL_TRUTH:
            return True
        case _:
            return otherwise(node)


def _of_operands(node: ast.BoolOp, asked: ast.AST | None) -> str:
    name, word = ("jnp.logical_and", "and") if isinstance(node.op, ast.And) else ("jnp.logical_or", "or")
    place = next((i for i, part in enumerate(node.values) if asked is not None and asked in ast.walk(part)), 0)
    known, left = node.values[:place], node.values[place:]
    text = traced_form(left[0], asked)
    for part in left[1:]:
        text = f"{name}({text}, {traced_form(part)})"
    return f" {word} ".join([*map(_as_bool, known), text])


def _as_bool(node: ast.AST) -> str:
    text = code(node)
    return text if isinstance(node, ast.Compare) else f"bool({text})"


def _comparison(node: ast.Compare) -> str:
    operands = [node.left, *node.comparators]
    triples = zip(operands, node.ops, operands[1:], strict=False)
    parts = [_pair(left, op, right) for left, op, right in triples]
    return parts[0] if len(parts) == 1 else " & ".join(f"({part})" for part in parts)


def _pair(left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
    if not isinstance(op, ast.In | ast.NotIn):
        return code(ast.Compare(left, [op], [right]))
    text = f"jnp.isin({code(left)}, {_as_array(right)})"
    return text if isinstance(op, ast.In) else f"~{text}"


def _builtin(node: ast.Call, name: str, asked: ast.AST | None) -> str:
    given, words, text = node.args, {word.arg for word in node.keywords}, code(node)
    if any(isinstance(part, ast.Starred) for part in given):
        return text
    if name in _ON_ARRAYS and len(given) == 1 and words <= {"default"}:
        text = f"{_ON_ARRAYS[name]}({_as_array(given[0])})"
    elif words:
        pass
    elif name in _OF_TWO and len(given) > 1:
        text = code(given[0])
        for part in given[1:]:
            text = f"{_OF_TWO[name]}({text}, {code(part)})"
    elif name == "sorted" and len(given) == 1:
        text = f"jnp.sort({_as_array(given[0])})"
    elif name == "bool" and len(given) == 1:
        text = traced_form(given[0], asked)
    return text


def _as_array(node: ast.expr) -> str:
    """What Python goes through, as one array: functions of `jax.numpy` take neither generators nor lists."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _ORDERS):
        return code(node)  # lists have no such order that gives something to go through
    if isinstance(node, ast.GeneratorExp):
        node = ast.ListComp(node.elt, node.generators)
    elif isinstance(node, ast.Set):
        node = ast.List(node.elts, ast.Load())
    elif isinstance(node, ast.Dict):
        return f"jnp.asarray({code(ast.List([key for key in node.keys if key is not None], ast.Load()))})"
    elif isinstance(node, ast.Call) and code(node.func) == "list":
        return f"jnp.asarray({code(node)})"
    elif not isinstance(node, (*_NAMED, ast.List, ast.Tuple, ast.ListComp)):
        return f"jnp.asarray(list({code(node)}))"
    return f"jnp.asarray({code(node)})"
