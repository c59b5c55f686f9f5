"""Floating-point operations of matrix products and convolutions, from their shapes; of nothing else they are known."""

from __future__ import annotations

import functools
import math
import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.census import LARGEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr

_SHAPE = re.compile(r"\[([\d,]*)\]")
_CONTRACTED = re.compile(r"\(\(\(([\d, ]*)\)")
_OUT_FEATURES = re.compile(r"rhs_spec=\((\d+)")


class Flops:
    """Counts by runs of equations, those of nested jaxprs included; each jaxpr is looked at once."""

    def __init__(self, jaxprs: Mapping[str, Jaxpr]) -> None:
        self._jaxprs = jaxprs
        self._known: dict[str, tuple[list[int], list[int | None]]] = {}

    def of(self, jaxpr: Jaxpr, start: int, stop: int) -> int | None:
        """Operations of the matrix products and convolutions in a run of equations.

        Returns:
            None where there are none of these, or how often they run is decided only at run time.
        """
        places, counts = self._known.get(jaxpr.id) or self._look(jaxpr)
        return _sum(counts[bisect_left(places, start) : bisect_left(places, stop)])

    def _look(self, jaxpr: Jaxpr) -> tuple[list[int], list[int | None]]:
        found = [
            (place, self._equation(equation, jaxpr))
            for place, equation in enumerate(jaxpr.equations)
            if equation.primitive in _COUNTS or self._has_inside(equation)
        ]
        known = self._known[jaxpr.id] = [place for place, _ in found], [count for _, count in found]
        return known

    def _has_inside(self, equation: Equation) -> bool:
        records = (self._jaxprs.get(sub.jaxpr) for sub in equation.jaxprs)
        return any((self._known.get(one.id) or self._look(one))[0] for one in records if one is not None)

    def _equation(self, equation: Equation, jaxpr: Jaxpr) -> int | None:
        if (count := _COUNTS.get(equation.primitive)) is not None:
            shapes = tuple(jaxpr.types[one] if isinstance(one, int) else one for one in equation.inputs)
            return count(equation.parameters.get("dimension_numbers", ""), shapes, jaxpr.types[equation.outputs[0]])
        records = [self._jaxprs.get(sub.jaxpr) for sub in equation.jaxprs]
        inside = [self.of(one, 0, len(one.equations)) for one in records if one is not None]
        match equation.primitive:
            case "while":
                return None
            case "cond":
                return inside[0] if len(set(inside)) == 1 else None
            case "scan":
                rounds, once = equation.parameters.get("length", ""), _sum(inside)
                return min(once * int(rounds), LARGEST) if once is not None and rounds.isdecimal() else None
            case _:
                return _sum(inside)


def _sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return min(sum(known), LARGEST) if known and len(known) == len(counts) else None


@functools.lru_cache(maxsize=4096)
def _dot(dimensions: str, inputs: tuple[str, ...], output: str) -> int | None:
    """A multiplication and an addition for each element of the result and each contracted index."""
    left, made, found = _shape(inputs[0]), _shape(output), _CONTRACTED.match(dimensions)
    if left is None or made is None or found is None:
        return None
    axes = [int(axis) for axis in found[1].split(",") if axis.strip()]
    return 2 * math.prod(made) * math.prod(left[axis] for axis in axes)


@functools.lru_cache(maxsize=4096)
def _convolution(dimensions: str, inputs: tuple[str, ...], output: str) -> int | None:
    """The same for each element of the result and each weight that goes into it, those over the padding included."""
    weights, made, found = _shape(inputs[1]), _shape(output), _OUT_FEATURES.search(dimensions)
    if not weights or made is None or found is None:
        return None
    return 2 * math.prod(made) * math.prod(weights) // max(weights[int(found[1])], 1)


def _shape(text: str) -> list[int] | None:
    found = _SHAPE.search(text)
    return [int(size) for size in found[1].split(",") if size] if found else None


_COUNTS = {"dot_general": _dot, "conv_general_dilated": _convolution}
