"""Recordings to draw: written down by hand, or of programs that JAX really traced."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from jax_trace_viz.contract.document import Function, Trace
from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr, SubJaxpr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jax_trace_viz.contract.cell import Cell
    from jax_trace_viz.contract.picture import Box, Graph

TRACE = "f1#1"


@dataclass
class Tape:
    """A recording of one trace."""

    jaxprs: dict[str, Jaxpr] = field(default_factory=dict)
    frames: list[Frame] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)


def trace(jaxpr: str | None, **more: Any) -> Trace:
    """A trace of function `f1`."""
    known = {"parent": None, "kind": "jit", "status": "ok", "call_site": None, "reasons": []}
    return Trace(id=TRACE, function="f1", jaxpr=jaxpr, **known | more)


def function(name: str = "f", **more: Any) -> Function:
    """Function `f1`."""
    known = {"qualname": name, "file": None, "line": None, "end_line": None, "origin": "user"}
    return Function(id="f1", name=name, **known | more)


def jaxpr(id_: str, inputs: int, lines: Sequence[str], outputs: Sequence[int | str], **more: Any) -> Jaxpr:
    """A jaxpr of `f32[2]` variables, from lines such as `2 = add 0 1` or `3 4 = jit:j1 2` (`jit:j1` runs jaxpr `j1`).

    Inputs come first, then what the equations make; a literal is written `1.0:f32[]`, a parameter `length=3`, a scope
    `@layer`.
    """
    equations = [_equation(line) for line in lines]
    variables = inputs + sum(len(equation.outputs) for equation in equations)
    types = ["f32[2]"] * (variables + len(more.get("constants", ())))
    known = {"constants": [], "types": types}
    return Jaxpr(id=id_, inputs=list(range(inputs)), outputs=list(outputs), equations=equations, **known | more)


def _equation(line: str) -> Equation:
    left, _, right = line.partition(" = ")
    head, *words = right.split()
    primitive, *subs = head.split(":")
    parameters = dict(word.split("=") for word in words if "=" in word)
    return Equation(
        primitive=primitive,
        inputs=[int(word) if word.isdigit() else word for word in words if "=" not in word and word[0] != "@"],
        outputs=[int(word) for word in left.split()],
        parameters=parameters,
        jaxprs=[SubJaxpr(parameter=f"jaxpr[{place}]", jaxpr=sub) for place, sub in enumerate(subs)],
        scope=next((word[1:] for word in words if word[0] == "@"), ""),
    )


def tape(*jaxprs: Jaxpr, **more: Any) -> Tape:
    """A recording whose trace made the last of the jaxprs."""
    return Tape({one.id: one for one in jaxprs}, [], [function()], [trace(jaxprs[-1].id, **more)])


def traced(program: Callable[..., Any], *arguments: Any) -> Tape:
    """A recording of a program that JAX traces here."""
    import jax

    from jax_trace_viz.capture.jaxprs.writer import JaxprWriter

    recording = Tape()
    id_, events = JaxprWriter().write(jax.make_jaxpr(program)(*arguments))
    for event in events:
        recording.jaxprs[event.jaxpr.id] = event.jaxpr
        recording.frames += event.frames
    code = inspect.unwrap(program).__code__
    recording.functions = _functions(code.co_filename)
    own = next((one for one in recording.functions if one.qualname == code.co_qualname), None)
    recording.traces = [trace(id_)]
    if own is not None:
        recording.functions = [_renamed(one, "f1" if one is own else f"o{one.id}") for one in recording.functions]
    return recording


def _renamed(one: Function, id_: str) -> Function:
    return replace(one, id=id_)


def _functions(file: str) -> list[Function]:
    """Every function defined in a file, as capture records those that run."""
    source = Path(file).read_text(encoding="utf-8")
    lines, found = source.split("\n"), list[Function]()

    def walk(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
                found.append(
                    Function(
                        id=str(len(found)),
                        name=child.name,
                        qualname=prefix + child.name,
                        file=file,
                        line=first,
                        end_line=child.end_lineno,
                        origin="user",
                        source="\n".join(lines[first - 1 : child.end_lineno]),
                    )
                )
                walk(child, f"{prefix}{child.name}.<locals>.")
            else:
                walk(child, f"{prefix}{child.name}." if isinstance(child, ast.ClassDef) else prefix)

    walk(ast.parse(source), "")
    return found


def box(graph: Graph, label: str) -> Box:
    """The only box with this label."""
    found = [one for one in graph.boxes if one.label == label]
    assert len(found) == 1, [one.label for one in graph.boxes]
    return found[0]


def arrows(graph: Graph) -> set[tuple[str, str]]:
    """The drawn edges, by the labels at their ends."""
    labels = {one.id: one.label for one in graph.boxes}
    return {(labels[edge.source], labels[edge.target]) for edge in graph.edges}
