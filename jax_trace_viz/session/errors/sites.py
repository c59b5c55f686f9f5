"""The piece of the user's source where an error was raised, as a syntax tree."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.session.source.parsing import parse, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jax_trace_viz.contract.document import Function, TraceError

_LONGEST = 80

SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
"""What has names of its own."""


@dataclass(frozen=True)
class Site:
    """An expression or statement, and what it stands in."""

    node: ast.AST
    parents: tuple[ast.AST, ...] = ()
    """Innermost first."""

    @property
    def text(self) -> str:
        """The node as source on one line."""
        return code(self.node)

    def of(self, node: ast.AST) -> Site | None:
        """The place of a node that is this one or stands around it."""
        chain = (self.node, *self.parents)
        place = next((place for place, one in enumerate(chain) if one is node), None)
        return None if place is None else Site(node, chain[place + 1 :])

    def around(self, node: ast.AST) -> ast.AST | None:
        """What a node stands in that is this one or stands around it."""
        site = self.of(node)
        return site.parent if site is not None else None

    @property
    def parent(self) -> ast.AST | None:
        """What it stands in."""
        return self.parents[0] if self.parents else None


def locate(functions: Iterable[Function], error: TraceError) -> Site | None:
    """Finds the expression that an error came through last, or None where its source is not known."""
    for function in _around(functions, error):
        tree = parse(function)
        if tree is None or function.line is None or error.line is None:
            continue
        shift = function.line - 2  # the tree's second line is the function's first
        wanted = (error.line - shift, error.column, (error.end_line or error.line) - shift, error.end_column)
        best: Site | None = None
        with suppress(RecursionError):
            for site in _walk(tree, ()):
                if _span(site.node) == wanted and not (best is not None and isinstance(best.node, ast.expr)):
                    best = site  # an expression rather than the statement that is nothing else
        if best is not None:
            return best
    return None


def located(source: str | None) -> Site | None:
    """The expression with this text, where no more than its text is known."""
    if not source:
        return None
    tree = tree_of(f"({source})", "eval") or tree_of(f"f{source!r}", "eval")  # the second for a part of a text
    body = tree.body if isinstance(tree, ast.Expression) else None
    return Site(body) if body is not None and not _is_plain_text(body) else None


def _is_plain_text(node: ast.expr) -> bool:
    """What is no expression and holds none: the text itself."""
    return isinstance(node, ast.JoinedStr) and not any(isinstance(part, ast.FormattedValue) for part in node.values)


def enclosing_function(site: Site | None) -> ast.FunctionDef | None:
    """The innermost function around a place; None where that is not known, or none."""
    parents = site.parents if site is not None else ()
    return next((one for one in parents if isinstance(one, ast.FunctionDef)), None)


def code(node: ast.AST) -> str:
    """A syntax tree as source on one line, cut where it is long."""
    try:
        text = " ".join(ast.unparse(node).split())
    except (ValueError, RecursionError):  # a number of thousands of digits, an expression of thousands of terms
        return "…"
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def function_around(functions: Iterable[Function], error: TraceError) -> Function | None:
    """The innermost recorded function around the line of an error."""
    return next(iter(_around(functions, error)), None)


def first_argument(node: ast.AST | None) -> str:
    """The first positional argument of a call, as source; empty if there is none."""
    return code(node.args[0]) if isinstance(node, ast.Call) and node.args else ""


def module_function(node: ast.AST | None, modules: set[str]) -> str | None:
    """The name of a function that is called from one of these modules: `sin`, `linalg.norm`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    module, _, rest = code(node.func).partition(".")
    return rest if module in modules and all(part.isidentifier() for part in rest.split(".")) else None


def called_as(name: str, call: ast.Call) -> str:
    """The same call of another function."""
    return code(ast.Call(ast.Name(name), call.args, call.keywords))


def _around(functions: Iterable[Function], error: TraceError) -> list[Function]:
    """The recorded functions around the line, the innermost first."""
    line = error.line or 0
    found = [f for f in functions if f.file == error.file and f.source and (f.line or 0) <= line <= (f.end_line or 0)]
    return sorted(found, key=lambda f: (f.end_line or 0) - (f.line or 0))


def _walk(node: ast.AST, parents: tuple[ast.AST, ...]) -> Iterator[Site]:
    yield Site(node, parents)
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, (node, *parents))


def _span(node: ast.AST) -> tuple[int, int, int, int] | None:
    if not isinstance(node, ast.expr | ast.stmt):
        return None
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0
