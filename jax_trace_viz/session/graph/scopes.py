"""JAX's name stacks, taken apart."""

from __future__ import annotations

import functools
import re
from typing import Literal, NamedTuple

Phase = Literal["", "forward", "backward"]

_TRANSFORM = re.compile(r"(jvp|transpose|vmap|pmap|shard_map)\((.*)\)", re.DOTALL)


class Scope(NamedTuple):
    """What a name stack says."""

    phase: Phase
    """Whether a gradient made the equation: its forward pass (`jvp`) or its backward pass (`transpose`)."""
    names: tuple[str, ...]
    """The user's and the libraries' named scopes, outermost first."""
    transforms: tuple[str, ...]
    """Other transformations, such as `vmap`."""
    passes: tuple[Phase, ...] = ()
    """Of gradients inside each other: in which pass of each the equation stands, the outermost first. It ends with the
    first backward pass: JAX transposes what is inside as a whole.
    """


@functools.lru_cache(maxsize=4096)
def parse_scope(text: str) -> Scope:
    """Takes apart a name stack as JAX prints it: `transpose(jvp(loss))/layer`."""
    names: list[str] = []
    transforms: list[str] = []
    for part in _parts(text):
        name = part
        while found := _TRANSFORM.fullmatch(name):
            transforms.append(found[1])
            name = found[2]
        if name:
            names.append(name)
    phase: Phase = "backward" if "transpose" in transforms else "forward" if "jvp" in transforms else ""
    others = tuple(t for t in transforms if t not in ("jvp", "transpose"))
    return Scope(phase, tuple(names), others, _passes(transforms))


def _passes(transforms: list[str]) -> tuple[Phase, ...]:
    passes: list[Phase] = []
    for transform in transforms:
        if transform == "transpose":
            return (*passes, "backward")
        if transform == "jvp":
            passes.append("forward")
    return tuple(passes)


def is_formula(name: str) -> bool:
    """Whether a scope is what `einsum` calls its equations: `ij,jk->ik`."""
    return "->" in name


def _parts(text: str) -> list[str]:
    """Splits at the slashes outside parentheses."""
    parts, depth, start = list[str](), 0, 0
    for place, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == "/" and depth <= 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]
