"""The user's own words for what an equation does, from the recorded source of the functions.

Every answer comes from the exact span of an expression. Where the source is not there, or was recorded in two versions,
there is no answer: a wrong name would be worse than none.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.source.parsing import parse, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jax_trace_viz.contract.document import Function
    from jax_trace_viz.contract.jaxpr import Frame

_Span = tuple[int, int, int, int]
_LONGEST, _SHORT = 160, 30


class _Names(NamedTuple):
    """What a piece of source binds."""

    targets: dict[_Span, tuple[str, ...]]
    """The span of an assigned expression → the names it is assigned to; several if it is unpacked."""
    whole: frozenset[_Span]
    """Spans whose value goes to each of the names as it is (`a = b = …`)."""


@dataclass(slots=True)
class Assignment:
    """`names = expression`. `unpacked`: the value is a tuple and each name receives a part of it."""

    names: tuple[str, ...]
    unpacked: bool

    @property
    def text(self) -> str:
        """The names as they stand in the source."""
        return (", " if self.unpacked else " = ").join(self.names)


@dataclass(slots=True)
class Sources:
    """Source text of the recorded functions, by file and line."""

    functions: Iterable[Function]
    _by_file: dict[str, list[Function]] = field(default_factory=dict[str, "list[Function]"])
    _parsed: dict[str, _Names] = field(default_factory=dict[str, _Names])
    _expressions: dict[tuple[str, _Span], ast.expr | None] = field(
        default_factory=dict[tuple[str, _Span], "ast.expr | None"]
    )

    def __post_init__(self) -> None:
        by_file: defaultdict[str, list[Function]] = defaultdict(list)
        for function in self.functions:
            if function.source and function.file and function.line:
                by_file[function.file].append(function)
        self._by_file = dict(by_file)

    def read_ahead(self, frames: Iterable[Frame]) -> None:
        """Parses all that may be asked of these frames."""
        for frame in frames:
            self.expression(frame)
            self.assignment(frame)

    def expression(self, frame: Frame) -> ast.expr | None:
        """The expression that a frame was evaluating, parsed from its own text only."""
        key = frame.file, _span(frame)
        if key not in self._expressions:
            self._expressions[key] = self._parse_slice(frame)
        return self._expressions[key]

    def text(self, frame: Frame) -> str:
        """Text of the expression on one line, or nothing."""
        node = self.expression(frame)
        return ast.unparse(node)[:_LONGEST] if node is not None else ""

    def line(self, frame: Frame) -> str:
        """The whole source line on which the frame's expression begins."""
        found = self._covering(frame.file, frame.line, frame.line)
        return found[1][0].strip() if found else ""

    def call_name(self, frame: Frame) -> str:
        """`jnp.mean` for a call, the text of any other expression, or nothing."""
        node = self.expression(frame)
        if isinstance(node, ast.Call):
            return _method(node.func) if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        if isinstance(node, ast.Tuple | ast.List):  # no such expression computes: values are unpacked into its parts
            return "unpack " + ", ".join(map(ast.unparse, node.elts))
        return ast.unparse(node) if node is not None else ""

    def is_call(self, frame: Frame) -> bool:
        """Whether the expression is a function call."""
        return isinstance(self.expression(frame), ast.Call)

    def assignment(self, frame: Frame) -> Assignment | None:
        """What receives exactly this expression, if it is the whole right-hand side of an assignment."""
        found = self._covering(frame.file, frame.line, frame.end_line)
        if not found or not found[1] or not frame.end_column:
            return None
        names = self._names(found[0])
        targets = names.targets.get(_span(frame))
        return Assignment(targets, _span(frame) not in names.whole) if targets else None

    def returned(self, function: Function) -> list[str]:
        """What the parts that a function returns are called, if it has one `return`; empty for those without a name."""
        tree = parse(function)
        own = next((node for node in ast.walk(tree) if isinstance(node, _DEFS)), None) if tree else None
        if own is None or own.name != function.name:
            return []
        returns = [node for node in _own_nodes(own) if isinstance(node, ast.Return)]
        if len(returns) != 1 or returns[0].value is None:
            return []
        value = returns[0].value
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        return [] if any(isinstance(part, ast.Starred) for part in parts) else list(map(_called, parts))

    def _covering(self, file: str, line: int, end_line: int) -> tuple[Function, list[str]] | None:
        """The smallest recorded function around these lines, and their text; None if two recordings disagree."""
        best: Function | None = None
        texts: set[tuple[str, ...]] = set()
        for function in self._by_file.get(file, ()):
            first, last = function.line or 0, function.end_line or 0
            if first <= line and end_line <= last and function.source:
                texts.add(tuple(function.source.split("\n")[line - first : end_line - first + 1]))
                if best is None or last - first < (best.end_line or 0) - (best.line or 0):
                    best = function
        return (best, list(texts.pop())) if best is not None and len(texts) == 1 else None

    def _parse_slice(self, frame: Frame) -> ast.expr | None:
        found = self._covering(frame.file, frame.line, frame.end_line)
        if not found or not found[1] or not frame.end_column:
            return None
        raw = [line.encode() for line in found[1]]  # columns count UTF-8 bytes
        raw[-1] = raw[-1][: frame.end_column]
        raw[0] = raw[0][frame.column :]
        tree = tree_of("(" + b"\n".join(raw).decode(errors="replace") + "\n)", "eval")
        return tree.body if isinstance(tree, ast.Expression) else None

    def _names(self, function: Function) -> _Names:
        if function.id not in self._parsed:
            tree = parse(function)
            self._parsed[function.id] = (
                _assignments(tree, (function.line or 1) - 2) if tree else _Names({}, frozenset())
            )
        return self._parsed[function.id]


