"""What JAX cannot hash: it finds earlier traces by the hash of the function that it is given."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

TAKES_FUNCTIONS = re.compile(r"(jax\.)?(lax\.)?(scan|map|checkpoint|remat|associative_scan)")
"""Calls that take a function first, and look it up by its hash."""
_MAKES = re.compile(r"(jax\.)?(jit|checkpoint|remat)")
"""Calls whose result looks up the function that they were given."""
CALLABLE = re.compile(r"unhashable type: '(?!\w*Tracer')(?:[\w.]*\.)?(?P<type>\w+)'")
_ARRAYS = ("ArrayImpl", "ndarray")


def of_callable(problem: Problem, found: re.Match[str]) -> Explanation | None:
    """A function object whose class has no hash, as a dataclass, or that holds arrays, as a module of Equinox."""
    node = problem.node
    if not isinstance(node, ast.Call):
        return None
    maker, function = _looked_up(node)
    if function is None:
        return _of_some_call(node) if found["type"] in _ARRAYS and maker != "hash" else None
    given = code(function)
    why = f"`{maker}` looks functions up by their hash, and `{given}`"
    if found["type"] in _ARRAYS:
        owner = code(function.value if isinstance(function, ast.Attribute) else function)
        why += f" has none: `{owner}` holds an array"
        return Explanation(why, _to_arguments(given, owner) if maker.endswith("jit") else _wrapped(given))
    return Explanation(
        f"{why} is of the class `{found['type']}`, which has none: a class with `__eq__`, as a dataclass, has to say "
        "what its hash is",
        f"`@dataclass(frozen=True)` gives it one, of all its fields, `@dataclass(eq=False)` that of the object. "
        f"{_wrapped(given)}",
    )


def _looked_up(call: ast.Call) -> tuple[str, ast.expr | None]:
    """Who looks which function up: `jax.jit(f)(x)`, `jax.lax.scan(f, …)`; no function where it was made elsewhere."""
    made = call.func if isinstance(call.func, ast.Call) and _MAKES.fullmatch(code(call.func.func)) else None
    if made is not None and made.args:
        return code(made.func), made.args[0]
    maker = code(call.func)
    return maker, call.args[0] if call.args and TAKES_FUNCTIONS.fullmatch(maker) else None


def _wrapped(function: str) -> str:
    return f"Wrap it: `lambda *args: {function}(*args)` in place of `{function}`."


def _of_some_call(call: ast.Call) -> Explanation:
    called = code(call.func)
    why = (
        f"`{code(call)}` needs the hash of something that holds an array, and arrays have none. JAX looks functions up "
        "by their hash: a method or an object that holds arrays cannot be one"
    )
    return Explanation(why, f"If `{called}` was made by `jax.jit` of such a method: {_to_arguments('', 'the object')}")


def _to_arguments(given: str, owner: str) -> str:
    form = f": `jax.jit(lambda self, *args: {given.replace(owner, 'self', 1)}(*args))({owner}, …)`" if given else ""
    start = "Pass" if given else "pass"
    return (
        f"{start} {f'`{owner}`' if given else owner} as an argument, if it is a pytree{form}. For a module of Equinox "
        "`eqx.filter_jit` does that."
    )
