"""Pieces of arrays whose length is traced: boolean masks and slices."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.loops import is_bound_before
from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem
    from jax_trace_viz.session.errors.sites import Site

_WITH_ZEROS = ("sum", "any")
"""Reductions that zeros leave as they are."""
_WITH_MASK = ("mean", "max", "min", "prod", "std", "var")
_KEEP = "Keep the whole array and mask it with `jnp.where`: the length of a slice must be known while tracing."


def of_mask(problem: Problem) -> Explanation:
    """Indexing by a traced boolean array."""
    node = problem.node
    if not isinstance(node, ast.Subscript):
        return Explanation(problem.needs("a boolean index"), "Use `jnp.where(mask, x, fill)`.")
    why = f"how many elements `{code(node)}` has depends on values, and shapes must be known while tracing"
    why = f"{why}. {problem.chain}"
    if isinstance(node.slice, ast.Tuple | ast.Slice):
        return Explanation(why, "Choose with `jnp.where(mask, x, fill)`, which keeps the shape.")
    array, mask = code(node.value), code(node.slice)
    few = f"say how many there are at most: `{array}[jnp.nonzero({mask}, size=…)]`."
    kept = _kept(array, mask, problem.site) if _is_of_one_shape(node, problem) else ""
    return Explanation(why, f"`{kept}` keeps the shape; or {few}" if kept else few[0].upper() + few[1:])


def of_slice(problem: Problem) -> Explanation:
    """A slice whose length or place is traced."""
    node = problem.node
    why = problem.needs(f"the slice `{code(node)}`" if node is not None else "a slice")
    part = node.slice if isinstance(node, ast.Subscript) else None
    if not isinstance(node, ast.Subscript) or not isinstance(part, ast.Slice) or part.step is not None:
        return Explanation(why, f"The length of a slice must be known while tracing.{problem.or_static}")
    array, lower, upper = code(node.value), part.lower, part.upper
    if lower is not None and isinstance(upper, ast.BinOp) and isinstance(upper.op, ast.Add):
        for first, length in ((upper.left, upper.right), (upper.right, upper.left)):
            if code(first) == code(lower) and _is_known(length, problem):
                text = f"jax.lax.dynamic_slice_in_dim({array}, {code(lower)}, {code(length)})"
                return Explanation(why, f"`{text}`: the place may be traced, the length may not.")
    from_the_end = any(isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.USub) for one in (lower, upper))
    if from_the_end or len(problem.shape_of(array) or ()) != 1:
        return Explanation(why, f"{_KEEP}{problem.or_static}")
    place = "place" if any(isinstance(one, ast.Name) and one.id == "i" for one in ast.walk(node)) else "i"
    bounds = [f"({place} >= {code(lower)})"] if lower is not None else []
    bounds += [f"({place} < {code(upper)})"] if upper is not None else []
    mask = f"with `{place} = jnp.arange(len({array}))`, `jnp.where({' & '.join(bounds)}, {array}, 0)`"
    return Explanation(why, f"Keep the whole array and mask it: {mask}.{problem.or_static}")


def _kept(array: str, mask: str, site: Site | None) -> str:
    """What is done with the elements, done with the whole array and the mask; empty if that is not the same."""
    chosen = f"jnp.where({mask}, {array}, 0)"
    parent = site.parent if site is not None else None
    if isinstance(parent, ast.Subscript):  # it is an index itself
        return ""
    around = site.parents[:2] if site is not None else ()
    call = next((one for one in around if isinstance(one, ast.Call)), None)
    if call is None:
        return chosen
    is_method = call is not parent
    name = code(call.func).rpartition(".")[2]
    if call.keywords or len(call.args) != (0 if is_method else 1) or (is_method and call.func is not parent):
        return ""
    if name in _WITH_ZEROS:
        return f"{chosen}.{name}()" if is_method else f"{code(call.func)}({chosen})"
    if name in _WITH_MASK:
        given = f"where={mask}{', initial=…' if name in ('max', 'min') else ''}"
        return f"{array}.{name}({given})" if is_method else f"{code(call.func)}({array}, {given})"
    return ""


def _is_of_one_shape(node: ast.Subscript, problem: Problem) -> bool:
    """Whether the mask has the array's shape: it was computed from all of it, or both shapes are known."""
    array = code(node.value)
    if isinstance(node.slice, ast.Compare) and array in (code(node.slice.left), code(node.slice.comparators[-1])):
        return True
    shape = problem.shape_of(array)
    return shape is not None and problem.origin is not None and shape == problem.shape_in(problem.origin.type)


def _is_known(length: ast.AST, problem: Problem) -> bool:
    """Whether a length is surely no traced value: its names are static arguments, or come from outside."""
    names = [node.id for node in ast.walk(length) if isinstance(node, ast.Name)]
    statement = next((one for one in problem.site.parents if isinstance(one, ast.stmt)), None) if problem.site else None
    if not names:
        return True
    given = problem.own_trace.arguments if problem.own_trace is not None else ()
    static = {argument.path for argument in given if argument.role == "static"}
    if statement is None:
        return False
    return all(name in static or not is_bound_before(name, statement, problem.site) for name in names)
