"""Errors of a program that runs: checked numbers that are none, and programs compiled for other types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.wording import short_type

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

ENCOUNTERED = re.compile(r"invalid value \((?P<value>nan|inf)\) encountered in (?P<operation>.+?)\.?(?:\n|$)")
_MISMATCH = re.compile(r"Argument '(?P<path>.+?)' compiled with (?P<before>\S+) and called with (?P<after>\S+)")
_CLASS = re.compile(r"<class '(?:[\w.<>]*\.)?(\w+)'>")
_RAISED = re.compile(r"[A-Za-z_][\w.]*(?:: |$)")
_DOMAINS = {
    "acos": "of a number beyond -1 and 1",
    "asin": "of a number beyond -1 and 1",
    "div": "of 0 by 0, or of inf by inf",
    "log": "of a negative number",
    "log1p": "of a number below -1",
    "pow": "of a negative number to a fraction",
    "rsqrt": "of a negative number",
    "sqrt": "of a negative number",
    "sub": "of inf and inf",
}
"""What these operations give NaN of, beside NaN."""


def of_not_finite(problem: Problem, found: re.Match[str]) -> Explanation:
    """`jax_debug_nans` or `jax_debug_infs` found something."""
    name, setting = ("NaN", "jax_debug_nans") if found["value"] == "nan" else ("inf", "jax_debug_infs")
    operation = found["operation"]
    what = problem.code_or("an operation")
    where = f" in `{operation}`" if operation.isidentifier() else ""
    why = f"{what} gives {name}{where}, and `{setting}` is on: it stops a program at the first {name}"
    domain = _DOMAINS.get(operation) if name == "NaN" else None
    why += f". `{operation}` gives it {domain}, or of what is NaN already" if domain else ""
    return Explanation(
        why,
        "Look at what goes in, with `jax.debug.print`. Where such a value is meant to be replaced by `jnp.where`, "
        "replace what goes in as well: the gradient is NaN otherwise.",
    )


def of_uncomparable(problem: Problem) -> Explanation:
    """A static argument whose own `__eq__` raises."""
    types = dict.fromkeys(_CLASS.findall(problem.message.partition("The error was")[0]))
    last = problem.message.strip().rpartition("\n")[2]
    raised = f": {last}" if _RAISED.match(last) else ""  # a long message is cut
    what = problem.code_or("the call")
    whose = " and ".join(f"`{type}`" for type in types) or "the static argument"
    why = f"JAX compares static arguments with earlier ones, and at {what} the `__eq__` of {whose} raised{raised}"
    fix = "Let `__eq__` give back True or False for all objects, as the one of `@dataclass(frozen=True)` does."
    return Explanation(why, fix)


def of_compiled(problem: Problem) -> Explanation:
    """What `.lower().compile()` made is called with other types."""
    found = [
        f"`{one['path']}` was {short_type(one['before'])} and is {short_type(one['after'])}"
        for one in _MISMATCH.finditer(problem.message)
    ]
    what = problem.code_or("the call")
    told = f": {', '.join(found)}" if found else ""
    return Explanation(
        f"{what} calls a program that was compiled for other types{told}",
        "What `.lower(…).compile()` gives back takes only the types that it was compiled for. Compile one for each, or "
        "call the jitted function itself, which compiles what it needs.",
    )
