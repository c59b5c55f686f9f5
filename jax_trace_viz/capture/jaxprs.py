"""JAX's jaxprs as plain records."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from jax._src import core

from jax_trace_viz.capture.captures import address_of
from jax_trace_viz.capture.frames import FrameTable, Start
from jax_trace_viz.capture.parameters import inner_jaxprs, parameter_texts
from jax_trace_viz.capture.scopes import scope_text
from jax_trace_viz.capture.types import type_text
from jax_trace_viz.contract.document import EquationCount
from jax_trace_viz.contract.events import JaxprSeen
from jax_trace_viz.contract.jaxpr import Equation, Jaxpr, SubJaxpr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jax_trace_viz.capture.captures import Names

_LARGEST = 2**53 - 1
"""Counts stop here, the largest whole number that JavaScript holds: nested calls multiply quickly."""

# Records are immutable, so that all equations can share these: most have none of either.
_NO_PARAMETERS: dict[str, str] = {}
_NO_JAXPRS: list[SubJaxpr] = []
_NO_EFFECTS: list[str] = []


@dataclass(slots=True, eq=False)
class _Known:
    """What stays of a jaxpr that was met, as long as that jaxpr lives or its record is told."""

    own: int
    expanded: int
    inner: tuple[_Known, ...]
    """The distinct jaxprs it calls."""
    id: str | None = None


class JaxprWriter:
    """Turns jaxprs into records, each once. Safe on any thread; keeps no jaxpr, array or tracer alive."""

    def __init__(self, *, max_equations: int = 100_000) -> None:
        """Starts an empty recording.

        Args:
            max_equations: How many equations are kept in all; further ones are counted only.
        """
        self._left = max_equations
        self._known: dict[int, tuple[weakref.ref[Any], _Known]] = {}
        self._frames = FrameTable()
        self._told = 0
        self._parameters: dict[tuple[Any, ...], dict[str, str]] = {}
        self._events: list[JaxprSeen] = []
        self._names: Names = {}
        self._lock = threading.RLock()

    def write(
        self, jaxpr: Any, *, constants: Sequence[str] = (), names: Names | None = None, replaces: str | None = None
    ) -> tuple[str, list[JaxprSeen]]:
        """Records a jaxpr and all jaxprs inside it.

        Args:
            jaxpr: A `Jaxpr` or `ClosedJaxpr`.
            constants: Names of its constants. JAX 0.12 makes jaxprs whose constants are the first inputs, and attaches
                their values later.
            names: What the user's body calls arrays, by their address: for the constants of the jaxprs inside.
            replaces: The id under which a part of it was written while it was traced.

        Returns:
            The jaxpr's id, and the events for all jaxprs not told before, innermost first.
        """
        with self._lock:
            jaxpr = getattr(jaxpr, "jaxpr", jaxpr)
            known = self._meet(jaxpr)
            self._names = names or {}
            return self._record(known, jaxpr, constants, replaces), self._take_events()

    def write_part(self, part: Part, *, replaces: str | None = None) -> tuple[str, list[JaxprSeen]]:
        """Records what a trace that goes on or failed has staged so far.

        Args:
            part: Its variables and equations.
            replaces: The id under which an earlier part of it was written.
        """
        with self._lock:
            known = self._meet(part)
            left = self._left
            name = self._record(known, part, (), replaces)
            self._left = left  # the whole, which takes the part's place, is what counts
            return name, self._take_events()

    def count(self, jaxpr: Any) -> EquationCount:
        """Equations of a jaxpr, nested ones included, without recording it."""
        with self._lock:
            known = self._meet(getattr(jaxpr, "jaxpr", jaxpr))
            distinct, seen, left = 0, set[int](), [known]
            while left:
                one = left.pop()
                if id(one) not in seen:
                    seen.add(id(one))
                    distinct += one.own
                    left += one.inner
            return EquationCount(distinct=distinct, expanded=known.expanded)

    def _constant_names(self, jaxpr: Any) -> list[str]:
        """Names of the constants of a jaxpr that holds their values itself (since JAX 0.12)."""
        values = getattr(jaxpr, "consts", ())
        return [self._names.get(address_of(value), ("", ""))[0] for value in values]

    def _take_events(self) -> list[JaxprSeen]:
        events, self._events = self._events, []
        return events

    def _meet(self, jaxpr: Any) -> _Known:
        """Looks a jaxpr up, counting its equations when it is new."""
        key = id(jaxpr)
        found = self._known.get(key)
        if found is not None and found[0]() is jaxpr:
            return found[1]
        known = _Known(*self._census(jaxpr.eqns))
        self._known[key] = weakref.ref(jaxpr, _forget(self._known, key)), known
        return known

    def _census(self, equations: Iterable[Any]) -> tuple[int, int, tuple[_Known, ...]]:
        own = expanded = 0
        inner: dict[int, _Known] = {}
        for equation in equations:
            own += 1
            for _, jaxpr in inner_jaxprs(equation.params) if equation.params else ():
                known = self._meet(jaxpr)
                inner[id(known)] = known
                expanded += known.expanded
        return own, min(own + expanded, _LARGEST), tuple(inner.values())

    def _record(self, known: _Known, jaxpr: Any, constants: Sequence[str] = (), replaces: str | None = None) -> str:
        """Writes a jaxpr's record, after those of the jaxprs inside it. Events wait in `_events`, even if one fails."""
        if known.id is not None:
            return known.id
        kept = jaxpr.eqns[: max(self._left, 0)]
        self._left -= len(kept)
        inner = {
            place: [SubJaxpr(parameter=name, jaxpr=self._record(self._meet(sub), sub)) for name, sub in subs]
            for place, equation in enumerate(kept)
            if equation.params and (subs := list(inner_jaxprs(equation.params)))
        }
        self._told += replaces is None
        name = replaces or f"j{self._told}"
        record = _Numbering(self._frames, self._parameters, name, jaxpr).record(
            kept, inner, constants or self._constant_names(jaxpr)
        )
        frames, first = self._frames.take_new()
        self._events.append(JaxprSeen(jaxpr=record, frames=frames, first_frame=first))
        known.id = name
        return name


