"""Statements that do something beside computing: Python does that while it traces, and never again."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.source.syntax import own_nodes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_CHANGING = frozenset(
    {"add", "append", "clear", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update", "write"}
)
"""Methods that change what they are called on."""
_CHANGING_TOO = frozenset({"pop", "popitem", "setdefault"})
"""Those of them that do so where their result is used."""
_LOGGERS = frozenset({"logging", "logger", "log", "warnings"})
_LEVELS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log"})
_WRITING = frozenset({"write", "writelines", "write_text", "write_bytes", "flush", "writerow", "writerows"})
_BUILTINS = frozenset({"print", "input"})
_OUTWARD = frozenset(
    {
        ("time", "time"),
        ("time", "time_ns"),
        ("time", "perf_counter"),
        ("time", "monotonic"),
        ("time", "sleep"),
        ("np", "save"),
        ("np", "savez"),
        ("np", "savetxt"),
        ("json", "dump"),
        ("pickle", "dump"),
        ("os", "makedirs"),
        ("os", "remove"),
    }
)
"""Functions of modules that read a clock or write files."""


class Effects:
    """Tells the statements of one function that have side effects.

    Args:
        definition: The function.
        outer: Names that it declares `global` or `nonlocal`.
        local: Names that it binds itself.
        parameters: Its parameters.
    """

    def __init__(
        self, definition: ast.FunctionDef, outer: Collection[str], local: Collection[str], parameters: Collection[str]
    ) -> None:
        self._outer = outer
        self._local = local
        self._parameters = parameters
        self._passed = frozenset(parameters) - {"self"}
        self._files = frozenset(_files(definition))

    def has(self, node: ast.stmt) -> bool:
        """Whether a simple statement has one."""
        if isinstance(node, ast.Expr):
            alone = node.value
            return (isinstance(alone, ast.Call) and self._changes(alone, _CHANGING)) or self._calls(node)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return any(self._is_outside(target) for target in targets) or self._calls(node)
        if isinstance(node, ast.Delete):
            return any(self._is_outside(target) for target in node.targets)
        return isinstance(node, ast.Return) and self._calls(node)

    def _calls(self, node: ast.stmt) -> bool:
        calls = (one for one in own_nodes(node) if isinstance(one, ast.Call))
        return any(self._is_outward(call) or self._changes(call, _CHANGING_TOO) for call in calls)

    def _is_outward(self, call: ast.Call) -> bool:
        """Prints, logs, writes a file, reads a clock, or draws a random number of NumPy's."""
        made = call.func
        if isinstance(made, ast.Name):
            return made.id in _BUILTINS and made.id not in self._local
        if not isinstance(made, ast.Attribute):
            return False
        names = _names(made)
        root, last = names[0], names[-1]
        if root in self._files:
            return last in _WRITING
        if root is None or root in self._local or root in self._passed:
            return False
        logs = any((name or "").strip("_").lower() in _LOGGERS for name in names[:-1])
        drawn = root in ("np", "numpy") and names[1:2] == ["random"]
        return (logs and last in _LEVELS) or drawn or (root, last) in _OUTWARD or last in ("write_text", "write_bytes")

    def _changes(self, call: ast.Call, methods: Collection[str]) -> bool:
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in methods:
            return False
        root = _root(call.func.value)
        return root is not None and self._comes_from_outside(root)

    def _is_outside(self, target: ast.expr) -> bool:
        if isinstance(target, ast.Tuple | ast.List):
            return any(self._is_outside(part) for part in target.elts)
        if isinstance(target, ast.Name):
            return target.id in self._outer
        if isinstance(target, ast.Subscript | ast.Attribute):
            root = _root(target)
            return root is not None and self._comes_from_outside(root)
        return False

    def _comes_from_outside(self, name: str) -> bool:
        """A global, a variable of an enclosing function, or an object that was passed under the name `self`."""
        return name not in self._local and (name not in self._parameters or name == "self")


def _files(definition: ast.FunctionDef) -> Iterator[str]:
    """Names that stand for what `open` returned."""
    for node in ast.walk(definition):
        if isinstance(node, ast.withitem):
            given, target = node.context_expr, node.optional_vars
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            given, target = node.value, node.targets[0]
        else:
            continue
        if isinstance(given, ast.Call) and isinstance(target, ast.Name):
            opened = given.func.attr if isinstance(given.func, ast.Attribute) else ""
            if opened == "open" or (isinstance(given.func, ast.Name) and given.func.id == "open"):
                yield target.id


def _names(node: ast.expr) -> list[str | None]:
    """`['self', 'log', 'info']` of `self.log.info`; calls and items on the way are passed over."""
    names: list[str | None] = []
    while True:
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        else:
            names.append(node.id if isinstance(node, ast.Name) else None)
            return names[::-1]


def _root(node: ast.expr) -> str | None:
    """The variable that an attribute or an item is read of."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
