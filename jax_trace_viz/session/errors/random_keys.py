"""What is given to `jax.random` in place of one key."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

_DTYPE = re.compile(r"got dtype=(\w+)")
_SHAPE = re.compile(r"got shape=(\([^()]*\))")
MANY_KEYS = re.compile(r"\w+ accepts a single key, but was given a key array of shape (?P<shape>\([^()]*\))")


def of_no_key(problem: Problem) -> Explanation:
    """A number, or another array, in place of a key."""
    dtype, shape = _DTYPE.search(problem.message), _SHAPE.search(problem.message)
    given = f"an array of {dtype[1]}" if dtype else f"an array of shape {shape[1]}" if shape else "a number"
    what = problem.code_or("the call")
    return Explanation(
        f"{what} takes a key of JAX's, and is given {given}", "`jax.random.key(seed)` makes a key of a whole number."
    )


def of_many_keys(problem: Problem, found: re.Match[str]) -> Explanation:
    """An array of keys in place of one."""
    why = f"{problem.code_or('the call')} draws with one key, and is given an array of them, of shape {found['shape']}"
    call = problem.node
    if not isinstance(call, ast.Call) or not call.args or not isinstance(call.args[0], ast.Name):
        return Explanation(why, "Take one of them, or draw with each: `jax.vmap`.")
    keys = call.args[0].id
    each = code(ast.Call(call.func, [ast.Name("key"), *call.args[1:]], call.keywords))
    return Explanation(why, f"`{keys}[0]` is one. `jax.vmap(lambda key: {each})({keys})` draws with each.")
