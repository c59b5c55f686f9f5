"""Who asks for a truth value: the operand of a condition whose value was missing, and what needed it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.findings.sites import code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.session.findings.problems import Problem

_WORDS: dict[type, str] = {
    ast.If: "`if`",
    ast.IfExp: "`… if … else …`",
    ast.While: "`while`",
    ast.Assert: "`assert`",
    ast.comprehension: "the `if` of a comprehension",
}


def asked_operand(test: ast.AST, problem: Problem) -> ast.AST | None:
    """The operand of `and`, `or` and `not` that had no value; None if neither the place nor the equations tell."""
    leaves = list(_leaves(test))
    if len(leaves) == 1:
        return leaves[0]
    known = problem.origin.steps[:2] if problem.origin is not None else ()  # a name, and the expression it stands for
    found = [leaf for leaf in leaves if any(code(leaf) == step for step in known)]
    if not found:  # before Python 3.12 the place may be another operand's, so it comes second
        place = problem.site.node if problem.site is not None else None
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
    builtin = isinstance(asked, ast.Call) and isinstance(asked.func, ast.Name) and user is None
    return f"`{code(asked)}`" if compares or builtin else who


def _leaves(test: ast.AST) -> Iterator[ast.AST]:
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _leaves(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _leaves(test.operand)
    else:
        yield test
