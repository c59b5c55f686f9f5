"""Which assignment a name has its value from where it is used."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCKS = ("body", "orelse", "finalbody")


def binding_of(name: str, use: ast.AST, definition: ast.FunctionDef) -> tuple[ast.Assign | ast.AnnAssign | None, bool]:
    """The assignment that surely gave a name its value, and whether that is certain.

    Args:
        name: The variable.
        use: The statement that uses it.
        definition: The function that holds both.

    Returns:
        The assignment, or None for what was bound outside of the function's body: a parameter; and whether nothing else
        can have bound the name.
    """
    path = _path(definition, use)
    if path is None:
        return None, False
    for holder, block, place in reversed(path):
        if isinstance(holder, ast.For | ast.While | ast.Try | ast.With | ast.Match) and binds(holder, name):
            inside = _last(name, block[:place])
            return (None, False) if isinstance(holder, ast.Try) else _certain(inside)
        found = _last(name, block[:place])
        if found is not None:
            return _certain(found)
    return None, True


def _certain(statement: ast.stmt | None) -> tuple[ast.Assign | ast.AnnAssign | None, bool]:
    """An assignment whose right-hand side tells what each of its names is."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return None, False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    unpacks = any(isinstance(target, ast.Tuple | ast.List) for target in targets)
    several = unpacks and isinstance(statement.value, ast.Tuple | ast.List)
    plain = all(isinstance(target, ast.Name | ast.Tuple | ast.List) for target in targets)
    return (statement, True) if plain and not several else (None, False)


def binds(node: ast.AST, name: str) -> bool:
    """Whether something in a piece of source gives the name a value, or takes it away."""
    for one in ast.walk(node):
        stored = isinstance(one, ast.Name) and one.id == name and not isinstance(one.ctx, ast.Load)
        defined = isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == name
        if stored or defined or (isinstance(one, ast.Global | ast.Nonlocal) and name in one.names):
            return True
    return False


def _last(name: str, statements: list[ast.stmt]) -> ast.stmt | None:
    """The last statement of these that may bind the name."""
    return next((one for one in reversed(statements) if binds(one, name)), None)


def _path(node: ast.AST, use: ast.AST) -> list[tuple[ast.AST, list[ast.stmt], int]] | None:
    """The blocks from a function down to a statement: what holds each, and the place in it."""
    for block in _blocks(node):
        for place, statement in enumerate(block):
            if statement is use:
                return [(node, block, place)]
            inner = _path(statement, use)
            if inner is not None:
                return [(node, block, place), *inner]
    return None


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for part in _BLOCKS:
        block = getattr(node, part, None)
        if isinstance(block, list):
            yield block
    for part in ("handlers", "cases"):
        for one in getattr(node, part, ()):
            yield one.body