_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _called(part: ast.expr) -> str:
    """`x`, `state.params`, `grads['w']`; nothing for what is computed."""
    inner: ast.expr = part
    while isinstance(inner, ast.Attribute) or (
        isinstance(inner, ast.Subscript) and isinstance(inner.slice, ast.Constant)
    ):
        inner = inner.value
    return ast.unparse(part) if isinstance(inner, ast.Name) else ""


def _method(function: ast.Attribute) -> str:
    """`jnp.mean`, `x.at[i].set`; `(…).mean` for a method of what is computed: the edges show the receiver."""
    receiver = function.value
    if isinstance(receiver, ast.Name | ast.Attribute):
        return ast.unparse(function)
    if not (isinstance(receiver, ast.Subscript) and isinstance(receiver.value, ast.Name | ast.Attribute)):
        return f"(…).{function.attr}"
    text = ast.unparse(function)
    return text if len(text) <= _SHORT else f"{ast.unparse(receiver.value)}[…].{function.attr}"


def _span(frame: Frame) -> _Span:
    return frame.line, frame.column, frame.end_line, frame.end_column


def _own_nodes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.AST]:
    """All nodes of a function's body, without those of functions defined inside it."""
    found: list[ast.AST] = []
    left: list[ast.AST] = list(function.body)
    while left:
        node = left.pop()
        found.append(node)
        if not isinstance(node, (*_DEFS, ast.Lambda, ast.ClassDef)):
            left += ast.iter_child_nodes(node)
    return found


def _assignments(tree: ast.Module, offset: int) -> _Names:
    """All assignments of a module, with `offset` added to their lines."""
    targets: dict[_Span, tuple[str, ...]] = {}
    whole: set[_Span] = set()

    def bind(target: list[ast.expr], node: ast.expr | ast.stmt) -> None:
        span = (node.lineno + offset, node.col_offset, (node.end_lineno or 0) + offset, node.end_col_offset or 0)
        first = target[0]
        if len(target) == 1 and isinstance(first, ast.Tuple | ast.List):
            targets[span] = tuple(ast.unparse(part) for part in first.elts)
        else:
            targets[span] = tuple(ast.unparse(part) for part in target)
            whole.add(span)

    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            if isinstance(node.value, ast.Tuple) and isinstance(node.targets[0], ast.Tuple):
                if len(node.targets) == 1 and len(node.value.elts) == len(node.targets[0].elts):
                    for part, value in zip(node.targets[0].elts, node.value.elts, strict=True):
                        bind([part], value)  # `a, b = b, a + b`: each part has its own expression
            else:
                bind(node.targets, node.value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            bind([node.target], node.value)
        elif isinstance(node, ast.AugAssign):
            bind([node.target], node)  # `x += y`: the whole statement is the operation
    return _Names(targets, frozenset(whole))
