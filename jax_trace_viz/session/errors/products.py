"""Products of arrays whose shapes do not fit."""

from __future__ import annotations

import ast
import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.shapes import clash, numbers, operands, sizes
from jax_trace_viz.session.errors.sites import code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.session.errors.problems import Problem

PRODUCT = re.compile(
    r"dot_general requires contracting dimensions(?s:.*?)got (?P<one>\([^()]*\)) and (?P<other>\([^()]*\))"
)
_STACKS = re.compile(r"[\[(]([\d, ]*)[\])]")
"""Shapes in types, `f32[2,3,4]`, or before JAX 0.7 by themselves, `(2, 3, 4)`."""
_OPERAND = re.compile(r"operand (\d)")
LABEL = re.compile(r"Size of label '(?P<label>.+?)' for operand \d+ \((?P<one>\d+)\).*terms \((?P<other>\d+)\)")
_OF_MATRICES = {"", "dot", "matmul", "tensordot"}
"""What sums over the last axis of the first and the last but one of the second; empty for `@`."""


def of_product(problem: Problem, found: re.Match[str]) -> Explanation:
    """A matrix product whose inner sizes differ."""
    summed = [numbers(found[name]) for name in ("one", "other")]
    given = operands(problem)
    told = " and ".join(f"`{text}` is {type}" for text, type in given if type)
    what = problem.code_or("the product")
    one, other = (", ".join(map(str, each)) for each in summed)
    why = f"{what} sums over axes of unequal length, {one} and {other}" + (f": {told}" if told else "")
    return Explanation(why, f"The axes that are summed over must be equally long.{_transposed(problem, given)}")


def of_batches(problem: Problem) -> Explanation | None:
    """A product of stacks of matrices that cannot be brought together."""
    shapes = [numbers(text) for text in _STACKS.findall(problem.message)]
    if len(shapes) != 2:
        return None
    pairs = zip_longest(*(shape[:-2][::-1] for shape in shapes), fillvalue=1)
    pair = next((pair for pair in pairs if clash(*pair)), None)
    told = " and ".join(f"`{text}` is {type}" for text, type in operands(problem) if type)
    what = problem.code_or("the product")
    meets = f", and {pair[0]} meets {pair[1]}" if pair else ""
    why = (
        f"{what} multiplies the matrices in the last two axes, and the axes before them must be equal or 1{meets}: "
        f"{told or ' and '.join(map(str, shapes))}"
    )
    return Explanation(why, "`jnp.einsum` says axis by axis what goes together and what is summed over.")


def of_scalar(problem: Problem) -> Explanation:
    """A product of matrices with a number."""
    found, given = _OPERAND.search(problem.message), operands(problem)
    what = problem.code_or("the product")
    number = given[int(found[1])][0] if found and len(given) == 2 else None
    why = f"{what} is a product of matrices, and {f'`{number}`' if number else 'an operand'} has no axis to sum over"
    form = f"`{' * '.join(text for text, _ in given)}`" if len(given) == 2 else "`*`"
    return Explanation(why, f"{form} multiplies element by element.")


def of_label(problem: Problem, found: re.Match[str]) -> Explanation:
    """A letter of `einsum` that stands for two sizes."""
    what = problem.code_or("`einsum`")
    told = ", ".join(f"`{text}` is {type}" for text, type in operands(problem) if type)
    both = " and ".join(sorted((found["one"], found["other"]), key=int))
    why = f"`{found['label']}` in {what} stands for one size, and here for {both}" + (f": {told}" if told else "")
    return Explanation(
        why, "Axes with one letter must be equally long. Check the order of the letters, or take another one."
    )


def _transposed(problem: Problem, operands: Sequence[tuple[str, str]]) -> str:
    """Which of two matrices fits once it is transposed."""
    node = problem.node
    called = code(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    if len(operands) != 2 or called not in _OF_MATRICES:
        return ""
    (one, first), (other, second) = ((text, sizes(type)) for text, type in operands)
    if not first or not second or len(second) != 2:
        return ""
    if first[-1] == second[1]:
        return f" `{other}.T` would fit."
    return f" `{one}.T` would fit." if len(first) == 2 and first[0] == second[0] else ""
