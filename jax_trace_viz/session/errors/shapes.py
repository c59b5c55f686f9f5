"""Arrays whose shapes do not fit each other, told with the names and types that the source gives them."""

from __future__ import annotations

import ast
import re
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.session.errors.problems import Problem

Shape = tuple[int, ...]

_SHAPE = re.compile(r"\((?:\d+(?:, ?\d+)*,?)?\)")
_AXIS = re.compile(r"along dimension (?P<axis>\d+)")
RESHAPED = re.compile(
    r"cannot reshape array of shape (?P<old>\([^()]*\)) \(size (?P<has>\d+)\) into shape (?P<new>\([^()]*\)|\d+) "
    r"(?:\(size (?P<wants>\d+)\)|because the product of specified axis sizes \((?P<factor>\d+)\))"
)
INDICES = re.compile(r"Too many indices: (?s:.*?)(?P<axes>\d+)-dimensional(?: array indexed with|, but) (?P<given>\d+)")


def of_broadcast(problem: Problem) -> Explanation | None:
    """An operation on elements of arrays that cannot be brought to one shape."""
    message = re.sub(r"\[([\d, ]*)\]", r"(\1)", problem.message)  # as a part of a type, since JAX 0.7
    shapes = [numbers(text) for text in _SHAPE.findall(message.partition("got")[2] or message)]
    shapes = [shape for shape in shapes if shape]
    if len(shapes) < 2:
        return None
    given = operands(problem)
    known = [(text, type) for text, type in given if type]
    told = " and ".join(f"`{text}` is {type}" for text, type in known) if len(known) == len(given) > 1 else ""
    told = told or " and ".join(map(str, shapes))
    what = problem.code_or("the operation")
    pairs = zip_longest(*(shape[::-1] for shape in shapes[:2]), fillvalue=1)
    pair = next((pair for pair in pairs if clash(*pair)), ())
    meets = f", and {pair[0]} meets {pair[1]}" if pair else ""
    why = f"{what} cannot bring the shapes together: {told}. From the last axis on, sizes must be equal or 1{meets}"
    return Explanation(why, _more_axes(given, shapes))


def of_joined(problem: Problem) -> Explanation:
    """`jnp.concatenate` or `jnp.stack` of arrays that differ elsewhere."""
    shapes = [numbers(text) for text in _SHAPE.findall(problem.message)]
    what = problem.code_or("the call")
    told = f": it is given {' and '.join(map(str, shapes))}" if shapes else ""
    found = _AXIS.search(problem.message)
    if found is None:
        fix = "Pad them to one shape; or join them with `jnp.concatenate` along the axis in which they differ."
        if len({len(shape) for shape in shapes}) > 1:
            fix = "Give those with fewer axes the missing ones first: `jnp.expand_dims`, or `[None, :]`."
        return Explanation(f"{what} joins arrays of one shape only{told}", fix)
    why = f"{what} joins along axis {found['axis']}, and all other axes must be equally long{told}"
    differ = {axis for pair in pairwise(shapes) for axis in _differing(*pair)}
    if len(differ) == 1:
        return Explanation(why, f"They differ in one axis only: `axis={differ.pop()}` joins them along it.")
    return Explanation(why, "Pad them, or cut them to one size along the other axes.")


def of_reshape(problem: Problem, found: re.Match[str]) -> Explanation:
    """A new shape for another number of elements."""
    what = problem.code_or("the call")
    new = found["new"] if found["new"].startswith("(") else f"({found['new']},)"
    wants = found["wants"] or f"a multiple of {found['factor']}"
    why = (
        f"{what} must keep the number of elements: the array, of shape {found['old']}, has {found['has']}, "
        f"and {new} asks for {wants}"
    )
    return Explanation(why, f"The sizes must multiply to {found['has']}; one of them may be -1, to be computed.")


def of_indices(problem: Problem, found: re.Match[str]) -> Explanation:
    """More indices than an array has axes."""
    node = problem.node
    what = f"`{code(node)}`" if isinstance(node, ast.Subscript) else "the index"
    axes = count_text(int(found["axes"]), "axis", "axes")
    told = (
        f" (`{code(node.value)}` is {type})"
        if isinstance(node, ast.Subscript) and (type := _type(problem, node))
        else ""
    )
    why = f"{what} gives {found['given']} indices to an array with {axes}{told}"
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.Attribute):
        index = code(node.slice)
        fix = f"A tuple has one index for each axis. For several places along one axis: `jnp.asarray({index})`."
        return Explanation(why, fix)
    return Explanation(why, "Give one index for each axis at most; `None` in an index adds an axis.")


def _type(problem: Problem, node: ast.Subscript) -> str:
    return problem.types.get(code(node.value), "")


def operands(problem: Problem) -> list[tuple[str, str]]:
    """The arrays in the expression, as the source calls them, each with its type as far as that is known."""
    node = problem.node
    if isinstance(node, ast.BinOp):
        given: Sequence[ast.expr] = (node.left, node.right)
    elif isinstance(node, ast.Call):
        given = [one for one in node.args if not isinstance(one, ast.Constant)]
    else:
        return []
    return [(code(one), problem.types.get(code(one), "")) for one in given]


def _more_axes(operands: Sequence[tuple[str, str]], shapes: Sequence[Shape]) -> str:
    """Where one shape fits once it has an axis more at its end, as a column beside rows."""
    rule = "Give them shapes that fit"
    if len(shapes) != 2 or len(operands) != 2:
        return f"{rule}, with `reshape` or `jnp.expand_dims`."
    for (text, _), shape, other in zip(operands, shapes, shapes[::-1], strict=True):
        column = (*shape, 1)
        if len(column) <= len(other) and not any(clash(a, b) for a, b in zip(column[::-1], other[::-1], strict=False)):
            index = "[:, None]" if len(shape) == 1 else "[..., None]"
            named = f", `{text}{index}`," if text.replace(".", "").isidentifier() else ""
            return f"{rule}: with an axis more at its end{named} the shape {shape} goes with {other}."
    return f"{rule}, with `reshape` or `jnp.expand_dims`."


def clash(one: int, other: int) -> bool:
    """Whether two sizes cannot be brought together."""
    return one != other and 1 not in (one, other)


def _differing(one: Shape, other: Shape) -> list[int]:
    return [axis for axis, (a, b) in enumerate(zip(one, other, strict=False)) if a != b]


def sizes(type: str) -> Shape:
    """The sizes in a type, `(4, 3)` of `f32[4,3]`."""
    return numbers(type.partition("[")[2])


def numbers(text: str) -> Shape:
    """The whole numbers in a text."""
    return tuple(map(int, re.findall(r"\d+", text)))
