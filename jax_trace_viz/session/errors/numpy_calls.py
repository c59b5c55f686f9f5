"""NumPy, SciPy and NumPy's arrays where they meet a traced value, and what works instead."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.conversions import of_shape
from jax_trace_viz.session.errors.drawing import is_draw, of_draw
from jax_trace_viz.session.errors.indexing import indexed
from jax_trace_viz.session.errors.numbers import decides_about_a_shape
from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import called_as, code, first_argument, module_function
from jax_trace_viz.session.errors.sizes import SIZED, of_sized

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

_NUMPY = {"np", "numpy", "onp"}
_FILES = {"save", "savez", "savez_compressed", "savetxt"}
_OF_ARRAYS = {"clip", "dot", "searchsorted", "take"}
"""Methods of NumPy's arrays that JAX's have as well."""
_NUMPYS_OWN = {
    *("copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "nditer", "ndenumerate", "require"),
    *("array2string", "array_repr", "array_str", "format_float_positional", "format_float_scientific", "isnat", "bmat"),
    *("asmatrix", "common_type", "real_if_close", "shares_memory", "may_share_memory", "base_repr", "binary_repr"),
}
"""Functions that `jax.numpy` lacks, or that need values there too, or that change their argument."""


def of_array(problem: Problem) -> Explanation:
    """NumPy is called on a traced value."""
    node = problem.node
    if (stored := _stored(node, problem)) is not None:
        return stored
    if is_draw(node):
        return of_draw(problem, node)
    if isinstance(node, ast.Subscript):
        who = f"the index of the NumPy array in `{code(node)}`"
        return Explanation(problem.needs(who, code(node.slice)), indexed(node, problem))
    why = problem.needs(f"NumPy, at `{code(node)}`,", first_argument(node)) if node else problem.needs("NumPy")
    name = module_function(node, _NUMPY)
    if module_function(node, {"jnp", "jax"}) is not None:  # older JAX asks NumPy for sizes
        return of_shape(problem, is_size=decides_about_a_shape(node))
    if isinstance(node, ast.Call) and name in SIZED and (name != "where" or len(node.args) == 1):
        return of_sized(problem, node, name)
    return Explanation(why, _elsewhere(node) if name is None else _renamed(node, name))


def _renamed(node: ast.AST | None, name: str) -> str:
    """The function of `jax.numpy` in place of NumPy's."""
    if name in _FILES:
        return "Return the value and write it outside, or write it by `jax.debug.callback`."
    if name in _NUMPYS_OWN or not isinstance(node, ast.Call):
        return "`jax.numpy` has no such function: compute it otherwise, or outside of the function."
    return f"Call `jax.numpy`: `{called_as(f'jnp.{name}', node)}`."


def of_stored(problem: Problem) -> Explanation | None:
    """`buffer[0] = x`, where NumPy asks for one number; None for an error of NumPy's own."""
    return None if problem.origin is None else _stored(problem.node, problem)


def _stored(node: ast.AST | None, problem: Problem) -> Explanation | None:
    """A traced value that is written into an array of NumPy's."""
    statement = problem.site.parent if problem.site is not None and isinstance(node, ast.Subscript) else node
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Subscript) or (isinstance(node, ast.Subscript) and node is not target):
        return None
    array, value = code(target.value), code(statement.value)
    form = f"{array} = jnp.asarray({array}).at[{code(target.slice)}].set({value})"
    why = problem.needs(f"the NumPy array `{array}`", value)
    return Explanation(why, f"`{form}` makes an array of JAX with it.")


def _elsewhere(node: ast.AST | None) -> str:
    """What to call in place of a method of NumPy's arrays, or of SciPy."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(node, ast.Call) and isinstance(function, ast.Attribute):
        owner = code(function.value)
        if owner.split(".")[0] == "scipy":
            return f"`jax.scipy` has many of SciPy's functions: `{called_as(f'jax.{owner}.{function.attr}', node)}`."
        if isinstance(function.value, ast.Name) and function.attr in _OF_ARRAYS:
            return f"Call the method of JAX's array: `{called_as(f'jnp.asarray({owner}).{function.attr}', node)}`."
    return "Use the function of `jax.numpy` in place of NumPy's."
