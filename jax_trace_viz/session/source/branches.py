"""Branches that surely did not run, where not all lines that ran are known (before Python 3.12)."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

_PLAIN = (
    ast.Expression,
    ast.Name,
    ast.Constant,
    ast.Compare,
    ast.BoolOp,
    ast.UnaryOp,
    ast.Tuple,
    ast.expr_context,
    ast.boolop,
    ast.unaryop,
    ast.cmpop,
)
"""What a test may be made of to be worked out from plain values."""
_Lines = tuple[int, int]


@dataclass(frozen=True)
class Branch:
    """An `if` with lines as in the file; `orelse` is None where there is no other branch."""

    test: ast.expr
    body: _Lines
    orelse: _Lines | None
    repeated: bool
    """It stands in a loop, so that both branches may run."""


def branches_of(definition: ast.FunctionDef, shift: int) -> list[Branch]:
    """The branches of a function's own body, outer ones first; `shift` is added to their lines."""
    return list(_branches(definition.body, shift, repeated=False))


def _branches(statements: list[ast.stmt], shift: int, *, repeated: bool) -> Iterator[Branch]:
    for node in statements:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.If) and node.body[0].lineno > node.lineno:
            orelse = _lines(node.orelse, shift) if node.orelse else None
            yield Branch(node.test, _lines(node.body, shift), orelse, repeated)
        inside = repeated or isinstance(node, ast.For | ast.While)
        for part in ("body", "orelse", "finalbody"):
            yield from _branches(getattr(node, part, []), shift, repeated=inside)
        for part in ("handlers", "cases"):
            for one in getattr(node, part, ()):
                yield from _branches(one.body, shift, repeated=inside)


def _lines(statements: list[ast.stmt], shift: int) -> _Lines:
    last = statements[-1]
    return statements[0].lineno + shift, (last.end_lineno or last.lineno) + shift


def surely_not_run(branches: list[Branch], staged: Collection[int], values: Mapping[str, str]) -> list[_Lines]:
    """First and last lines of branches that did not run.

    Args:
        branches: The function's, outer ones first.
        staged: Lines of the function that staged equations; empty if it was run more than once meanwhile.
        values: Names that stay what they were when the function was called → their values, as Python writes them.
    """
    found: list[_Lines] = []
    for branch in branches:
        if any(first <= branch.body[0] <= last for first, last in found):
            continue
        taken = _worked_out(branch.test, values)
        if taken is None and not branch.repeated:
            taken = _taken(branch, staged)
        left_out = branch.orelse if taken else branch.body if taken is not None else None
        if left_out is not None:
            found.append(left_out)
    return found


def _taken(branch: Branch, staged: Collection[int]) -> bool | None:
    """An `if` outside of loops takes one branch: the one with equations."""
    if any(branch.body[0] <= line <= branch.body[1] for line in staged):
        return True
    other = branch.orelse
    return False if other and any(other[0] <= line <= other[1] for line in staged) else None


def _worked_out(test: ast.expr, values: Mapping[str, str]) -> bool | None:
    """What a test of names with plain values and of constants gives; None if it is of anything else."""
    known: dict[str, Any] = {}
    for node in ast.walk(test):
        if not isinstance(node, _PLAIN):
            return None
        if isinstance(node, ast.Name):
            if node.id not in values:
                return None
            try:
                known[node.id] = ast.literal_eval(values[node.id])
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                return None
    try:
        # Plain values only, and nothing that could be called.
        code = compile(ast.Expression(test), "<test>", "eval")
        return bool(eval(code, {"__builtins__": {}}, known))  # noqa: S307
    except Exception:  # noqa: BLE001  (`1 < 'a'`: then the trace failed there)
        return None
