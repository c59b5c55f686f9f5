"""Opening an equation that runs jaxprs: its parts, with ports for what a loop carries and what a branch gives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.grouping import group_children, inner_jaxpr
from jax_trace_viz.session.graph.keypaths import root
from jax_trace_viz.session.graph.labels import is_two_way
from jax_trace_viz.session.graph.sizes import type_bytes, types_text
from jax_trace_viz.session.graph.tree import Level, Node
from jax_trace_viz.session.wording import bytes_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
    from jax_trace_viz.session.graph.tree import Atom

BIG = 100_000
"""Bytes from which a baked-in array has a box of its own."""
_NAMED = 4
_STORES = ("addupdate", "masked_swap", "swap")
_SHARED = 2
_REFERENCE = re.compile(r"^\w*Ref(?:<[^>]*>)?\{(.*)\}$")
"""The type of a reference, with that of what it refers to."""


def call_children(node: Node) -> list[Node]:
    """Children of a call, loop or cond; sets the node's `parts` and `exit`."""
    assert node.level is not None
    equation = node.level.equations[node.main]
    if node.kind == "cond":
        return _cond(node)
    if node.kind == "call":
        fitting = inner_jaxpr(node.level, equation)
        assert fitting is not None
        return _inside(_level(node, fitting, (0, 0)))
    if equation.primitive == "pallas_call":
        return _kernel(node, equation)
    return _scan(node, equation) if equation.primitive == "scan" else _while(node, equation)


def _level(node: Node, jaxpr: Jaxpr, skipped: tuple[int, int]) -> Level:
    assert node.level is not None
    level = Level(node.level.program, jaxpr, node, skipped)
    node.parts += (level,)
    return level


def _jaxprs(node: Node) -> list[Jaxpr]:
    assert node.level is not None
    return [node.level.program.jaxprs[sub.jaxpr] for sub in node.level.equations[node.main].jaxprs]


def _inside(level: Level) -> list[Node]:
    """The equations of a level, in groups, after the constants baked into it."""
    everything = Node("scope", "", level=level, stop=len(level.equations))
    return [*constants(level), *(group_children(everything) if level.equations else [])]


def constants(level: Level) -> list[Node]:
    """Boxes for the arrays baked into a jaxpr: each big one has its own, small ones share one."""
    sizes = {variable: type_bytes(level.jaxpr.types[variable]) for variable in level.jaxpr.constants}
    small = [variable for variable, size in sizes.items() if size < BIG]
    groups = [[variable] for variable in sizes if sizes[variable] >= BIG]
    groups += [small] if len(small) > _SHARED else [[variable] for variable in small]
    nodes: list[Node] = []
    for variables in groups:
        types = [level.jaxpr.types[variable] for variable in variables]
        label = "baked-in constant" if len(types) == 1 else f"{len(types)} baked-in constants"
        node = Node("constant", label, level=level)
        node.detail = f"{types_text(types)}, {bytes_text(sum(sizes[variable] for variable in variables))}"
        node.title = f"captured from outside and baked into the program: {', '.join(types)}"
        level.ports.update(dict.fromkeys(variables, node))
        nodes.append(node)
    return nodes


def _scan(node: Node, equation: Equation) -> list[Node]:
    level = _level(node, _jaxprs(node)[0], (0, 0))
    first, carried = _whole(equation, "num_consts"), _whole(equation, "num_carry")
    carry = _entry(level, "carry", first, first + carried)
    steps = _entry(level, "x of this step", first + carried, len(level.jaxpr.inputs))
    text = "next carry" if len(level.jaxpr.outputs) == carried else "next carry and outputs" if carried else "outputs"
    node.exit = _outlet(level, text)
    return [*carry, *steps, *_inside(level), node.exit]


