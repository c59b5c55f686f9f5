"""Axes that are taken away, and arrays that are cut into pieces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.shapes import numbers
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

SQUEEZED = re.compile(
    r"cannot select an axis to squeeze out(?s:.*?)got shape=(?P<shape>\([^()]*\)) and dimensions=(?P<axes>\([^()]*\))"
)
PIECE = re.compile(
    r"slice slice_sizes must be less than or equal to operand shape(?s:.*?)"
    r"got slice_sizes (?P<asked>\([^()]*\)) for operand shape (?P<has>\([^()]*\))"
)
DIVISION = re.compile(r"array split does not result in an equal division(?s:.*?)rest is (?P<rest>\d+)")


def of_squeezed(problem: Problem, found: re.Match[str]) -> Explanation:
    """An axis that `jnp.squeeze` cannot take away."""
    shape = numbers(found["shape"])
    long = [(axis, shape[axis]) for axis in numbers(found["axes"]) if axis < len(shape) and shape[axis] != 1]
    told = " and ".join(f"axis {axis} has {size}" for axis, size in long)
    why = f"{problem.code_or('the call')} takes away axes with one element: of the shape {shape}, {told}"
    single = [str(axis) for axis, size in enumerate(shape) if size == 1]
    can = f"Here axis {' and '.join(single)} can go" if single else "Here no axis can go"
    return Explanation(why, f"{can}. An index, or a sum or mean over the axis, takes away any other.")


def of_piece(problem: Problem, found: re.Match[str]) -> Explanation:
    """A piece for `jax.lax.dynamic_slice` that is larger than the array."""
    asked, has = numbers(found["asked"]), numbers(found["has"])
    pairs = enumerate(zip(asked, has, strict=False))
    told = " and ".join(f"{one} of the {other} along axis {axis}" for axis, (one, other) in pairs if one > other)
    why = f"{problem.code_or('the call')} asks for more elements than there are: {told}"
    return Explanation(why, "Ask for no more than the array has, or pad it first with `jnp.pad`.")


def of_division(problem: Problem, found: re.Match[str]) -> Explanation:
    """An array that cannot be split into equal pieces."""
    rest = count_text(int(found["rest"]), "element")
    why = f"{problem.code_or('the call')} splits into equal pieces, and {rest} would be left over"
    return Explanation(
        why, "Give a number that divides the axis, or the places to cut at. `jnp.array_split` allows unequal ones."
    )
