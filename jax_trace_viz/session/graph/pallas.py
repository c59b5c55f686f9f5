"""Pallas kernels: equations whose jaxpr works on references to blocks of the operands and results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Equation
    from jax_trace_viz.session.graph.tree import Level


def fits_kernel(level: Level, equation: Equation) -> bool:
    """Whether a Pallas kernel's references stand for the operands and results, one by one, before any scratch."""
    inside = level.program.jaxprs.get(equation.jaxprs[0].jaxpr)
    ends = [*(level.type_of(atom) for atom in equation.inputs), *level.types(equation)]
    if inside is None or len(equation.jaxprs) != 1 or len(inside.inputs) < len(ends):
        return False
    references = (inside.types[variable] for variable in inside.inputs)
    return all(_element(one) == _element(other) for one, other in zip(ends, references, strict=False))


def _element(type_: str) -> tuple[str, str]:
    """Kind and bits of `f32[8,8]` and of a reference to such an array, which JAX 0.6 prints as `float32[8,8]`."""
    found = re.search(r"([a-z])[a-z]*(\d*)\[", type_)
    return (found[1], found[2]) if found else (type_, "")
