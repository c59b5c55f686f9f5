"""The record of one jaxpr, with its variables numbered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from jax._src import core

from jax_trace_viz.capture.code.frames import FrameTable, Start
from jax_trace_viz.capture.jaxprs.parameters import parameter_texts
from jax_trace_viz.capture.jaxprs.scopes import scope_text
from jax_trace_viz.capture.values.contents import unwrapped
from jax_trace_viz.capture.values.types import type_text
from jax_trace_viz.contract.jaxpr import Equation, Jaxpr, SubJaxpr

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_NAME = 100

# Records are immutable, so that all equations can share these: most have none of either.
_NO_PARAMETERS: dict[str, str] = {}
_NO_JAXPRS: list[SubJaxpr] = []
_NO_EFFECTS: list[str] = []


class Shared:
    """What equal equations hold once: their parameters, scopes and literals."""

    def __init__(self) -> None:
        self.parameters: dict[tuple[Any, ...], dict[str, str]] = {}
        self.texts: dict[str, str] = {}


class Numbering:
    """Numbers one jaxpr's variables while its record is written.

    Caches by identity are right: the jaxpr is alive here.
    """

    def __init__(self, frames: FrameTable, shared: Shared, name: str, jaxpr: Any) -> None:
        self._frames = frames
        self._shared = shared
        self._name = name
        self._jaxpr = jaxpr
        self._numbers: dict[Any, int] = {}
        self._types: list[str] = []
        self._scopes: dict[int, str] = {}
        self._constants: list[int] = []

    def record(
        self, equations: list[Any], inner: dict[int, list[SubJaxpr]], constants: Sequence[str], given: dict[int, str]
    ) -> Jaxpr:
        """Writes the record.

        Args:
            equations: Those that are kept.
            inner: The records of the jaxprs inside, by the place of the equation.
            constants: Names of the jaxpr's constants.
            given: Names of input variables by their identity, in place of those that JAX has.
        """
        jaxpr, debug = self._jaxpr, self._jaxpr.debug_info
        leading = 0 if jaxpr.constvars else len(constants)
        invars = jaxpr.invars[leading:]
        self._constants += [self._number(variable) for variable in (*jaxpr.constvars, *jaxpr.invars[:leading])]
        inputs = [self._number(variable) for variable in invars]
        names = _names(debug, "arg_names")[leading:] or [""] * (len(invars) if given else 0)
        start = _start(debug)
        records = [self._equation(e, inner.get(place, _NO_JAXPRS), start) for place, e in enumerate(equations)]
        return Jaxpr(
            id=self._name,
            inputs=inputs,
            outputs=[self._atom(atom) for atom in jaxpr.outvars],
            constants=self._constants,
            types=self._types,
            equations=records,
            input_names=[given.get(id(v), name) for v, name in zip(invars, names, strict=False)],
            output_names=_result_names(debug),
            constant_names=list(constants) + [""] * (len(self._constants) - len(constants)),
            function=_function(debug),
            dropped_equations=len(jaxpr.eqns) - len(equations),
            needed=self._numbers.get(id(getattr(jaxpr, "needed", None))),
        )

    def _equation(self, equation: Any, subs: list[SubJaxpr], start: Start | None) -> Equation:
        source = equation.source_info
        stack, name = source.name_stack, equation.primitive.name
        scope = self._scopes.get(id(stack))
        if scope is None:
            scope = self._scopes[id(stack)] = self._once(scope_text(stack))
        return Equation(
            primitive=name,
            inputs=self._atoms(equation.invars),
            outputs=self._numbered(equation.outvars),
            parameters=self._texts(name, equation.params) if equation.params else _NO_PARAMETERS,
            jaxprs=subs,
            frame=None if source.traceback is None else self._frames.number(source.traceback, start),
            scope=scope,
            effects=sorted(map(_effect, equation.effects)) if equation.effects else _NO_EFFECTS,
        )

    def _texts(self, primitive: str, parameters: dict[str, Any]) -> dict[str, str]:
        """Equal parameters share one record: there are few different ones, and each dict costs memory and time."""
        texts = parameter_texts(primitive, parameters)
        return self._shared.parameters.setdefault((*texts, *texts.values()), texts)

    def _once(self, text: str) -> str:
        return self._shared.texts.setdefault(text, text)

    def _atoms(self, atoms: list[Any]) -> tuple[int | str, ...]:
        known = self._numbers
        return tuple([known[id(atom)] if id(atom) in known else self._atom(atom) for atom in atoms])

    def _numbered(self, variables: list[Any]) -> tuple[int, ...]:
        if len(variables) == 1:
            return (self._number(variables[0]),)
        return tuple([self._number(variable) for variable in variables])

    def _number(self, variable: Any) -> int:
        number = self._numbers.get(id(variable))
        if number is None:
            text = type_text(variable.aval)
            number = self._numbers[id(variable)] = len(self._types)
            self._types.append(text)
        return number

    def _atom(self, atom: Any) -> int | str:
        if not isinstance(atom, core.Literal):
            return self._number(atom)
        if getattr(atom.aval, "shape", ()):  # newer JAX can inline whole arrays
            return self._array(atom)
        return self._once(f"{_scalar(atom.val)}:{type_text(atom.aval)}")

    def _array(self, literal: Any) -> int:
        """An inlined array counts as a constant, the same one wherever the same array is meant."""
        key = ("array", id(literal.val))
        number = self._numbers.get(key)
        if number is None:
            text = type_text(literal.aval)
            number = self._numbers[key] = len(self._types)
            self._types.append(text)
            self._constants.append(number)
        return number


def _scalar(value: Any) -> str:
    """A literal's value, unless it lies on a device: reading it could wait for a computation."""
    value = unwrapped(value)
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.item()
    kinds: tuple[Any, ...] = (bool, int, float, complex)
    for kind in kinds:  # JAX's own typed scalars are subclasses that print differently
        if isinstance(value, kind):
            return str(kind(value))
    return "…"


def _effect(effect: Any) -> str:
    return str(effect)[:60] if type(effect).__module__.startswith("jax.") else type(effect).__name__


def _result_names(debug: Any) -> list[str]:
    """Key paths of the results, as the user's function returns them.

    Equinox's `filter_jit` has JAX trace a function that returns a number of its own, and then what the user's returns.
    """
    names = _names(debug, "result_paths")
    inputs = _names(debug, "arg_names")
    filtered = any(name.startswith(("dynamic_donate[", "dynamic_nodonate[")) for name in inputs)
    prefixes = ("result[1]", "[1]")
    if not filtered or not names or not all(name.startswith(prefixes) for name in names[1:]):
        return names
    return ["filter_jit", *("result" + name.partition("[1]")[2] for name in names[1:])]


def _names(debug: Any, field: str) -> list[str]:
    names = getattr(debug, field, None)
    return [name if isinstance(name, str) else "" for name in names] if isinstance(names, (tuple, list)) else []


def _function(debug: Any) -> str:
    """Name of the traced function: `f` of `f at /path/file.py:12`."""
    return (getattr(debug, "func_src_info", None) or "").partition(" at ")[0][:_LONGEST_NAME]


def _start(debug: Any) -> Start | None:
    """Where the traced function stands, from `f at /path/file.py:12`."""
    source = getattr(debug, "func_src_info", None) or ""
    file, _, line = source.rpartition(" at ")[2].rpartition(":")
    return Start(file, int(line)) if line.isdigit() else None