def _while(node: Node, equation: Equation) -> list[Node]:
    constants_, body_constants = _whole(equation, "cond_nconsts"), _whole(equation, "body_nconsts")
    jaxprs = _jaxprs(node)
    condition = _level(node, jaxprs[0], (constants_, constants_ + body_constants))
    body = _level(node, jaxprs[1], (0, constants_))
    go_on, node.exit = _outlet(condition, "go on?"), _outlet(body, "next carry")
    inputs = len(condition.jaxpr.inputs), len(body.jaxpr.inputs)
    return [
        _part("while", condition, [*_entry(condition, "carry", constants_, inputs[0]), *_inside(condition), go_on]),
        _part("do", body, [*_entry(body, "carry", body_constants, inputs[1]), *_inside(body), node.exit]),
    ]


def _kernel(node: Node, equation: Equation) -> list[Node]:
    """A Pallas kernel: it reads blocks of the operands by reference, and writes blocks of the results."""
    level = _level(node, _jaxprs(node)[0], (0, 0))
    operands, results = len(equation.inputs), len(equation.outputs)
    blocks = _entry(level, "blocks", 0, operands)
    written_to = _entry(level, "blocks to write", operands, operands + results)
    scratch = _entry(level, "scratch", operands + results, len(level.jaxpr.inputs))
    for variable in level.jaxpr.inputs[operands:]:
        del level.positions[variable]  # no operand: results and scratch
    written = set(level.jaxpr.inputs[operands : operands + results])
    stores = [one for one in level.equations if one.primitive in _STORES and one.inputs[0] in written]
    node.exit = _outlet(level, "blocks written", [atom for one in stores for atom in one.outputs])
    return [*blocks, *written_to, *scratch, *_inside(level), node.exit]


def _cond(node: Node) -> list[Node]:
    assert node.level is not None
    branches = [_level(node, jaxpr, (0, 1)) for jaxpr in _jaxprs(node)]
    node.exit = Node("port", "result of the branch taken", detail=node.detail, level=node.level)
    node.exit.feeds = tuple((level, list(level.jaxpr.outputs)) for level in branches)
    names = [f"branch {place}" for place in range(len(branches))]
    if is_two_way(node.level.program, node.level.equations[node.main]):
        names = ["branch 0: if False", "branch 1: if True"]
    parts = [_part(name, level, _inside(level)) for name, level in zip(names, branches, strict=True)]
    return [*parts, node.exit]


def _part(label: str, level: Level, children: list[Node]) -> Node:
    """A jaxpr drawn as a frame inside its loop or cond; always open, unless it does nothing."""
    part = Node(
        "part",
        label,
        word=label.partition(":")[0],
        level=level,
        stop=len(level.equations),
        weight=level.weight(0, len(level.equations)),
    )
    part.children, part.open = tuple(children), bool(children)
    part.phase = level.outer_phase
    if not children:
        part.detail = "passes its inputs on"
        level.idle = part
    return part


def _entry(level: Level, text: str, start: int, stop: int) -> list[Node]:
    """The port of some inputs, named by the parameters they stand for; none if there are no such inputs."""
    variables = level.jaxpr.inputs[start:stop]
    if not variables:
        return []
    names = sorted({root(name) for name in level.jaxpr.input_names[start:stop] if name})
    label = f"{text}: {', '.join(names)}" if 0 < len(names) <= _NAMED else text
    types = [level.jaxpr.types[v] for v in variables]
    port = Node("port", label, detail=types_text([_REFERENCE.sub(r"\1", one) for one in types]), level=level)
    port.title = f"{text}: {', '.join(types)}"
    level.ports.update(dict.fromkeys(variables, port))
    return [port]


def _outlet(level: Level, text: str, outputs: Sequence[Atom] | None = None) -> Node:
    outputs = level.jaxpr.outputs if outputs is None else outputs
    types = [level.type_of(atom) for atom in outputs]
    port = Node("port", text, detail=types_text(types), title=f"{text}: {', '.join(types)}", level=level)
    port.feeds = ((level, list(outputs)),)
    return port


def _whole(equation: Equation, parameter: str) -> int:
    text = equation.parameters.get(parameter, "")
    return int(text) if text.isdigit() else 0
