"""Texts that a program makes of traced values, and the `jax.debug.print` that shows the same when the program runs."""

from __future__ import annotations

import ast
import re

from jax_trace_viz.session.errors.sites import code

_PERCENT = re.compile(r"%(?P<spec>[-+ 0]*\d*(?:\.\d+)?)(?P<kind>[sdifgeEFG%])")


def debug_print(node: ast.AST) -> str | None:
    """`jax.debug.print` for a call of `print`, or for a text; None where its form does not tell what is shown."""
    parts = _Parts()
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
        if node.keywords or any(isinstance(given, ast.Starred) for given in node.args):
            return None
        for place, given in enumerate(node.args):
            parts.text += " " if place else ""
            if not parts.add(given):
                parts.value(given, "")
    elif not parts.add(node):
        return None
    return f"jax.debug.print({', '.join([_quoted(parts.text), *parts.values])})"


class _Parts:
    """A format of `str.format`, and what goes into it."""

    def __init__(self) -> None:
        self.text = ""
        self.values: list[str] = []

    def add(self, node: ast.AST) -> bool:
        """Adds a text; whether its form is known."""
        match node:
            case ast.Constant(value=str(text)):
                self._plain(text)
            case ast.JoinedStr(values=values):
                return all(map(self._piece, values))
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
                return self._percent(text, right.elts if isinstance(right, ast.Tuple) else [right])
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format")):
                return self._formatted(text, node)
            case ast.Call(func=ast.Name(id="format"), args=[value, ast.Constant(value=str(spec))], keywords=[]):
                self.value(value, f":{spec}")
            case _:
                return False
        return True

    def value(self, node: ast.expr, spec: str) -> None:
        """Adds a value, by its name where it has one."""
        text = code(node)
        name = text if text.isidentifier() else "value"
        taken = {one.partition("=")[0]: one.partition("=")[2] for one in self.values}
        base, number = name, 2
        while taken.get(name, text) != text:
            name, number = f"{base}{number}", number + 1
        if name not in taken:
            self.values.append(f"{name}={text}")
        self.text += f"{{{name}{spec}}}"

    def _plain(self, text: str) -> None:
        self.text += text.replace("{", "{{").replace("}", "}}")

    def _piece(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Constant):
            self._plain(str(node.value))
            return True
        if not isinstance(node, ast.FormattedValue) or node.conversion != -1:
            return False
        specs = node.format_spec.values if isinstance(node.format_spec, ast.JoinedStr) else []
        if not all(isinstance(part, ast.Constant) for part in specs):
            return False
        self.value(node.value, "".join(f":{part.value}" for part in specs if isinstance(part, ast.Constant)))
        return True

    def _percent(self, text: str, values: list[ast.expr]) -> bool:
        left, end = list(values), 0
        for found in _PERCENT.finditer(text):
            self._plain(text[end : found.start()])
            end = found.end()
            if found["kind"] == "%":
                self.text += "%"
            elif not left:
                return False
            else:
                kind = found["kind"] if found["kind"] in "feEFgG" else ""
                self.value(left.pop(0), f":{found['spec']}{kind}" if found["spec"] or kind else "")
        self._plain(text[end:])
        return not left and "%" not in text[end:]

    def _formatted(self, text: str, node: ast.Call) -> bool:
        if self.text or self.values or any(isinstance(given, ast.Starred) for given in node.args):
            return False
        self.text = text
        self.values = [*map(code, node.args), *(f"{word.arg}={code(word.value)}" for word in node.keywords if word.arg)]
        return True


def _quoted(text: str) -> str:
    """As Python writes it, in double quotes where that is as simple."""
    written = repr(text)
    return f'"{written[1:-1]}"' if written.startswith("'") and '"' not in written and "\\'" not in written else written
