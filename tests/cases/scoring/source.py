"""What the text of a case says about its names and functions."""

from __future__ import annotations

import ast
import collections

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def binding_lines(source: str) -> dict[str, set[int]]:
    """Name → lines that bind it; for a parameter that is any line of the function's head."""
    lines: dict[str, set[int]] = collections.defaultdict(set)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Definition):
            head = _head(node)
            for parameter in _parameters(node):
                lines[parameter.arg].update(head)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            lines[node.id].add(node.lineno)
        elif isinstance(node, ast.ClassDef):
            lines[node.name].add(node.lineno)
    return lines


def _parameters(node: Definition) -> list[ast.arg]:
    spec = node.args
    variadic = [parameter for parameter in (spec.vararg, spec.kwarg) if parameter]
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, *variadic]


def _head(node: Definition) -> range:
    """Lines from the first decorator to the line before the body."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    before_body = node.body.lineno if isinstance(node, ast.Lambda) else node.body[0].lineno - 1
    last = max([node.lineno, before_body, *(parameter.lineno for parameter in _parameters(node))])
    return range(first, last + 1)


def innermost_function(source: str, line: int) -> str | None:
    """Qualified name, without `<locals>`, of the innermost function around a line."""
    found = None

    def visit(node: ast.AST, prefix: str) -> None:
        nonlocal found
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, Definition | ast.ClassDef):
                visit(child, prefix)
                continue
            name = prefix + getattr(child, "name", "<lambda>")
            around = child.lineno <= line <= (child.end_lineno or child.lineno)
            if around and not isinstance(child, ast.ClassDef):
                found = name
            visit(child, name + ".")

    visit(ast.parse(source), "")
    return found
