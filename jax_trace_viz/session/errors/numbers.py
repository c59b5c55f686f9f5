"""Python numbers: where one is wanted and cannot be traced, and what `math` has that `jax.numpy` has as well."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.sites import code, enclosing_function

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.sites import Site

_SAME = (
    *("sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh"),
    *("isnan", "isinf", "isfinite", "isclose", "hypot", "copysign", "fmod", "degrees", "radians", "fabs", "cbrt"),
)
_RENAMED = {
    "pow": "power",
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "atan2": "arctan2",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
}
_WHOLE = ("floor", "ceil", "trunc")
_SHAPING = (
    *("zeros", "ones", "full", "empty", "eye", "identity", "tri", "arange", "linspace", "reshape", "broadcast_to"),
    *("tile", "repeat", "resize", "normal", "uniform", "randint", "bernoulli", "permutation", "choice"),
)
"""Functions whose numbers decide about a shape."""
_NUMBERS_ONLY = ("range", *_SHAPING, "split", "array_split", "islice")
_OPTIONS = ("axis", "shape", "size", "length", "num", "repeats", "total_repeat_length", "num_segments", "dtype")
_CONTAINERS = (ast.BinOp, ast.UnaryOp, ast.Tuple, ast.List, ast.Starred)


def like_math(call: ast.Call, name: str) -> str | None:
    """The same as a function of `math`, on traced values; None where `jax.numpy` has none."""
    given = ", ".join([*map(code, call.args), *(f"{word.arg}={code(word.value)}" for word in call.keywords)])
    if name in _WHOLE:
        return f"jnp.{name}({given}).astype(int)"
    if name in _RENAMED or (name in _SAME and not (name == "log" and len(call.args) > 1)):
        return f"jnp.{_RENAMED.get(name, name)}({given})"
    return None


def decides_about_a_shape(node: ast.AST | None) -> bool:
    """Whether a call's numbers are sizes."""
    return isinstance(node, ast.Call) and _last_name(node) in _SHAPING


def asks_for_a_known_number(site: Site | None) -> str:
    """What a number goes to that takes known numbers only, as `range` does; empty if it may be traced as well.

    A number that gets a name first is followed to where that name is read.
    """
    if site is None:
        return ""
    here, parents = site.node, site.parents
    found = _taker(here, parents)
    statement = next((parent for parent in parents if isinstance(parent, ast.stmt)), None)
    function = enclosing_function(site)
    if found or function is None or not isinstance(statement, ast.Assign) or statement.value is not here:
        return found
    names = {target.id for target in statement.targets if isinstance(target, ast.Name)}
    reads = (one for one in _with_parents(function, ()) if isinstance(one[0], ast.Name) and one[0].id in names)
    return next((taker for node, around in reads if (taker := _taker(node, around))), "")


def _taker(node: ast.AST, parents: tuple[ast.AST, ...]) -> str:
    for parent in parents:
        if isinstance(parent, ast.Slice):
            return "a slice"
        if isinstance(parent, ast.Subscript) and parent.slice is node:
            return "an index"
        if isinstance(parent, ast.keyword):
            return f"`{parent.arg}`" if parent.arg in _OPTIONS else ""
        if isinstance(parent, ast.Call):
            return f"`{code(parent.func)}`" if _last_name(parent) in _NUMBERS_ONLY and parent.func is not node else ""
        if not isinstance(parent, _CONTAINERS):
            return ""
        node = parent
    return ""


def _last_name(call: ast.Call) -> str:
    return code(call.func).rpartition(".")[2]


def _with_parents(node: ast.AST, parents: tuple[ast.AST, ...]) -> list[tuple[ast.AST, tuple[ast.AST, ...]]]:
    found = [(node, parents)]
    for child in ast.iter_child_nodes(node):
        found += _with_parents(child, (node, *parents))
    return found
