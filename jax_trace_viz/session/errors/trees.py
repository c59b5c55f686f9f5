"""Pytrees that `jax.tree.map` and its like go through together, and that differ."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.errors.problems import Explanation
from jax_trace_viz.session.errors.sites import code

if TYPE_CHECKING:
    from jax_trace_viz.session.errors.problems import Problem

_WHERE = re.compile(r"at key path\n\s*(?P<name>[\w ]*?tree|\w+)(?P<path>[\[.]\S*)?\n")
_LENGTHS = re.compile(r"of type (?P<type>.+?) of length (?P<one>\d+), but .* of length (?P<other>\d+)")
_KEYS = re.compile(r"with \d+ child keys\n\s*(?P<one>.*)\n.*with \d+ child keys\n\s*(?P<other>.*)\n")
_TYPES = re.compile(r"<class '(?:[\w.<>]*\.)?(\w+)'>")
_MAPS = re.compile(r"(?:jax\.)?(?:tree\.map|tree_map|tree_util\.tree_map)")


def of_trees(problem: Problem) -> Explanation:
    """Two pytrees of different structures where one is expected."""
    where = _WHERE.search(problem.message)
    path = where["path"] if where else None
    what = problem.code_or("the call")
    place = f" at `{path}`" if path else ""
    first, second = _given(problem)
    told = _told(problem.message)
    difference = f": {first}{place} {told[0]}, {second} {told[1]}" if told else place
    why = f"{what} goes through pytrees together that are not of one structure{difference}"
    fix = (
        "Make both of the same containers, keys and lengths. What was made for a pytree, as the state of an optimizer, "
        "is to be made again when that changes its structure."
    )
    return Explanation(why, fix)


def _told(message: str) -> tuple[str, str] | None:
    """What each of the two is there."""
    lengths, keys, types = _LENGTHS.search(message), _KEYS.search(message), _TYPES.findall(message)
    if lengths:
        return f"is a {lengths['type']} of {lengths['one']}", f"one of {lengths['other']}"
    if keys:
        one, other = (", ".join(key.strip("[]'.") for key in keys[name].split()) for name in ("one", "other"))
        return f"has the keys {one}", f"the keys {other}" if other else "none"
    if len(types) > 1 and types[0] != types[1]:
        one, other = map(_plain, types[:2])
        return f"is {one}", other
    return None


def _plain(type: str) -> str:
    if type.endswith("Tracer") or type == "ArrayImpl":
        return "an array"
    return "None" if type == "NoneType" else f"a {type}"


def _given(problem: Problem) -> tuple[str, str]:
    """The two pytrees as the source calls them, where there are two."""
    node = problem.node
    if isinstance(node, ast.Call) and _MAPS.fullmatch(code(node.func)) and len(node.args) == 3:
        return f"`{code(node.args[1])}`", f"`{code(node.args[2])}`"
    return "one", "the other"
