"""What a function's source is made of, as far as its lines can be marked: branches, loops and side effects."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.sources import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Function

_CHANGING = frozenset(
    {"add", "append", "clear", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update", "write"}
)
"""Methods that change what they are called on."""
_LOGGERS = frozenset({"logging", "logger", "log", "warnings"})
_DEFS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_SILENT = (*_DEFS, ast.Global, ast.Nonlocal, ast.Pass, ast.Continue, ast.Break)
"""Statements whose line may not be seen to run, or does at another time."""
_LOOPS = (ast.For, ast.While)


@dataclass(frozen=True)
class Block:
    """Statements that run together or not at all."""

    line: int
    """Of the first statement that leaves a trace when it runs."""
    end_line: int


@dataclass(frozen=True)
class Loop:
    """A `for` or `while`; `line` is its head."""

    line: int
    body: tuple[int, int]
    """Lines of its first statement."""
    end_line: int
    inner: tuple[tuple[int, int], ...]
    """Lines of the loops inside."""
    counts: bool
    """How often its body ran can be read off a line: a `for`, or a body on lines of its own."""


@dataclass(frozen=True)
class Effect:
    """A statement that does something beside computing. `always`: each run of the function comes by it once."""

    line: int
    end_line: int
    always: bool


@dataclass
class Structure:
    """All of it, with lines as in the file."""

    blocks: list[Block] = field(default_factory=list[Block])
    loops: list[Loop] = field(default_factory=list[Loop])
    effects: list[Effect] = field(default_factory=list[Effect])


def structure_of(function: Function) -> Structure | None:
    """Reads a function's source; empty for what is no `def`, None where it cannot be read."""
    tree = parse(function)
    if tree is None:
        return None
    definition = next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)), None)
    if definition is None or definition.name != function.qualname.rpartition(".")[2] or function.line is None:
        return Structure()
    return _Reader(definition, function.line - 2).read()


class _Reader:
    def __init__(self, definition: ast.FunctionDef, shift: int) -> None:
        self._definition = definition
        self._shift = shift
        own = list(_own(definition))
        outer = {name for node in own if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
        bound = {node.id for node in own if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self._outer = outer
        self._local = bound - outer

    def read(self) -> Structure:
        found = Structure()
        for node in _own(self._definition):
            if isinstance(node, ast.If):
                self._branches(node, found)
            elif isinstance(node, _LOOPS):
                self._loop(node, found)
            elif isinstance(node, ast.stmt) and self._has_effect(node):
                line, end = node.lineno + self._shift, (node.end_lineno or node.lineno) + self._shift
                found.effects.append(
                    Effect(line, end, node in self._definition.body and not self._may_end_before(node))
                )
        return found

    def _branches(self, node: ast.If, found: Structure) -> None:
        for block in (node.body, node.orelse):
            if len(block) == 1 and isinstance(block[0], ast.If) and block is node.orelse:
                continue  # `elif` has branches of its own
            told = self._block(block, node.test.lineno)
            if told is not None:
                found.blocks.append(told)

    def _block(self, statements: list[ast.stmt], head: int) -> Block | None:
        seen = [s for s in statements if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        if not seen or seen[0].lineno == head or isinstance(seen[0], _SILENT):
            return None
        last = statements[-1]
        return Block(seen[0].lineno + self._shift, (last.end_lineno or last.lineno) + self._shift)

    def _loop(self, node: ast.For | ast.While, found: Structure) -> None:
        end = (node.end_lineno or node.lineno) + self._shift
        inner = tuple(
            (n.lineno + self._shift, (n.end_lineno or n.lineno) + self._shift)
            for n in _own(node)
            if isinstance(n, _LOOPS) and n is not node
        )
        block = self._block(node.body, node.lineno)
        first = next((s for s in node.body if block and s.lineno + self._shift == block.line), node.body[0])
        last = first.test if isinstance(first, ast.If) else first
        body = first.lineno + self._shift, (last.end_lineno or first.lineno) + self._shift
        plain = not isinstance(first, (*_LOOPS, ast.Try, ast.Match, ast.With))
        counts = plain and (isinstance(node, ast.For) if first.lineno == node.lineno else block is not None)
        found.loops.append(Loop(node.lineno + self._shift, body, end, inner, counts))
        if block is not None:
            found.blocks.append(block)

    def _has_effect(self, node: ast.stmt) -> bool:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return self._is_effect(node.value)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            return any(self._is_outside(target) for target in targets)
        return False

    def _is_effect(self, call: ast.Call) -> bool:
        if isinstance(call.func, ast.Name):
            return call.func.id == "print" and "print" not in self._local
        if not isinstance(call.func, ast.Attribute):
            return False
        root = _root(call.func.value)
        if root in _LOGGERS and root not in self._local:
            return True
        return call.func.attr in _CHANGING and root is not None and self._comes_from_outside(root)

    def _is_outside(self, target: ast.expr) -> bool:
        if isinstance(target, ast.Name):
            return target.id in self._outer
        if isinstance(target, ast.Subscript | ast.Attribute):
            root = _root(target)
            return root is not None and self._comes_from_outside(root)
        return False

    def _comes_from_outside(self, name: str) -> bool:
        """A global, a variable of an enclosing function, or an object that was passed under the name `self`."""
        arguments = self._definition.args
        own = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        return name not in self._local and (name not in own or name == "self")

    def _may_end_before(self, statement: ast.stmt) -> bool:
        """Whether the function may return or raise before it comes to one of its own statements."""
        before = self._definition.body[: self._definition.body.index(statement)]
        return any(isinstance(n, ast.Return | ast.Raise | ast.Try) for s in before for n in (s, *_own(s)))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes inside, without those of functions and classes defined there, in order."""
    for child in ast.iter_child_nodes(node):
        if isinstance(node, _DEFS) and not isinstance(child, ast.stmt):
            continue
        yield child
        if not isinstance(child, _DEFS):
            yield from _own(child)


def _root(node: ast.expr) -> str | None:
    """The variable that an attribute or an item is read of."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
