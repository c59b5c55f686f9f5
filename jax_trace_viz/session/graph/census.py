"""Structure and size of every jaxpr, memoised by id: a nest of shared jaxprs is walked once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.graph.sizes import type_bytes

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr


LARGEST = 2**53 - 1
"""Counts stop here, the largest whole number that JavaScript holds: nested calls multiply quickly."""


class Structure(NamedTuple):
    """What is the same in two jaxprs that do the same to other shapes."""

    token: int
    equations: int
    """Equations with all nested calls expanded, those not recorded included."""
    constant_bytes: int
    """Bytes of the arrays baked into the jaxpr and those inside it, each jaxpr counted once per call."""


class Census:
    """Interns structures, so that two of them are compared by number."""

    def __init__(self, jaxprs: Mapping[str, Jaxpr]) -> None:
        self._jaxprs = jaxprs
        self._structures: dict[str, Structure] = {}
        self._tokens: dict[Hashable, int] = {}

    def structure(self, jaxpr: str) -> Structure:
        """Structure of a jaxpr by id; that of an empty one if its record was lost."""
        known = self._structures.get(jaxpr)
        if known is None:
            known = self._structures[jaxpr] = self._look(jaxpr)
        return known

    def equation(self, equation: Equation) -> tuple[int, int]:
        """Token and expanded count of one equation. Shapes, parameters and literals do not count for the token."""
        if not equation.jaxprs:
            return self._intern((equation.primitive, len(equation.inputs), len(equation.outputs), ())), 1
        inner = tuple(self.structure(sub.jaxpr) for sub in equation.jaxprs)
        tokens = tuple(structure.token for structure in inner)
        key = equation.primitive, len(equation.inputs), len(equation.outputs), tokens
        return self._intern(key), min(1 + sum(structure.equations for structure in inner), LARGEST)

    def _intern(self, key: Hashable) -> int:
        return self._tokens.setdefault(key, len(self._tokens) + 1)

    def _look(self, id_: str) -> Structure:
        jaxpr = self._jaxprs.get(id_)
        if jaxpr is None:
            return Structure(self._intern(()), 0, 0)
        pairs = [self.equation(equation) for equation in jaxpr.equations]
        calls = [equation for equation in jaxpr.equations if equation.jaxprs]
        own = sum(type_bytes(jaxpr.types[constant]) for constant in jaxpr.constants)
        inner = sum(self.structure(sub.jaxpr).constant_bytes for e in calls for sub in e.jaxprs)
        tokens = tuple(token for token, _ in pairs)
        count = sum(count for _, count in pairs) + jaxpr.dropped_equations
        return Structure(self._intern(tokens), min(count, LARGEST), min(own + inner, LARGEST))
