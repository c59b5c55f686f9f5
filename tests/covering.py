"""A pytest plugin (`-p tests.covering`) that notes which statements of the capture and of the session have run.

Coverage tools see nothing of what runs inside the callbacks of `sys.monitoring` and of profilers, and there the capture
does much of its work. So an import hook compiles each module with a note before each statement, which changes no frame.
At the end the notes go to the file that `JAX_TRACE_VIZ_COVERED` names, as JSON: file → statements, and those that ran,
by line. `make coverage` adds them up.
"""

from __future__ import annotations

import ast
import builtins
import json
import os
import pathlib

from tests.rewriting import rewrite_modules

VARIABLE = "JAX_TRACE_VIZ_COVERED"
PACKAGES = ("jax_trace_viz.capture.", "jax_trace_viz.session.")
STATEMENTS: dict[str, set[int]] = {}
RAN: dict[str, set[int]] = {}


def _noted(tree: ast.Module, _name: str, path: str) -> ast.AST:
    name = f"__covered_{len(RAN)}__"
    lines, ran = STATEMENTS.setdefault(path, set()), RAN.setdefault(path, set())
    setattr(builtins, name, ran.add)
    return _Noting(name, lines).visit(tree)


class _Noting(ast.NodeTransformer):
    """Adds `name(line)` before each statement that does something, and the line to `lines`."""

    def __init__(self, name: str, lines: set[int]) -> None:
        self._name, self._lines = name, lines

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list) and not _is_for_types(node, field):
                setattr(node, field, [one for statement in body for one in self._noted(statement)])
        return node

    def _noted(self, statement: ast.stmt) -> list[ast.stmt]:
        if not _does_something(statement):
            return [statement]
        self._lines.add(statement.lineno)
        call = ast.Call(ast.Name(self._name, ast.Load()), [ast.Constant(statement.lineno)], [])
        return [ast.copy_location(ast.Expr(call), statement), statement]


def _is_for_types(node: ast.AST, field: str) -> bool:
    """`if TYPE_CHECKING:`"""
    return field == "body" and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _does_something(statement: ast.stmt) -> bool:
    """Docstrings, `...`, `pass` and declarations do nothing; imports from the future stay first."""
    if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
        return False
    is_constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return not is_constant and not isinstance(statement, ast.Pass | ast.Global | ast.Nonlocal)


def pytest_sessionfinish() -> None:
    """Writes what ran."""
    root = pathlib.Path(__file__).parents[1]
    notes = {
        str(pathlib.Path(path).relative_to(root)): {"statements": sorted(lines), "ran": sorted(RAN[path])}
        for path, lines in STATEMENTS.items()
    }
    pathlib.Path(os.environ[VARIABLE]).write_text(json.dumps(notes), encoding="utf-8")


rewrite_modules(PACKAGES, _noted)
