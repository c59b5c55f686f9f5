"""Loops whose state changes its type from round to round, and branches that give different types."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code
from jax_trace_viz.session.wording import short_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.session.errors.problems import Problem

_CARRY_TYPES = re.compile(
    r"The input carry (?:component )?(?P<path>\S+) has type (?P<before>\S+) but the corresponding output carry "
    r"component has type (?P<after>\S+), so the (?P<what>.+?) do not match",
    re.DOTALL,
)
_CARRY_STRUCTURE = re.compile(
    r"The input carry (?:component )?(?P<path>\S+) is an? (?P<before>.+?) but the corresponding component of the carry "
    r"output is an? (?P<after>.+?), so ",
    re.DOTALL,
)
_BRANCH_TYPES = re.compile(
    r"The output of (?P<one>\S+(?: \d+)?)(?: at path (?P<path>\S+))? has type (?P<before>\S+) but the corresponding "
    r"output of (?P<other>.+?) has type (?P<after>\S+), so the (?P<what>.+?) do not match",
    re.DOTALL,
)
_BRANCH_STRUCTURE = re.compile(
    r"\n\n(?P<one>true_fun|branch ?\d+) output(?: at path \S+)? is an? (?P<before>.+?) but (?P<other>\S+?) output"
    r"(?: at path \S+)? is an? (?P<after>.+?), so ",
    re.DOTALL,
)
_LOOPS = {"scan": (0, 1), "while_loop": (1, 2), "fori_loop": (2, 3)}
"""Where each loop takes its body, and the state it begins with."""
_DTYPES = "dtypes"


def of_carry(problem: Problem) -> Explanation:
    """The state of `scan`, `while_loop` or `fori_loop`."""
    loop, body, start = _loop(problem)
    found = _CARRY_TYPES.search(problem.message)
    if found is None:
        structure = _CARRY_STRUCTURE.search(problem.message)
        rest = (
            f": it is given {_plain(structure['before'])} and returns {_plain(structure['after'])}" if structure else ""
        )
        why = f"the state of {loop} must keep its structure from round to round, and {body} changes it{rest}"
        return Explanation(
            why, f"Let {body} return the containers that it is given: the same keys and lengths as {start}."
        )
    before, after = short_type(found["before"]), short_type(found["after"])
    part = "" if found["path"].isidentifier() or "loop_carry" in found["path"] else f" `{found['path']}`"
    change = f"{body} is given{part} {before} and returns {after}"
    why = f"the state of {loop} must keep its type from round to round: {change}"
    if found["what"].startswith(_DTYPES):
        begin = f"`jnp.{_dtype(found['after'])}`"
        where = f"{part.strip()} as {begin}" if part else f"{start} as {begin}"
        other = f"`….astype(jnp.{_dtype(found['before'])})`"
        return Explanation(why, f"Begin with the type that comes out ({where}), or let {body} return {other}.")
    return Explanation(
        why,
        f"Begin with the shape that comes out ({after} in place of {part.strip() or start}), and let {body} keep it: "
        "what grows is better preallocated and written with `.at[i].set(…)`, or stacked by `jax.lax.scan`.",
    )


def of_branches(problem: Problem) -> Explanation:
    """The results of `cond` or `switch`."""
    branches = _branches(problem)
    found = _BRANCH_TYPES.search(problem.message)
    if found is None:
        structure = _BRANCH_STRUCTURE.search(problem.message)
        rest = ""
        if structure:
            one, other = branches(structure["one"]), branches(structure["other"])
            rest = f": {one} returns {_plain(structure['before'])}, {other} {_plain(structure['after'])}"
        return Explanation(
            f"all branches must return the same structure{rest}",
            "Let each branch return the same containers, keys and lengths.",
        )
    before, after = short_type(found["before"]), short_type(found["after"])
    where = f" at `{found['path']}`" if found["path"] else ""
    one, other = branches(found["one"]), branches(found["other"])
    why = f"all branches must return the same types: {one} returns {before}{where}, {other} {after}"
    if found["what"].startswith(_DTYPES):
        fix = f"Give both one dtype: `….astype(jnp.{_dtype(found['before'])})` in {other}."
    else:
        fix = "Give both one shape: broadcast or pad the smaller one."
    return Explanation(why, fix)


def of_predicate(problem: Problem) -> Explanation:
    """`cond` with a condition for each element."""
    call = problem.node
    if not isinstance(call, ast.Call) or len(call.args) < 3:
        return Explanation("`jax.lax.cond` takes one truth value, not one for each element", "Use `jnp.where`.")
    test, yes, no = (code(argument) for argument in call.args[:3])
    why = f"`jax.lax.cond` takes one truth value, and `{test}` has one for each element"
    return Explanation(
        why, f"`jnp.where({test}, …, …)` chooses element by element, or `jax.vmap` over `{yes}` and `{no}`."
    )


def _loop(problem: Problem) -> tuple[str, str, str]:
    """The loop, its body and its first state, as the source calls them."""
    node = problem.node
    called = code(node.func) if isinstance(node, ast.Call) else ""
    positions = _LOOPS.get(called.rpartition(".")[2])
    if positions is None:
        return f"`jax.lax.{problem.message.partition(' ')[0]}`", "its body", "its first state"
    body = problem.argument_or("its body", positions[0], "f", "body_fun")
    return f"`{called}`", body, problem.argument_or("its first state", positions[1], "init", "init_val")


def _branches(problem: Problem) -> Callable[[str], str]:
    """What the source calls the branches that JAX calls `true_fun`, `false_fun`, `branch 0`, `branch1`."""
    node = problem.node
    given = node.args if isinstance(node, ast.Call) else []

    def text(name: str) -> str:
        number = {"true_fun": 0, "false_fun": 1}.get(name)
        if number is not None and len(given) > 2:
            return f"`{code(given[1 + number])}`"
        digits = re.sub(r"\D", "", name)
        listed = given[1] if len(given) > 1 else None
        if digits and isinstance(listed, ast.List | ast.Tuple) and int(digits) < len(listed.elts):
            return f"`{code(listed.elts[int(digits)])}`"
        return f"`{name}`"

    return text


def _dtype(type: str) -> str:
    return type.partition("[")[0]


def _plain(text: str) -> str:
    """A message of JAX in one line, classes by their names."""
    text = re.sub(r"<class '(?:[\w.]*\.)?(\w+)'>", r"\1", " ".join(text.split()))
    text = re.sub(r"dict with pytree metadata \((.*?),?\)", r"dict with the keys \1", text)
    if text.endswith("NoneType"):
        return "`None`"
    text = text.replace("ShapedArray", "array").replace("ArrayImpl", "array").replace("pytree leaf", "array")
    return f"an {text}" if text.startswith("array") else f"a {text}"
