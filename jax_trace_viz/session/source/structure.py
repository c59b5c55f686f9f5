"""What a function's source is made of, as far as lines can be marked: branches, loops, side effects, bindings."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jax_trace_viz.session.source.bindings import rebound_in
from jax_trace_viz.session.source.branches import Branch, branches_of
from jax_trace_viz.session.source.effects import Effects
from jax_trace_viz.session.source.parsing import parse
from jax_trace_viz.session.source.statements import suite_of
from jax_trace_viz.session.source.syntax import DEFINITIONS, own_nodes

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Function
    from jax_trace_viz.session.source.bindings import Bound
    from jax_trace_viz.session.source.statements import Statement

_LOOPS = (ast.For, ast.While)
_NAMING = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar,
)  # fmt: skip
"""What binds the one name that it has."""


@dataclass(frozen=True)
class Loop:
    """A `for` or `while` without its `else`, which runs once; `line` is its head."""

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

    body: tuple[Statement, ...] = ()
    branches: list[Branch] = field(default_factory=list[Branch])
    lasting: frozenset[str] = frozenset()
    """Parameters that are never bound anew."""
    loops: list[Loop] = field(default_factory=list[Loop])
    effects: list[Effect] = field(default_factory=list[Effect])
    rebound: tuple[Bound, ...] = ()
    """Certain bindings of names that are bound on several lines."""


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
        own = list(own_nodes(definition))
        outer = {name for node in own if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
        bound = {node.id for node in own if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        arguments = definition.args
        named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        self._parameters = {argument.arg for argument in named}
        self._local = bound - outer
        self._effects = Effects(definition, outer, self._local, self._parameters)

    def read(self) -> Structure:
        found = Structure(
            body=suite_of(self._definition.body, self._shift),
            branches=branches_of(self._definition, self._shift),
            lasting=frozenset(self._parameters - self._local - _bound_elsewhere(self._definition)),
            rebound=rebound_in(self._definition, self._shift),
        )
        for node in own_nodes(self._definition):
            if isinstance(node, _LOOPS):
                self._loop(node, found)
            elif isinstance(node, ast.stmt) and self._effects.has(node):
                line, end = node.lineno + self._shift, (node.end_lineno or node.lineno) + self._shift
                found.effects.append(
                    Effect(line, end, node in self._definition.body and not self._may_end_before(node))
                )
        return found

    def _loop(self, node: ast.For | ast.While, found: Structure) -> None:
        inner = tuple(
            [
                (n.lineno + self._shift, (n.end_lineno or n.lineno) + self._shift)
                for n in own_nodes(node)
                if isinstance(n, _LOOPS)
            ]
        )
        first = next((s for s in node.body if not suite_of([s], 0)[0].silent), node.body[0])
        last = first.test if isinstance(first, ast.If) else first
        body = first.lineno + self._shift, (last.end_lineno or first.lineno) + self._shift
        plain = not isinstance(first, (*_LOOPS, ast.Try, ast.Match, ast.With, *DEFINITIONS))
        counts = plain and (isinstance(node, ast.For) or first.lineno > node.lineno)
        end = node.body[-1].end_lineno or node.body[-1].lineno
        found.loops.append(Loop(node.lineno + self._shift, body, end + self._shift, inner, counts))

    def _may_end_before(self, statement: ast.stmt) -> bool:
        """Whether the function may return or raise before it comes to one of its own statements."""
        before = self._definition.body[: self._definition.body.index(statement)]
        return any(isinstance(n, ast.Return | ast.Raise | ast.Try) for s in before for n in (s, *own_nodes(s)))


def _bound_elsewhere(definition: ast.FunctionDef) -> set[str]:
    """Names that are bound by other means than assignment, or may be from a function inside."""
    found: set[str] = set()
    for node in ast.walk(definition):
        if isinstance(node, ast.Nonlocal | ast.Global):
            found.update(node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.MatchMapping):
            found.add(node.rest or "")
        elif isinstance(node, _NAMING):
            found.add(node.name or "")
    return found
