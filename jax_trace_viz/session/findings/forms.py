"""The form of a condition that works on traced values."""

from __future__ import annotations

import ast

from jax_trace_viz.session.findings.sites import code

_ON_ARRAYS = {"any": "jnp.any", "all": "jnp.all", "sum": "jnp.sum", "max": "jnp.max", "min": "jnp.min"}
_OF_TWO = {"max": "jnp.maximum", "min": "jnp.minimum"}
_NAMED = (ast.Name, ast.Attribute, ast.Subscript)


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
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _builtin(node, node.func.id, asked)
    return code(node)


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
    given = node.args
    if any(isinstance(part, ast.Starred) for part in given):
        return code(node)
    if name in _ON_ARRAYS and len(given) == 1:
        return f"{_ON_ARRAYS[name]}({_as_array(given[0])})"
    if name in _OF_TWO and len(given) > 1:
        text = code(given[0])
        for part in given[1:]:
            text = f"{_OF_TWO[name]}({text}, {code(part)})"
        return text
    if name == "sorted" and len(given) == 1:
        return f"jnp.sort({_as_array(given[0])})"
    if name == "bool" and len(given) == 1:
        return traced_form(given[0], asked)
    return code(node)


def _as_array(node: ast.expr) -> str:
    """What Python goes through, as one array: functions of `jax.numpy` take neither generators nor lists."""
    if isinstance(node, ast.GeneratorExp):
        node = ast.ListComp(node.elt, node.generators)
    elif isinstance(node, ast.Set):
        node = ast.List(node.elts, ast.Load())
    elif not isinstance(node, (*_NAMED, ast.List, ast.Tuple, ast.ListComp)):
        return f"jnp.asarray(list({code(node)}))"
    return f"jnp.asarray({code(node)})"
