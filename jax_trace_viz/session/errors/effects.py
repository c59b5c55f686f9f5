"""What an `if` on a traced value does besides computing: it raises, prints, leaves a loop, fills a list."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.printing import debug_print
from jax_trace_viz.session.errors.sites import code
from jax_trace_viz.session.source.parsing import tree_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOGS = {"debug", "info", "warning", "warn", "error", "critical", "log", "exception", "write"}
_FILLS = {"append", "extend", "insert", "add", "update", "pop", "remove", "setdefault", "clear"}
_CHECKIFY = (
    "(`from jax.experimental import checkify`): it raises when the program runs, if the function is called as "
    "`err, result = checkify.checkify(f)(…)` and then `err.throw()`. Or check before the function is called."
)


def effects_advice(test: str, statement: ast.If) -> str | None:
    """What to write for an `if` whose branch does something; None if it only computes.

    Args:
        test: The condition, in the form that works on traced values.
        statement: The `if`.
    """
    body = statement.body
    if isinstance(body[0], ast.Raise):
        return _check(_not(test), body[0])
    if statement.orelse and isinstance(statement.orelse[0], ast.Raise):
        return _check(test, statement.orelse[0])
    if any(isinstance(node, ast.Break | ast.Continue) for node in body):
        return _rounds(test, leaves=any(isinstance(node, ast.Break) for node in body))
    calls = [node.value for node in body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    printed = _printed(test, calls) if calls and len(calls) == len(body) and not statement.orelse else None
    return printed or _filled(test, calls)


def _rounds(test: str, *, leaves: bool) -> str:
    """`break` and `continue`."""
    cannot = "A traced value cannot decide which rounds of a Python loop run, but what they change"
    if not leaves:
        return f"{cannot}: `state = jnp.where({test}, state, …)` for each name that a round changes."
    return (
        f"{cannot}: `done = done | ({test})`, and `state = jnp.where(done, state, …)` for each name that a round "
        "changes. Or use `jax.lax.while_loop`, whose condition may be traced."
    )


def _filled(test: str, calls: Sequence[ast.Call]) -> str | None:
    """Methods that change a container."""
    for call in calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr in _FILLS:
            return (
                f"What Python does, like `{code(call)}`, is done once, while tracing: a traced value cannot decide it. "
                f"Compute in any case, and choose by `jnp.where({test}, …, …)`."
            )
    return None


def _not(test: str) -> str:
    tree = tree_of(test, "eval")
    match tree.body if isinstance(tree, ast.Expression) else None:
        case ast.Call(func=ast.Attribute(attr="logical_not"), args=[inner]):
            return code(inner)
        case _:
            return f"jnp.logical_not({test})"


def _check(holds: str, raised: ast.Raise) -> str:
    told = ["…"]
    if isinstance(raised.exc, ast.Call) and len(raised.exc.args) == 1:
        found = debug_print(raised.exc.args[0])
        told = [found.removeprefix("jax.debug.print(").removesuffix(")")] if found else told
    return f"Write `checkify.check({', '.join([holds, *told])})` {_CHECKIFY}"


def _printed(test: str, calls: Sequence[ast.Call]) -> str | None:
    """`print` and logging in a branch of their own."""
    if any(isinstance(call.func, ast.Attribute) and call.func.attr in _LOGS for call in calls):
        constant = all(isinstance(given, ast.Constant) for call in calls for given in call.args)
        if len(calls) == 1 and constant:
            logged = f"jax.debug.callback(lambda: {code(calls[0])})"
            return f"Log when the program runs: `jax.lax.cond({test}, lambda: {logged}, lambda: None)`."
        return f"Log when the program runs: `jax.debug.callback` inside of `jax.lax.cond({test}, …, …)`."
    if any(not isinstance(call.func, ast.Name) or call.func.id != "print" for call in calls):
        return None
    shown = debug_print(calls[0]) if len(calls) == 1 else None
    shown = f"lambda: {shown}" if shown else "…"
    other = "lambda: None" if len(calls) == 1 else "…"
    return f"Print when the program runs: `jax.lax.cond({test}, {shown}, {other})`."
