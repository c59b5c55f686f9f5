"""Where a needed value comes from by the source alone: un-jitted `vmap`, `grad` and `jvp` stage no equations that tell.

Each step must be certain. A name that may hold something else at its line, or a call that need not use all it is given,
leads nowhere.
"""

from __future__ import annotations

import ast
import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.binding import binding_of
from jax_trace_viz.session.errors.sites import code
from jax_trace_viz.session.provenance import Provenance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jax_trace_viz.contract.document import Trace
    from jax_trace_viz.contract.source import Annotation
    from jax_trace_viz.session.errors.sites import Site

_TRACED = ("traced", "mixed")
_STATIC = frozenset({"aval", "device", "devices", "dtype", "itemsize", "nbytes", "ndim", "shape", "sharding", "size"})
"""Attributes of a traced value that are no traced values."""
_LIKE = frozenset({"zeros_like", "ones_like", "full_like", "empty_like", "shape", "ndim", "size", "result_type", "len"})
"""Functions that take no more of an array than its shape and type."""
_ARRAY = re.compile(r"[a-z]+\d*(<\w+>)?\[[\d,]*\]~?")
_OF_ARRAYS = re.compile(r"(jnp|np|numpy|jax\.(numpy|nn|scipy|lax)|lax)\.[\w.]*")
"""Functions that use each array that they are given, but for those that are named above and below."""
_CALLING = frozenset({
    "apply_along_axis", "apply_over_axes", "associative_scan", "cond", "custom_linear_solve", "custom_root",
    "fori_loop", "map", "piecewise", "reduce", "scan", "switch", "vectorize", "while_loop",
})  # fmt: skip
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_UNCLEAR = (
    *_COMPREHENSIONS, ast.Lambda, ast.NamedExpr, ast.IfExp, ast.BoolOp, ast.Await, ast.Yield, ast.YieldFrom,
    ast.Starred,
)  # fmt: skip
"""What does not use all that is written in it, or uses it later."""


def written(site: Site, trace: Trace, marks: Sequence[Annotation], shift: int, *, numpys: bool) -> Provenance | None:
    """Where the value that was needed at a place comes from; None where that is not certain.

    Args:
        site: The place, in the function that was traced itself.
        trace: The trace, which has no equations.
        marks: What its names were.
        shift: How many lines the marks' lines are greater than those of the syntax tree.
        numpys: Whether it was NumPy that needed the value: it takes none that is traced, also where it is known.
    """
    scopes = (ast.FunctionDef, ast.Lambda, *_COMPREHENSIONS)
    scope = next((one for one in site.parents if isinstance(one, scopes)), None)
    if not isinstance(scope, ast.FunctionDef | ast.Lambda) or trace.parent is not None:
        return None
    return _Search(scope, trace, marks, shift, numpys=numpys).look(site)


@dataclass(frozen=True, eq=False)
class _Use:
    """A traced name or path that an expression uses, and where."""

    node: ast.expr
    name: str
    at: ast.AST
    """The statement, or the lambda's body."""


