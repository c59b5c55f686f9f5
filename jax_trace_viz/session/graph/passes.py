"""Forward and backward pass of a gradient, told apart so that they can stand side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.sizes import count_text
from jax_trace_viz.session.graph.tree import Node

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.scopes import Phase


def pair_passes(node: Node, children: list[Node]) -> list[Node]:
    """Puts each forward pass and the backward pass that follows it into a node of its own.

    JAX emits the passes of one gradient after the other, so that several gradients in one function make several pairs.
    """
    if node.phase or node.kind == "pass":
        return children
    paired: list[Node] = []
    rest = children
    while pair := _first_pair(rest):
        forward, backward, end = pair
        one, other = _pass(rest[forward:backward], "forward"), _pass(rest[backward:end], "backward")
        one.mate = other
        for side in (one, other):
            side.role = "" if side.kind == "pass" else f"{side.phase} pass"
        paired += [*rest[:forward], one, other]
        rest = rest[end:]
    return [*paired, *rest]


def _first_pair(children: list[Node]) -> tuple[int, int, int] | None:
    """Where the first forward pass begins, where its backward pass begins, and where that ends."""
    phases = [child.phase if child.level is not None and child.kind != "port" else "" for child in children]
    if "forward" not in phases or "backward" not in phases[phases.index("forward") :]:
        return None
    forward = phases.index("forward")
    backward = phases.index("backward", forward)
    following = phases.index("forward", backward) if "forward" in phases[backward:] else len(phases)
    end = max(place for place in range(backward, following) if phases[place] == "backward") + 1
    return forward, backward, end


def _pass(children: list[Node], phase: Phase) -> Node:
    if len(children) == 1:
        return children[0]
    weight = sum(child.weight for child in children)
    node = Node(
        "pass",
        f"{phase} pass",
        detail=count_text(weight),
        phase=phase,
        level=children[0].level,
        start=children[0].start,
        stop=children[-1].stop,
        weight=weight,
    )
    node.children = tuple(children)
    return node
