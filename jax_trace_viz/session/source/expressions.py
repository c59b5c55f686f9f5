"""Which equations each expression of the user's source staged, by the exact spans that equations carry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.contract.expression import Expression, Expressions
from jax_trace_viz.session.records import Records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.expression import Phase
    from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr
    from jax_trace_viz.session.recorded.jaxprs import Jaxprs
    from jax_trace_viz.session.recorded.traces import Traces

_MOST_EQUATIONS = 20_000
"""Expressions are not looked up in larger jaxprs."""
_MOST_EXPRESSIONS = 500
_MOST_PRIMITIVES = 6
_MOST_TYPES = 4
_MAPPED = re.compile(r"\bvmap\(")


class TracedExpressions:
    """Looks up the expressions of each trace when they are asked for, once its jaxpr is there."""

    def __init__(self) -> None:
        self._records: Records[Expressions] = Records()
        self._due: dict[str, None] = {}

    def staged(self, trace: str) -> None:
        """Its jaxpr was told."""
        self._due[trace] = None

    def catch_up(self, version: int, traces: Traces, jaxprs: Jaxprs) -> Records[Expressions]:
        """Those of all traces."""
        due, self._due = self._due, {}
        for identifier in due:
            jaxpr = traces.records[identifier].jaxpr
            record = None if jaxpr is None else jaxprs.records.get(jaxpr)
            if record is not None:
                found = expressions_in(identifier, record, jaxprs.all_frames)
                self._records.put(identifier, found, version)
        return self._records


def expressions_in(trace: str, jaxpr: Jaxpr, frames: Sequence[Frame]) -> Expressions:
    """The expressions that staged the equations of a jaxpr, those of the functions it called included.

    Args:
        trace: Id of the trace that left the jaxpr.
        jaxpr: The jaxpr. Jaxprs inside it belong to traces of their own, or to JAX.
        frames: The frames that its equations name by index.
    """
    groups: dict[_Key, list[Equation]] = {}
    chains: dict[int, tuple[Frame, ...]] = {}
    users = _uses(jaxpr)
    for equation in jaxpr.equations if len(jaxpr.equations) <= _MOST_EQUATIONS else ():
        if equation.frame is None:
            continue
        chain = chains.get(equation.frame)
        if chain is None:
            chain = chains[equation.frame] = _user_frames(equation.frame, frames)
        phase, mapped = _phase(equation.scope), _MAPPED.search(equation.scope) is not None
        for frame in chain:
            span = frame.file, frame.line, frame.column, frame.end_line, frame.end_column
            groups.setdefault(_Key(*span, phase, mapped), []).append(equation)
    keys = sorted(groups, key=_order)[:_MOST_EXPRESSIONS]
    return Expressions(trace=trace, expressions=[_expression(key, groups[key], jaxpr, users) for key in keys])


class _Key(NamedTuple):
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    phase: Phase
    mapped: bool


def _order(key: _Key) -> tuple[str, int, int, int, int, int, bool]:
    """By place, what holds others before them; the forward pass before the backward pass."""
    return (
        key.file,
        key.line,
        key.column,
        -key.end_line,
        -key.end_column,
        ("", "forward", "backward").index(key.phase),
        key.mapped,
    )


def _expression(key: _Key, equations: list[Equation], jaxpr: Jaxpr, users: dict[int, int]) -> Expression:
    primitives = list(dict.fromkeys(equation.primitive for equation in equations))
    inside: dict[int, int] = {}
    for equation in equations:
        for given in equation.inputs:
            if not isinstance(given, str):
                inside[given] = inside.get(given, 0) + 1
    made = [output for equation in equations for output in equation.outputs]
    leaving = [output for output in made if users.get(output, 0) > inside.get(output, 0)]
    types = list(dict.fromkeys(jaxpr.types[output] for output in leaving or made[-1:]))
    return Expression(
        file=key.file,
        line=key.line,
        column=key.column,
        end_line=key.end_line,
        end_column=key.end_column,
        equations=len(equations),
        primitives=primitives[:_MOST_PRIMITIVES],
        types=types[:_MOST_TYPES],
        phase=key.phase,
        mapped=key.mapped,
    )


def _uses(jaxpr: Jaxpr) -> dict[int, int]:
    """Variable → how often equations and the result use it."""
    counts: dict[int, int] = {}
    for inputs in (jaxpr.outputs, *(equation.inputs for equation in jaxpr.equations)):
        for given in inputs:
            if not isinstance(given, str):
                counts[given] = counts.get(given, 0) + 1
    return counts


def _user_frames(index: int | None, frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The user's frames of a call chain whose columns are known, each span once: a function may call itself."""
    found: dict[tuple[str, int, int, int, int], Frame] = {}
    while index is not None:
        frame = frames[index]
        if frame.origin == "user" and frame.end_column:
            found[frame.file, frame.line, frame.column, frame.end_line, frame.end_column] = frame
        index = frame.parent
    return tuple(found.values())


def _phase(scope: str) -> Phase:
    """Which part of differentiation an equation belongs to, by JAX's own name stack."""
    if "transpose(" in scope:
        return "backward"
    return "forward" if "jvp(" in scope else ""