def _forget(known: dict[int, tuple[weakref.ref[Any], _Known]], key: int) -> Callable[[weakref.ref[Any]], None]:
    def forget(dead: weakref.ref[Any]) -> None:
        if key in known and known[key][0] is dead:
            del known[key]

    return forget


@dataclass(slots=True, weakref_slot=True, eq=False)
class Part:
    """The staged part of a jaxpr in the making, with the attributes of a `Jaxpr` that are read here: no outputs yet."""

    invars: list[Any]
    constvars: list[Any]
    eqns: list[Any]
    debug_info: Any
    outvars: tuple[Any, ...] = ()
    needed: Any = None
    """The variable whose value Python needed, if that is why the trace failed."""


class _Numbering:
    """Numbers one jaxpr's variables while its record is written.

    Caches by identity are right: the jaxpr is alive here.
    """

    def __init__(
        self, frames: FrameTable, parameters: dict[tuple[Any, ...], dict[str, str]], name: str, jaxpr: Any
    ) -> None:
        self._frames = frames
        self._parameters = parameters
        self._name = name
        self._jaxpr = jaxpr
        self._numbers: dict[Any, int] = {}
        self._types: list[str] = []
        self._scopes: dict[int, str] = {}
        self._constants: list[int] = []

    def record(self, equations: list[Any], inner: dict[int, list[SubJaxpr]], constants: Sequence[str]) -> Jaxpr:
        jaxpr, debug = self._jaxpr, self._jaxpr.debug_info
        leading = 0 if jaxpr.constvars else len(constants)
        invars = jaxpr.invars[leading:]
        self._constants += [self._number(variable) for variable in (*jaxpr.constvars, *jaxpr.invars[:leading])]
        inputs = [self._number(variable) for variable in invars]
        start = _start(debug)
        records = [self._equation(e, inner.get(place, _NO_JAXPRS), start) for place, e in enumerate(equations)]
        return Jaxpr(
            id=self._name,
            inputs=inputs,
            outputs=[self._atom(atom) for atom in jaxpr.outvars],
            constants=self._constants,
            types=self._types,
            equations=records,
            input_names=_names(debug, "arg_names")[leading:],
            output_names=_names(debug, "result_paths"),
            constant_names=list(constants) + [""] * (len(self._constants) - len(constants)),
            dropped_equations=len(jaxpr.eqns) - len(equations),
            needed=self._numbers.get(getattr(jaxpr, "needed", None)),
        )

    def _equation(self, equation: Any, subs: list[SubJaxpr], start: Start | None) -> Equation:
        source = equation.source_info
        stack, name = source.name_stack, equation.primitive.name
        scope = self._scopes.get(id(stack))
        if scope is None:
            scope = self._scopes[id(stack)] = scope_text(stack)
        return Equation(
            primitive=name,
            inputs=[self._atom(atom) for atom in equation.invars],
            outputs=[self._number(variable) for variable in equation.outvars],
            parameters=self._texts(name, equation.params) if equation.params else _NO_PARAMETERS,
            jaxprs=subs,
            frame=None if source.traceback is None else self._frames.number(source.traceback, start),
            scope=scope,
            effects=sorted(map(_effect, equation.effects)) if equation.effects else _NO_EFFECTS,
        )

    def _texts(self, primitive: str, parameters: dict[str, Any]) -> dict[str, str]:
        """Equal parameters share one record: there are few different ones, and each dict costs memory and time."""
        texts = parameter_texts(primitive, parameters)
        return self._parameters.setdefault((*texts, *texts.values()), texts)

    def _number(self, variable: Any) -> int:
        number = self._numbers.get(variable)
        if number is None:
            number = self._numbers[variable] = len(self._types)
            self._types.append(type_text(variable.aval))
        return number

    def _atom(self, atom: Any) -> int | str:
        if not isinstance(atom, core.Literal):
            return self._number(atom)
        if getattr(atom.aval, "shape", ()):  # newer JAX can inline whole arrays
            return self._array(atom)
        return f"{_scalar(atom.val)}:{type_text(atom.aval)}"

    def _array(self, literal: Any) -> int:
        """An inlined array counts as a constant, the same one wherever the same array is meant."""
        key = ("array", id(literal.val))
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._types)
            self._types.append(type_text(literal.aval))
            self._constants.append(number)
        return number


def _scalar(value: Any) -> str:
    """A literal's value, unless it lies on a device: reading it could wait for a computation."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.item()
    kinds: tuple[Any, ...] = (bool, int, float, complex)
    for kind in kinds:  # JAX's own typed scalars are subclasses that print differently
        if isinstance(value, kind):
            return str(kind(value))
    return "…"


def _effect(effect: Any) -> str:
    return str(effect)[:60] if type(effect).__module__.startswith("jax.") else type(effect).__name__


def _names(debug: Any, field: str) -> list[str]:
    names = getattr(debug, field, None)
    return [name if isinstance(name, str) else "" for name in names] if isinstance(names, (tuple, list)) else []


def _start(debug: Any) -> Start | None:
    """Where the traced function stands, from `f at /path/file.py:12`."""
    source = getattr(debug, "func_src_info", None) or ""
    file, _, line = source.rpartition(" at ")[2].rpartition(":")
    return Start(file, int(line)) if line.isdigit() else None
