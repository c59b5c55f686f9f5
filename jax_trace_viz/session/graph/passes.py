"""Forward and backward pass of a gradient, told apart so that they can stand side by side."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.runs import Run
from jax_trace_viz.session.graph.scopes import parse_scope
from jax_trace_viz.session.graph.tree import Node
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.scopes import Phase
    from jax_trace_viz.session.graph.tree import Level


def pair_passes(node: Node, children: list[Node]) -> list[Node]:
    """Puts each forward pass and the backward pass that follows it into a node of its own.

    JAX emits the passes of one gradient after the other, so that several gradients in one function make several pairs.
    """
    if node.phase == "backward" or node.kind == "pass":
        return children
    phases: list[Phase] = _inner_phases(node, children) if node.phase else _phases(children)
    paired: list[Node] = []
    rest = children
    while pair := _first_pair(phases):
        forward, backward, end = pair
        one, other = _pass(rest[forward:backward], "forward"), _pass(rest[backward:end], "backward")
        one.mate = other
        for side in (one, other):
            side.role = "" if side.kind == "pass" else f"{side.phase} pass"
        paired += [*rest[:forward], one, other]
        rest, phases = rest[end:], phases[end:]
    return [*paired, *rest]


def cut_passes(level: Level, runs: list[Run]) -> list[Run]:
    """Cuts runs where a gradient inside a forward pass turns round, if these are the runs of its function.

    They are if one of them has nothing but the backward pass in it: around the gradient's call, both passes are in one.
    """
    start = runs[0].start
    turns = _turns(level, start, runs[-1].stop)
    if not any({*turns[run.start - start : run.stop - start]} - {""} == {"backward"} for run in runs):
        return runs
    found: list[Run] = []
    for run in runs:
        begin, turn = run.start, turns[run.start - start]
        for place in range(run.start + 1, run.stop):
            if (here := turns[place - start]) and here != turn:
                found.append(Run(run.key, begin, place))
                begin, turn = place, here
        found.append(Run(run.key, begin, run.stop))
    return found


def _turns(level: Level, start: int, stop: int) -> list[Phase]:
    """For each equation its pass of the outermost gradient of which not all are in the same."""
    passes = [parse_scope(equation.scope).passes for equation in level.equations[start:stop]]
    known = sorted({one for one in passes if one})
    if not known:
        return [""] * len(passes)
    shared = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(known[0], known[-1], strict=False))
    order = sum(1 for _ in shared)
    return [one[order] if order < len(one) else "" for one in passes]


def _phases(children: list[Node]) -> list[Phase]:
    return [child.phase if child.level is not None and child.kind != "port" else "" for child in children]


def _inner_phases(node: Node, children: list[Node]) -> list[Phase]:
    """In which pass of a gradient inside a forward pass each child stands; in none where it has both."""
    level, start = node.level, node.shown_start
    turns = _turns(level, start, node.shown_stop) if level is not None and level.facts.nested else []

    def phase(child: Node) -> Phase:
        own = child.level is level and child.kind != "port"
        found = turns[child.start - start : child.stop - start] if own else []
        forward, backward = "forward" in found, "backward" in found
        return "" if forward == backward else "forward" if forward else "backward"

    return [phase(child) for child in children]


def _first_pair(phases: list[Phase]) -> tuple[int, int, int] | None:
    """Where the first forward pass begins, where its backward pass begins, and where that ends."""
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
        detail=count_text(weight, "equation"),
        phase=phase,
        level=children[0].level,
        start=children[0].start,
        stop=children[-1].stop,
        weight=weight,
    )
    node.children = tuple(children)
    return node
