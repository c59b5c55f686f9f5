"""Which statements of a function did not run, by the lines that were seen to."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_SILENT = (ast.Global, ast.Nonlocal, ast.Pass, ast.Continue, ast.Break)
"""Statements whose line may not be seen to run."""


@dataclass(frozen=True)
class Statement:
    """One statement, with its lines as in the file."""

    line: int
    head_end: int
    """Where what runs first ends: a whole simple statement, the test of an `if`."""
    end_line: int
    silent: bool
    suites: tuple[tuple[Statement, ...], ...]
    """Statements inside, those that run together in one part each."""


def suite_of(statements: Sequence[ast.stmt], shift: int) -> tuple[Statement, ...]:
    """The statements of a body; `shift` is added to their lines."""
    return tuple([_statement(one, shift) for one in statements])


def _statement(node: ast.stmt, shift: int) -> Statement:
    end = node.end_lineno or node.lineno
    suites = [] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else list(_suites(node))
    first = min((suite[0].lineno for suite in suites), default=end + 1)
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    declared = isinstance(node, ast.AnnAssign) and node.value is None
    return Statement(
        line=min(node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ())), node.lineno) + shift,
        head_end=max(node.lineno, first - 1 if suites else end) + shift,
        end_line=end + shift,
        silent=isinstance(node, _SILENT) or constant or declared,
        suites=tuple([suite_of(suite, shift) for suite in suites]),
    )


def _suites(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The bodies of a compound statement: branches, loop and `else`, handlers, cases."""
    for part in ("body", "orelse", "finalbody"):
        suite: list[ast.stmt] = getattr(node, part, [])
        if suite:
            yield suite
    for part in ("handlers", "cases"):
        for one in getattr(node, part, ()):
            yield one.body


def not_run(suite: Sequence[Statement], lines: Mapping[int, int]) -> list[tuple[int, int]]:
    """First and last lines of the stretches of statements that did not run, in order.

    Args:
        suite: The statements of a body that began to run.
        lines: How often each line was come to.
    """
    found: list[tuple[int, int]] = []
    open_since: int | None = None
    until = 0
    for statement in suite:
        if statement.silent:
            continue
        if _ran(statement, lines):
            if open_since is not None:
                found.append((open_since, until))
                open_since = None
            for inner in statement.suites:
                found += not_run(inner, lines)
        else:
            open_since = statement.line if open_since is None else open_since
            until = statement.end_line
    if open_since is not None:
        found.append((open_since, until))
    return found


def _ran(statement: Statement, lines: Mapping[int, int]) -> bool:
    return any(lines.get(line) for line in range(statement.line, statement.head_end + 1)) or any(
        _ran(inner, lines) for suite in statement.suites for inner in suite
    )
