"""A traced value where a Python number, a NumPy array or a shape is needed, and what works instead."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.findings.loops import range_advice
from jax_trace_viz.session.findings.numbers import asks_for_a_known_number, decides_about_a_shape, like_math
from jax_trace_viz.session.findings.problems import Explanation
from jax_trace_viz.session.findings.sites import code

if TYPE_CHECKING:
    from jax_trace_viz.session.findings.problems import Problem

_NUMPY = {"np", "numpy", "onp"}
_CASTS = {"int": "int", "float": "float", "complex": "complex", "bool": "bool"}
_FILES = {"save", "savez", "savez_compressed", "savetxt"}
_NUMPYS_OWN = {
    *("copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "nditer", "ndenumerate", "require"),
    *("array2string", "array_repr", "array_str", "format_float_positional", "format_float_scientific", "isnat", "bmat"),
    *("asmatrix", "common_type", "real_if_close", "shares_memory", "may_share_memory", "base_repr", "binary_repr"),
}
"""Functions that `jax.numpy` lacks, or that need values there too, or that change their argument."""
_SIZED = {"nonzero", "flatnonzero", "argwhere", "unique", "where", "union1d", "intersect1d", "setdiff1d", "bincount"}


def of_index(problem: Problem) -> Explanation:
    """`range(n)`, a list index, whatever calls `__index__`."""
    node = problem.site.node if problem.site else None
    if isinstance(node, ast.Call) and _is_range(node):
        fix = f"{range_advice(node, problem.site)}{problem.or_static}"
        return Explanation(problem.needs(f"`{code(node)}`", _first_argument(node)), fix)
    if isinstance(node, ast.Subscript):
        return Explanation(problem.needs(f"the index of `{code(node)}`", code(node.slice)), _indexed(node, problem))
    who = f"`{code(node)}`" if node is not None else "Python"
    fix = problem.static_hint and f"Declare it static: {problem.static_hint}."
    return Explanation(
        problem.needs(who),
        fix or "Where a Python integer is needed (a size, a count) it must be static; else use operations of `jnp`.",
    )


def of_array(problem: Problem) -> Explanation:
    """NumPy is called on a traced value."""
    node = problem.site.node if problem.site else None
    if isinstance(node, ast.Subscript):
        return Explanation(
            problem.needs(f"the index of the NumPy array in `{code(node)}`", code(node.slice)), _indexed(node, problem)
        )
    name = _module_function(node, _NUMPY)
    why = problem.needs(f"NumPy, at `{code(node)}`,", _first_argument(node)) if node else problem.needs("NumPy")
    if name is None or not isinstance(node, ast.Call):
        return Explanation(why, "Use the function of `jax.numpy` in place of NumPy's.")
    if name in _SIZED and (name != "where" or len(node.args) == 1):
        return _sized(problem, node, name)
    if name in _FILES:
        return Explanation(why, "Return the value and write it outside, or write it by `jax.debug.callback`.")
    if name in _NUMPYS_OWN:
        return Explanation(why, "`jax.numpy` has no such function: compute it otherwise, or outside of the function.")
    renamed = code(ast.Call(ast.Attribute(ast.Name("jnp"), name), node.args, node.keywords))
    return Explanation(why, f"Call `jax.numpy`: `{renamed}`.")


def of_number(problem: Problem) -> Explanation:
    """`int(x)`, `x.item()`, `math.sqrt(x)`, and sizes that functions of `jax.numpy` need."""
    node = problem.site.node if problem.site else None
    if not isinstance(node, ast.Call):
        fix = "What decides about shapes or Python control flow must be static (`static_argnums`, `static_argnames`)."
        return Explanation(problem.needs(f"`{code(node)}`" if node else "Python"), fix)
    who, given = f"`{code(node)}`", _first_argument(node)
    if isinstance(node.func, ast.Name) and node.func.id in (*_CASTS, "round") and len(node.args) == 1:
        rounded = node.func.id == "round"
        cast = f"jnp.round({given}).astype(int)" if rounded else f"{_receiver(node.args[0])}.astype({node.func.id})"
        fix = _unless_known(problem, f"`{cast}` does the same and stays traced.")
        return Explanation(problem.needs(who, given), f"{fix}{problem.or_static}")
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("item", "tolist"):
        value = code(node.func.value)
        fix = f"Use `{value}` itself: it takes part in all computations. Read numbers outside of the jitted function."
        return Explanation(problem.needs(who, value), _unless_known(problem, fix))
    name = _module_function(node, {"math"})
    if name is not None:
        same = like_math(node, name)
        fix = (
            f"Call `jax.numpy`: `{same}`." if same else "Compute it with `jax.numpy`: `math` takes Python numbers only."
        )
        return Explanation(problem.needs(who, problem.value() or ("" if len(node.args) > 1 else given)), fix)
    attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if attribute in _SIZED:
        return _sized(problem, node, attribute)
    return of_shape(problem, is_size=decides_about_a_shape(node))


def of_shape(problem: Problem, *, is_size: bool = True) -> Explanation:
    """A shape, a number that decides about one, or (not `is_size`) another that must be known, as an axis is."""
    node = problem.site.node if problem.site else None
    who = f"`{code(node)}`" if node is not None else "a shape"
    only = _first_argument(node) if isinstance(node, ast.Call) and len(node.args) == 1 else ""
    why = problem.needs(who, only)
    name = problem.value()
    if problem.is_known and name:
        made = next((step for step in problem.origin.steps if "jnp." in step), "") if problem.origin else ""
        text = f"Compute it with NumPy, `{made.replace('jnp.', 'np.')}`" if made else "Compute it with NumPy"
        return Explanation(
            why, f"{text}: then it stays an ordinary number. `jax.numpy` makes traced values even of known ones."
        )
    if problem.static_hint:
        fix = f"Declare it static, {problem.static_hint}, if it has few values."
    elif is_size:
        fix = "A shape must not depend on values."
    else:
        fix = "It takes a known number: give it a Python number that is static (`static_argnums`, `static_argnames`)."
    if not is_size:
        return Explanation(why, fix)
    if _called(node) == "arange" and isinstance(node, ast.Call) and len(node.args) == 1:
        return Explanation(
            why, f"{fix} Else take the greatest size and a mask: `jnp.arange(MAX) < {code(node.args[0])}`."
        )
    return Explanation(why, f"{fix} Else take the greatest size that occurs, and a mask for what counts.")


def _sized(problem: Problem, node: ast.Call, name: str) -> Explanation:
    given = _first_argument(node)
    if name == "where" and len(node.args) == 3:
        return of_shape(problem)
    sized = f"jnp.{'nonzero' if name == 'where' else name}({given}, {'length' if name == 'bincount' else 'size'}=…)"
    mask = f" To choose by the mask, `jnp.where({given}, …, …)` needs no size." if name in ("where", "nonzero") else ""
    why = f"how many elements `{code(node)}` has depends on values, and shapes must be known while tracing"
    return Explanation(f"{why}. {problem.chain}", f"Say how many there are at most: `{sized}`.{mask}")


def _unless_known(problem: Problem, fix: str) -> str:
    """Other advice where what the number goes to takes no traced one."""
    taker = asks_for_a_known_number(problem.site)
    if not taker:
        return fix
    if taker == "`range`":
        return "`range` takes known numbers only; the bounds of `jax.lax.fori_loop` may be traced whole numbers."
    if taker == "an index":
        return "To index by it, let it be a traced whole number, and what is indexed an array of JAX."
    return f"{taker[0].upper()}{taker[1:]} takes known numbers only: what decides there must be static."


def _indexed(node: ast.Subscript, problem: Problem) -> str:
    return f"`jnp.asarray({code(node.value)})[{code(node.slice)}]` takes a traced index.{problem.or_static}"


def _is_range(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "range"


def _called(node: ast.AST | None) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _first_argument(node: ast.AST | None) -> str:
    return code(node.args[0]) if isinstance(node, ast.Call) and node.args else ""


def _receiver(node: ast.AST) -> str:
    simple = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    return code(node) if simple else f"({code(node)})"


def _module_function(node: ast.AST | None, modules: set[str]) -> str | None:
    """The name of a function that is called from one of these modules."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    owner = node.func.value
    return node.func.attr if isinstance(owner, ast.Name) and owner.id in modules else None
