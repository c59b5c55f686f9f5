"""A traced value where a Python number or a shape is needed, and what works instead."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.drawing import is_draw, of_draw
from jax_trace_viz.session.errors.indexing import indexed
from jax_trace_viz.session.errors.loops import range_advice
from jax_trace_viz.session.errors.numbers import asks_for_a_known_number, decides_about_a_shape, like_math
from jax_trace_viz.session.errors.others import of_format
from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code, first_argument, module_function
from jax_trace_viz.session.errors.sizes import SIZED, of_sized

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem


def of_index(problem: Problem) -> Explanation:
    """`range(n)`, a list index, whatever calls `__index__`."""
    node = problem.node
    if isinstance(node, ast.Call) and _is_range(node):
        fix = f"{range_advice(node, problem.site)}{problem.or_static}"
        return Explanation(problem.needs(f"`{code(node)}`", first_argument(node)), fix)
    if isinstance(node, ast.Subscript):
        return Explanation(problem.needs(f"the index of `{code(node)}`", code(node.slice)), indexed(node, problem))
    if is_draw(node):
        return of_draw(problem, node)
    who = f"`{code(node)}`" if node is not None else "Python"
    fix = problem.static_hint and f"Declare it static: {problem.static_hint}."
    return Explanation(
        problem.needs(who),
        fix or "Where a Python integer is needed (a size, a count) it must be static; else use operations of `jnp`.",
    )


def of_number(problem: Problem) -> Explanation:
    """`int(x)`, `x.item()`, `math.sqrt(x)`, `'%.2f' % x`, and sizes that functions of `jax.numpy` need."""
    node = problem.node
    match node:
        case ast.BinOp(op=ast.Mod()):
            return of_format(problem)
        case ast.Call() if is_draw(node):
            return of_draw(problem, node)
        case ast.Call(func=ast.Name(id="round" | "int" | "float" | "complex" | "bool" as name), args=[_]):
            return _of_cast(problem, node, name)
        case ast.Call():
            return _of_call(problem, node)
        case _:
            fix = "What decides about shapes or control flow must be static (`static_argnums`, `static_argnames`)."
            return Explanation(problem.needs(f"`{code(node)}`" if node else "Python"), fix)


def _of_call(problem: Problem, node: ast.Call) -> Explanation:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if isinstance(node.func, ast.Attribute) and name in ("item", "tolist"):
        value = code(node.func.value)
        fix = f"Use `{value}` itself: it takes part in all computations. Read numbers outside of the jitted function."
        return Explanation(problem.needs(f"`{code(node)}`", value), _unless_known(problem, fix))
    if (of_math := module_function(node, {"math"})) is not None:
        return _of_math(problem, node, of_math)
    if name in SIZED and (name != "where" or len(node.args) == 1):
        return of_sized(problem, node, name)
    return of_shape(problem, is_size=decides_about_a_shape(node))


def _of_cast(problem: Problem, node: ast.Call, name: str) -> Explanation:
    given = first_argument(node)
    cast = f"jnp.round({given}).astype(int)" if name == "round" else f"{_receiver(node.args[0])}.astype({name})"
    fix = _unless_known(problem, f"`{cast}` does the same and stays traced.")
    return Explanation(problem.needs(f"`{code(node)}`", given), f"{fix}{problem.or_static}")


def _of_math(problem: Problem, node: ast.Call, name: str) -> Explanation:
    same = like_math(node, name)
    fix = f"Call `jax.numpy`: `{same}`." if same else "Compute it with `jax.numpy`: `math` takes Python numbers only."
    value = problem.value() or ("" if len(node.args) > 1 else first_argument(node))
    return Explanation(problem.needs(f"`{code(node)}`", value), fix)


def of_shape(problem: Problem, *, is_size: bool = True) -> Explanation:
    """A shape, a number that decides about one, or (not `is_size`) another that must be known, as an axis is."""
    node = problem.node
    who = f"`{code(node)}`" if node is not None else "a shape"
    only = first_argument(node) if isinstance(node, ast.Call) and len(node.args) == 1 else ""
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


def _is_range(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "range"


def _called(node: ast.AST | None) -> str:
    return node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""


def _receiver(node: ast.AST) -> str:
    simple = isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call)
    return code(node) if simple else f"({code(node)})"
