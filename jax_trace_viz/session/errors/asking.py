"""Who asks for a truth value: the operand of a condition whose value was missing, and what needed it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.sites import code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.session.errors.problems import Problem

_WORDS: dict[type, str] = {
    ast.If: "`if`",
    ast.IfExp: "`… if … else …`",
    ast.While: "`while`",
    ast.Assert: "`assert`",
    ast.comprehension: "the `if` of a comprehension",
}

_BY_BUILTINS = {
    **dict.fromkeys(("any", "all"), "the value of each element"),
    **dict.fromkeys(("max", "min", "sorted", "list", "tuple", "set", "sum", "next"), "the result of a comparison"),
}
"""What builtins ask for themselves, before whoever takes their result."""
_COMPARING = {"sort", "index", "count", "remove"}
"""Methods of lists that compare their elements."""


def asked_operand(test: ast.AST, problem: Problem) -> ast.AST | None:
    """The operand of `and`, `or` and `not` that had no value; None if neither the place nor the equations tell."""
    leaves = list(_leaves(test))
    if len(leaves) == 1:
        return leaves[0]
    known = problem.origin.own if problem.origin is not None else ()
    found = [leaf for leaf in leaves if any(code(leaf) == step for step in known)]
    if not found:  # before Python 3.12 the place may be another operand's, so it comes second
        place = problem.node
        found = [leaf for leaf in leaves if any(place is node for node in ast.walk(leaf))]
    return found[0] if len(found) == 1 else None


def asker(test: ast.AST, asked: ast.AST | None, user: ast.AST | None, otherwise: str) -> str:
    """What needed the operand's truth value: `and` and `or` ask all operands but the last, which their user asks."""
    by_user = _WORDS.get(type(user), f"Python, at `{otherwise}`,")
    if asked is None:
        return by_user if user is not None else f"`{code(test)}`"
    here, who = test, by_user
    while here is not asked:
        if isinstance(here, ast.BoolOp):
            part = next(value for value in here.values if any(asked is node for node in ast.walk(value)))
            if part is not here.values[-1]:
                who = f"`{'and' if isinstance(here.op, ast.And) else 'or'}` in `{code(here)}`"
        elif isinstance(here, ast.UnaryOp):
            who, part = f"`{code(here)}`", here.operand
        else:
            break
        here = part
    compares = isinstance(asked, ast.Compare) and (len(asked.ops) > 1 or isinstance(asked.ops[0], ast.In | ast.NotIn))
    name = asked.func.id if isinstance(asked, ast.Call) and isinstance(asked.func, ast.Name) else ""
    builtin = isinstance(asked, ast.Call) and (user is None or name in _BY_BUILTINS)
    return f"`{code(asked)}`" if compares or builtin else who


def what_is_asked(node: ast.AST, user: ast.AST | None, problem: Problem) -> str | None:
    """Which value is needed, where it is one that has no expression of its own.

    Args:
        node: The operand that had no value.
        user: The statement or expression that it decides; None for a call that asks inside.
        problem: The error.
    """
    what: str | None = None
    match node:
        case ast.Compare(ops=[_, _, *_]):
            what = "the value of each of its parts"
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            what = "the result of each comparison"
        case ast.Compare():
            what = "the result of each comparison" if compares_parts(node, problem) else None
        case ast.Call(func=ast.Name(id=name)):
            what = _BY_BUILTINS.get(name)
        case ast.Call(func=ast.Attribute(attr=name)) if name in _COMPARING:
            what = "the result of a comparison"
        case ast.Call() if user is None and problem.value() == "":
            what = "a truth value"
        case _:
            pass
    return what


def compares_parts(node: ast.Compare, problem: Problem) -> bool:
    """Whether two containers are compared: Python then asks for the truth of each pair of parts."""
    arguments = problem.origin.arguments if problem.origin is not None else ()
    sides = [code(side) for side in (node.left, node.comparators[0])]
    equal = isinstance(node.ops[0], ast.Eq | ast.NotEq)
    return equal and any(path.startswith((f"{side}[", f"{side}.")) for side in sides for path in arguments)


def _leaves(test: ast.AST) -> Iterator[ast.AST]:
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _leaves(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _leaves(test.operand)
    else:
        yield test