class _Search:
    def __init__(
        self,
        definition: ast.FunctionDef | ast.Lambda,
        trace: Trace,
        marks: Sequence[Annotation],
        shift: int,
        *,
        numpys: bool,
    ) -> None:
        self._definition = definition
        self._numpys = numpys
        self._given = {argument.path: argument.type for argument in trace.arguments}
        self._at_entry = {mark.name: mark for mark in marks if mark.binding == "parameter"}
        self._bound = {mark.name: mark for mark in marks if mark.binding == "local"}
        own = definition.args
        self._parameters = {one.arg for one in (*own.posonlyargs, *own.args, *own.kwonlyargs)}
        self._traced = {mark.name for mark in marks if mark.status in _TRACED}
        self._shift = shift

    def look(self, site: Site) -> Provenance | None:
        statement = next((one for one in (site.node, *site.parents) if isinstance(one, ast.stmt)), None)
        at = statement if isinstance(self._definition, ast.FunctionDef) else self._definition.body
        needed = None if at is None else self._needed(site, at)
        if at is None or needed is None:
            return None
        uses = self._uses(needed, at)
        came: dict[_Use, _Use | None] = dict.fromkeys(uses)
        left, ends = deque(uses), list[_Use]()
        while left:
            use = left.popleft()
            value = self._value_of(use)
            if value is None:
                ends += [use] if use.name in self._parameters and self._binding(use) is None else []
                continue
            for inner in self._uses(*value):
                if (inner.name, inner.at) not in {(one.name, one.at) for one in came}:
                    came[inner] = use
                    left.append(inner)
        return self._told(needed, at, came, ends) if ends else None

    def _needed(self, site: Site, at: ast.AST) -> ast.expr | None:
        """The expression whose value was needed."""
        node = site.node
        if any(isinstance(one, ast.BoolOp) for one in site.parents[:2]):
            return None  # before Python 3.12 the place may be another operand's
        while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node = node.operand
        if isinstance(node, ast.Subscript):
            node = node.slice
            parts = [node.lower, node.upper, node.step] if isinstance(node, ast.Slice) else [node]
        elif isinstance(node, ast.Call):
            receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            parts = [*receiver, *node.args, *(one.value for one in node.keywords)]
        else:
            parts = [node]
        traced = [part for part in parts if isinstance(part, ast.expr) and self._uses(part, at)]
        return traced[0] if len(traced) == 1 else None

    def _uses(self, expression: ast.expr, at: ast.AST) -> list[_Use]:
        """The traced names that surely decide what an expression is; those that stand for a batch, if that matters."""
        found = [_Use(node, name, at) for node, name in self._names(expression)]
        found = [use for use in found if self._mark(use) is not None]
        batched = [use for use in found if self._is_batched(use)]
        return batched if batched and not self._numpys else found

    def _names(self, node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
        if isinstance(node, _UNCLEAR):
            return
        if isinstance(node, ast.Attribute) and node.attr in _STATIC:
            return
        if isinstance(node, ast.Attribute | ast.Subscript) and code(node) in self._given:
            yield node, code(node).partition(".")[0].partition("[")[0]
            return
        if isinstance(node, ast.Call):
            inner = [one for part in ast.iter_child_nodes(node) for one in self._names(part)]
            name = code(node.func).rpartition(".")[2]
            if name not in _LIKE and (self._uses_all(node.func) or len({name for _, name in inner}) == 1):
                yield from inner
        elif isinstance(node, ast.Name) and node.id in self._traced:
            yield node, node.id
        else:
            for part in ast.iter_child_nodes(node):
                yield from self._names(part)

    def _uses_all(self, function: ast.expr) -> bool:
        """Whether a function surely uses all it is given: one of JAX's or NumPy's, or a method of an array."""
        if not isinstance(function, ast.Attribute) or function.attr in _CALLING:
            return False
        receiver = code(function.value)
        mark = self._bound.get(receiver) or self._at_entry.get(receiver)
        is_array = mark is not None and _ARRAY.fullmatch(mark.type) is not None
        return is_array or _OF_ARRAYS.fullmatch(code(function)) is not None

    def _binding(self, use: _Use) -> ast.Assign | ast.AnnAssign | None:
        if isinstance(self._definition, ast.Lambda):
            return None
        return binding_of(use.name, use.at, self._definition)[0]

    def _mark(self, use: _Use) -> Annotation | None:
        """What a name was where it is used, if that is known, and traced."""
        if isinstance(self._definition, ast.Lambda):
            mark = self._at_entry.get(use.name)
        else:
            binding, is_certain = binding_of(use.name, use.at, self._definition)
            if not is_certain:
                return None
            mark = (self._at_entry if binding is None else self._bound).get(use.name)
            lines = (0, 0) if binding is None else (binding.lineno, binding.end_lineno or binding.lineno)
            if mark is not None and binding is not None and not lines[0] <= mark.line - self._shift <= lines[1]:
                return None  # it was bound again later
        return mark if mark is not None and mark.status in _TRACED else None

    def _is_batched(self, use: _Use) -> bool:
        mark = self._mark(use)
        return mark is not None and any(holder.startswith("vmap") for holder in mark.tracers)

    def _value_of(self, use: _Use) -> tuple[ast.expr, ast.AST] | None:
        """What was assigned to a name, and where; None for a parameter."""
        binding = self._binding(use)
        return None if binding is None or binding.value is None else (binding.value, binding)

    def _told(self, needed: ast.expr, at: ast.AST, came: dict[_Use, _Use | None], ends: list[_Use]) -> Provenance:
        path: list[_Use] = []
        here: _Use | None = ends[0]
        while here is not None:
            path.append(here)
            here = came[here]
        arguments = list(dict.fromkeys(code(end.node) for end in ends))
        steps, own = [code(needed)], [code(needed)]
        for use in reversed(path):
            value = self._value_of(use)
            steps += [code(use.node), *([] if value is None else [code(value[0])])]
        if isinstance(needed, ast.Name):
            own = steps[1:3] if steps[1] == steps[0] and len(steps) > 2 else own
        first = self._mark(next(use for use in came if came[use] is None))
        whole = isinstance(needed, ast.Name) and first is not None
        return Provenance(
            name=own[0],
            type=first.type if whole and first is not None else "",
            steps=tuple(dict.fromkeys(steps)),
            own=tuple(own),
            arguments=tuple(arguments),
            types=tuple(self._type_of(one, ends) for one in arguments),
            outside=False,
            holders=tuple(dict.fromkeys(h for use in came if came[use] is None for h in self._holders(use))),
        )

    def _holders(self, use: _Use) -> list[str]:
        mark = self._mark(use)
        return [] if mark is None else [one for one in mark.tracers if one != "known"]

    def _type_of(self, argument: str, ends: list[_Use]) -> str:
        if argument in self._given:
            return self._given[argument]
        mark = next((self._at_entry.get(end.name) for end in ends if code(end.node) == argument), None)
        return mark.type if mark is not None else ""
