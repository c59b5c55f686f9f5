"""Bodies and conditions of JAX's loops and branches that give back, or are given, what these do not take."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

_CONDITION = re.compile(r"but got (?:output type\(s\) \[(?:ShapedArray\()?(?P<type>\w+\[[^\]]*\])|pytree (?P<tree>.*))")
_LENGTH = re.compile(r"`length` argument of (?P<length>\d+) .* leading axis sizes \[(?P<sizes>.*?)\]")
LIST = re.compile(
    r"(?P<name>\w+) requires ndarray or scalar arguments, got <class '(?:list|tuple)'>.*? at position (?P<place>\d+)"
)


def of_pair(problem: Problem) -> Explanation:
    """The result of a body of `scan`."""
    body = problem.argument_or("the body", 0, "f")
    why = f"{body} of `jax.lax.scan` must give back two values: the new state, and what is collected of this round"
    return Explanation(why, "End it with `return state, None` if nothing is to be collected.")


def of_scanned(problem: Problem) -> Explanation:
    """The lengths of what `scan` goes through."""
    if "no values" in problem.message:
        why = "`jax.lax.scan` goes through the first axis of arrays, and is given none"
        return Explanation(why, "Say how many rounds there are: `length=…`.")
    scanned = problem.argument_or("what it goes through", 2, "xs")
    if found := _LENGTH.search(problem.message):
        why = f"`length={found['length']}` is not how long {scanned} is: {found['sizes']}"
        return Explanation(why, "Leave `length` out, or cut the arrays to it.")
    sizes = problem.message.rpartition(": ")[2].rstrip(".")
    why = f"all arrays in {scanned} must be equally long along their first axis, and these have {sizes}"
    return Explanation(why, "Cut or pad them to one length.")


def of_condition(problem: Problem) -> Explanation:
    """The result of the condition of `while_loop`."""
    node = problem.node
    test = node.args[0] if isinstance(node, ast.Call) and node.args else None
    told = f"`{code(test)}`" if test is not None else "its condition"
    found = _CONDITION.search(problem.message)
    if found is None or found["tree"]:
        why = f"the condition of `jax.lax.while_loop` must give back one truth value, and {told} gives back a container"
        return Explanation(why, "Give back the truth value alone.")
    type = found["type"]
    why = f"the condition of `jax.lax.while_loop` must give back one truth value, and {told} gives back {type}"
    if not type.startswith("bool"):
        return Explanation(why, f"Compare it with something: {_lambda(test, '{} != 0')}.")
    return Explanation(why, f"Say which is meant: {_lambda(test, 'jnp.all({})')} or {_lambda(test, 'jnp.any({})')}.")


def of_bounds(problem: Problem) -> Explanation:
    """Bounds of `fori_loop` that are no whole numbers."""
    bounds = [problem.argument_or("a bound", place, name) for place, name in enumerate(("lower", "upper"))]
    types = problem.message.rpartition("got ")[2].rstrip(".")
    told = f"the bounds of `jax.lax.fori_loop`, {' and '.join(bounds)},"
    why = f"{told} must be whole numbers of one type: these are {types}"
    return Explanation(why, "Make them whole: `….astype(int)`.")


def of_switch(problem: Problem) -> Explanation:
    """The index of `switch`."""
    index = problem.argument_or("its index", 0, "index")
    text = index.strip("`")
    form = f": `{text}.astype(int)`" if text.isidentifier() else ""
    return Explanation(f"`jax.lax.switch` chooses by a whole number, and {index} is none", f"Make it one{form}.")


def of_callables(problem: Problem) -> Explanation:
    """`cond` with values in place of functions."""
    node = problem.node
    why = "`jax.lax.cond` takes two functions, and calls one of them; it is given values"
    if not isinstance(node, ast.Call) or len(node.args) != 3:
        return Explanation(why, "`jnp.where` chooses between values.")
    return Explanation(why, f"`jnp.where({', '.join(map(code, node.args))})` chooses between values.")


def of_list(problem: Problem, found: re.Match[str]) -> Explanation:
    """A function of `jax.numpy` on a list."""
    node = problem.node
    place = int(found["place"])
    why = f"`{code(node) if node is not None else found['name']}` takes arrays, and is given a list"
    if not isinstance(node, ast.Call) or place >= len(node.args):
        return Explanation(why, "Make it an array: `jnp.asarray(…)`.")
    given = [f"jnp.asarray({code(one)})" if i == place else code(one) for i, one in enumerate(node.args)]
    given += [f"{word.arg}={code(word.value)}" for word in node.keywords if word.arg]
    return Explanation(why, f"Make it an array: `{code(node.func)}({', '.join(given)})`.")


def _lambda(test: ast.AST | None, form: str) -> str:
    """The condition with its result changed, where it is a lambda."""
    if not isinstance(test, ast.Lambda):
        return f"`{form.format('…')}`"
    names, body = ", ".join(one.arg for one in test.args.args), code(test.body)
    return f"`lambda {names}: {form.format(body if form.startswith('jnp') or body.isidentifier() else f'({body})')}`"
