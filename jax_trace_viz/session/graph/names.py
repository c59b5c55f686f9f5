"""Which variable of the user's receives a value. A name is given only where the source leaves no doubt.

The span of the expression must be the whole right-hand side of an assignment. An equation is named if it is alone with
its span; several equations of one expression are named together, as a group. The backward pass keeps the lines of the
forward pass, but what it makes are cotangents: it has no names. In a forward pass an expression may be left with
nothing but what its derivative needs; it is named only if the forward pass goes on with its value. JAX moves parts of
a loop's body out of the loop and gives a branch more to do than was written: an expression is named only where it
stands neither inside a call beside it nor around the one it is in. JAX may stage an expression in several goes, with
functions traced separately between them: a name needs the program to go on where the expression was. Of a gradient
inside a forward pass, both passes of an expression may stand together; what they give is the gradient, which has a name
only where the expression is the gradient's call.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.scopes import parse_scope
from jax_trace_viz.session.graph.sites import site
from jax_trace_viz.session.graph.tree import Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.jaxpr import Equation
    from jax_trace_viz.session.graph.sources import Assignment
    from jax_trace_viz.session.graph.tree import Level

_CALLS_GRADIENT = re.compile(r"(grad|jacfwd|jacrev|hessian)\(").search
"""Whether an expression calls what `jax.grad` made: `jax.grad(loss)`."""


def equation_name(node: Node) -> str:
    """Name of what one equation makes."""
    level = node.level
    assert level is not None
    equation = level.equations[node.main]
    if node.frame is None or not equation.outputs or not is_alone(node):
        return ""
    assignment = _assigned(node)
    if assignment is None or (assignment.unpacked and len(assignment.names) > len(equation.outputs)):
        return ""
    return assignment.text


def group_name(node: Node) -> str:
    """Name of what a group makes that was staged by one expression."""
    assignment = _assigned(node) if is_alone(node) else None
    return assignment.text if assignment is not None else ""


def value_name(level: Level, place: int, variable: int) -> str:
    """Name of one value that an equation makes, if the program goes on with nothing else of the same expression."""
    frame = level.equations[place].frame
    if frame is None:
        return ""
    start, stop = _run(level, place, frame)
    node = Node("span", "", phase=level.phase(start, stop), level=level, start=start, stop=stop, frame=frame)
    if [*_going_on(level, start, stop)] != [variable] or not is_alone(node):
        return ""
    assignment = _assigned(node)
    return assignment.text if assignment is not None and not assignment.unpacked else ""


def _run(level: Level, place: int, frame: int) -> tuple[int, int]:
    """The equations around one that come from the same expression."""
    start, stop, equations = place, place + 1, level.equations
    while start > 0 and frame in level.program.chain(equations[start - 1].frame):
        start -= 1
    while stop < len(equations) and frame in level.program.chain(equations[stop].frame):
        stop += 1
    return start, stop


def _assigned(node: Node) -> Assignment | None:
    level, frame = node.level, node.frame
    if level is None or frame is None or node.phase == "backward" or level.outer_phase == "backward":
        return None
    record = level.program.frames[frame]
    if record.origin != "user" or (node.phase == "forward" and not _goes_on(level, node.start, node.stop)):
        return None
    if _gives_gradient(level, node) and not _CALLS_GRADIENT(level.program.sources.call_name(record)):
        return None
    here = site(record)
    if here in level.facts.sites_inside or here in level.sites_outside:
        return None
    if _was_moved(level, frame) or not _is_over(level, frame, node.stop):
        return None
    return level.program.sources.assignment(record)


def is_alone(node: Node) -> bool:
    """Whether no equation beside the node comes from the same expression: else the value may be that one's."""
    level = node.level
    assert level is not None
    beside = [place for place in (node.start - 1, node.stop) if 0 <= place < len(level.equations)]
    return all(node.frame not in level.program.chain(level.equations[place].frame) for place in beside)


def _was_moved(level: Level, frame: int) -> bool:
    """Whether an equation was staged inside the body of a loop or branch, but stands outside."""
    program = level.program
    *outer, _ = chain = program.chain(frame)
    if any(site(program.frames[index]) in level.facts.loop_sites for index in outer):
        return True
    root = program.frames[chain[0]]
    return bool(level.facts.loop_roots) and (root.file, root.function) not in level.facts.loop_roots


def _is_over(level: Level, frame: int, following: int) -> bool:
    """Whether the equation after an expression comes from the same traced function."""
    if following == len(level.equations):
        return True
    program = level.program
    after, here = program.chain(level.equations[following].frame), program.chain(frame)
    if not after:
        return False
    one, other = program.frames[after[0]], program.frames[here[0]]
    return (one.file, one.function) == (other.file, other.function)


def _gives_gradient(level: Level, node: Node) -> bool:
    """Whether a cotangent of a gradient inside a forward pass leaves a run, other than to the outer backward pass."""
    for place in range(node.start, node.stop if level.facts.nested else node.start):
        equation = level.equations[place]
        if parse_scope(equation.scope).phase != "backward":
            continue
        for variable in equation.outputs:
            users = (user for user in level.facts.users.get(variable, ()) if not node.start <= user < node.stop)
            if variable in level.results or any(_is_inner(level.equations[user]) for user in users):
                return True
    return False


def _is_inner(equation: Equation) -> bool:
    return parse_scope(equation.scope).passes[:1] != ("backward",)


def _goes_on(level: Level, start: int, stop: int) -> bool:
    """Whether a value made in a run is used outside it, other than by the backward pass."""
    return any(True for _ in _going_on(level, start, stop))


def _going_on(level: Level, start: int, stop: int) -> Iterator[int]:
    """The values made in a run that are used outside it, other than by the backward pass."""
    for place in range(start, stop):
        for variable in level.equations[place].outputs:
            users = (user for user in level.facts.users.get(variable, ()) if not start <= user < stop)
            if variable in level.results or any(_is_forward(level.equations[user]) for user in users):
                yield variable


def _is_forward(equation: Equation) -> bool:
    return parse_scope(equation.scope).phase != "backward"
