"""Which equations of a jaxpr leave nothing to compute: no result needs them, or they depend on no input."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Jaxpr

_ALWAYS_NEW = ("infeed", "random", "rng", "axis_index")
"""Primitives whose value differs though nothing goes in."""


def idle(jaxpr: Jaxpr) -> list[str]:
    """For each equation `dead`, `constant`, or nothing: seen from this jaxpr alone, all of whose results count."""
    needed = {atom for atom in jaxpr.outputs if isinstance(atom, int)}
    dead: set[int] = set()
    for place in range(len(jaxpr.equations) - 1, -1, -1):
        equation = jaxpr.equations[place]
        if equation.effects or not needed.isdisjoint(equation.outputs):
            needed.update(atom for atom in equation.inputs if isinstance(atom, int))
        else:
            dead.add(place)
    varying = set(jaxpr.inputs)
    words: list[str] = []
    for place, equation in enumerate(jaxpr.equations):
        varies = (
            equation.effects
            or equation.primitive.startswith(_ALWAYS_NEW)
            or not varying.isdisjoint(atom for atom in equation.inputs if isinstance(atom, int))
        )
        if varies:
            varying.update(equation.outputs)
        words.append("dead" if place in dead else "" if varies else "constant")
    return words
