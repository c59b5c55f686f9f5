"""The top and the bottom of the picture: arguments, baked-in constants, results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.calls import constants
from jax_trace_viz.session.graph.keypaths import root
from jax_trace_viz.session.graph.scopes import parse_scope
from jax_trace_viz.session.graph.sizes import arrays_text
from jax_trace_viz.session.graph.tree import Node
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.document import Constant, Function, Trace
    from jax_trace_viz.contract.jaxpr import Equation
    from jax_trace_viz.session.graph.tree import Atom, Level

_LISTED = 40
_MOST = 16
"""So many arguments or results have boxes of their own."""
_GRADIENT = re.compile(r"grad|vjp|jvp|jac|hessian|linearize|linear_transpose")
_KEY = re.compile(r"\['[^']*'\]")
_RESULT = re.compile(r"(?:result)?\[(\d+)\]")


def argument_nodes(level: Level, trace: Trace) -> tuple[list[Node], dict[int, str]]:
    """A box for each argument, with all its leaves, and the key path of each leaf's variable."""
    names = level.jaxpr.input_names
    roles = {argument.path: argument.role for argument in trace.arguments}
    paths: dict[int, str] = {}
    leaves: dict[str, list[int]] = {}
    for place, variable in enumerate(level.jaxpr.inputs):
        paths[variable] = (names[place] if place < len(names) else "") or f"unnamed[{place}]"
        leaves.setdefault(root(paths[variable]), []).append(variable)
    if len(unnamed := leaves.get("unnamed", [])) == 1:
        paths[unnamed[0]] = "unnamed"
    if len(leaves) > _MOST:
        rest = list(leaves)[_MOST - 1 :]
        leaves[f"{len(rest)} more arguments"] = [variable for name in rest for variable in leaves.pop(name)]
    nodes: list[Node] = []
    unused = set[int]()
    if trace.jaxpr and trace.status == "ok":
        unused = level.program.once(("unused", trace.jaxpr), lambda: _unused(level))
    for name, variables in leaves.items():
        types = [level.jaxpr.types[variable] for variable in variables]
        node = Node("argument", name, detail=arrays_text(types), level=level)
        node.title = _list(f"argument {name}", [(paths[v], level.jaxpr.types[v]) for v in variables])
        donated = sum(roles.get(paths[variable]) == "donated" for variable in variables)
        if donated:
            node.notes += ("donated" if donated == len(variables) else f"{donated} of {len(variables)} donated",)
        if unused.issuperset(variables):
            node.notes += ("not used",)
        level.ports.update(dict.fromkeys(variables, node))
        nodes.append(node)
    return nodes, paths


def _unused(level: Level) -> set[int]:
    """The inputs that neither an equation nor a result uses, as far as all equations are known."""
    if level.jaxpr.dropped_equations:
        return set()
    left = set(level.jaxpr.inputs).difference(level.results)
    for equation in level.equations:
        if not left:
            break
        left.difference_update(equation.inputs)
    return left


def constant_nodes(level: Level, known: Sequence[Constant]) -> tuple[list[Node], dict[int, str]]:
    """Boxes for the baked-in arrays, and what each is called: a variable of the program, or else its type."""
    jaxpr = level.jaxpr
    nodes = constants(level)
    names = _constant_names(level, known)
    paths = dict(names)
    for node in nodes:
        variables = [variable for variable in jaxpr.constants if level.ports[variable] is node]
        texts = list(dict.fromkeys(names[variable] for variable in variables if variable in names))
        if len(variables) > 1:
            paths |= {v: f"baked-in {jaxpr.types[v]}" for v in variables if v not in names}
        if texts:
            node.title = f"{', '.join(texts)}: {node.title}"
            node.notes += ("baked in",)
            more = len([variable for variable in variables if variable not in names])
            node.label = ", ".join(texts) + (f" and {count_text(more, 'other')}" if more else "")
    return nodes, paths


def _constant_names(level: Level, known: Sequence[Constant]) -> dict[int, str]:
    """Which variable of the program a baked-in array was, where that is certain."""
    jaxpr = level.jaxpr
    told = {variable: name for variable, name in zip(jaxpr.constants, jaxpr.constant_names, strict=False) if name}
    if told:
        return told
    by_type: dict[str, set[str | None]] = {}
    for constant in known:
        by_type.setdefault(constant.type, set()).add(constant.name)
    own = [jaxpr.types[variable] for variable in jaxpr.constants]
    alone = {kind for kind in own if own.count(kind) == 1 == len(by_type.get(kind, ()))}
    found = {
        variable: next(iter(by_type[kind]))
        for variable, kind in zip(jaxpr.constants, own, strict=True)
        if kind in alone
    }
    return {variable: name for variable, name in found.items() if name}


def result_nodes(level: Level, function: Function | None) -> list[Node]:
    """A box for each part that the function returns."""
    jaxpr = level.jaxpr
    parts: dict[str, list[tuple[str, Atom]]] = {}
    for place, atom in enumerate(jaxpr.outputs):
        path = (jaxpr.output_names[place] if place < len(jaxpr.output_names) else "") or f"result[{place}]"
        found = _RESULT.match(path)
        part = path if path.isidentifier() else "result"  # a name is that of a library, which returns something too
        parts.setdefault(found[0] if found else part, []).append((path, atom))
    if len(parts) > _MOST:
        parts = {"result": [leaf for leaves in parts.values() for leaf in leaves]}
    own = [part for part in parts if part == "result" or not part.isidentifier()]
    key = "returned", jaxpr.id, function.id if function else ""
    names = dict(zip(own, level.program.once(key, lambda: _returned_names(level, function, own)), strict=True))
    nodes: list[Node] = []
    for part, leaves in parts.items():
        types = [level.type_of(atom) for _, atom in leaves]
        node = Node("result", names.get(part, part), detail=_keys(part, leaves) or arrays_text(types), level=level)
        node.title = _list(f"result {part}", [(path, level.type_of(atom)) for path, atom in leaves])
        node.feeds = ((level, [atom for _, atom in leaves]),)
        made = [level.producer.get(atom) if isinstance(atom, int) else None for _, atom in leaves]
        if all(place is not None and level.phase(place, place + 1) == "backward" for place in made):
            node.notes += ("gradient",)
        if len(leaves) == 1 and isinstance(leaves[0][1], str):
            always = f"always {leaves[0][1].rpartition(':')[0]}"
            if part in own:
                node.notes += (always,)
            else:  # of no use to people: one line has to do
                node.label, node.detail = f"{part}: {always}", ""
        nodes.append(node)
    return nodes


def _keys(part: str, leaves: list[tuple[str, Atom]]) -> str:
    """The keys of a dictionary with a few entries, all arrays: `['loss'], ['accuracy']`; empty for anything else."""
    keys = [path.removeprefix(part) for path, _ in leaves]
    text = ", ".join(keys)
    return text if len(keys) > 1 and len(text) <= _LISTED and all(map(_KEY.fullmatch, keys)) else ""


def _returned_names(level: Level, function: Function | None, parts: list[str]) -> list[str]:
    """The names in the `return` statement, where it has them.

    They count only if what comes out is what the function returns: not a gradient of it, and not what a library's
    function, which JAX traces, makes of it.
    """
    if function is None or not parts or level.jaxpr.function not in ("", function.name):
        return parts
    returned = level.program.sources.returned(function)
    if (parts == ["result"] and len(returned) == 1) or (
        len(returned) > 1
        and parts
        in (
            [f"result[{i}]" for i in range(len(returned))],
            [f"[{i}]" for i in range(len(returned))],
        )
    ):
        names = [name or part for name, part in zip(returned, parts, strict=True)]
    else:
        names = parts
    return parts if names != parts and _is_differentiated(level, function) else names


def _is_differentiated(level: Level, function: Function) -> bool:
    """Whether the function itself may be under a gradient: then what comes out is not what it returns.

    It is not, if the expressions of its own that led to the gradient's equations ask for one, or if it goes on to work
    with what a backward pass made.
    """
    program, suspects = level.program, set[int]()
    for equation in level.equations:
        if parse_scope(equation.scope).phase:
            suspects.update(_frames_of(level, function, equation)[:1])
    asked = (_GRADIENT.search(program.sources.text(program.frames[frame])) for frame in suspects)
    return not all(asked) and not _uses_backward(level, function)


def _frames_of(level: Level, function: Function, equation: Equation) -> list[int]:
    """The frames of an equation that belong to the function, outermost first."""
    frames = ((index, level.program.frames[index]) for index in level.program.chain(equation.frame))
    return [i for i, frame in frames if frame.file == function.file and frame.function == function.qualname]


def _uses_backward(level: Level, function: Function) -> bool:
    for equation in level.equations:
        if parse_scope(equation.scope).phase == "" and _frames_of(level, function, equation):
            makers = (level.producer.get(atom) for atom in equation.inputs if isinstance(atom, int))
            scopes = (level.equations[place].scope for place in makers if place is not None)
            if any(parse_scope(scope).phase == "backward" for scope in scopes):
                return True
    return False


def _list(head: str, leaves: list[tuple[str, str]]) -> str:
    lines = [f"{path}: {text}" for path, text in leaves[:_LISTED]]
    return "\n".join([head, *lines, *(["…"] if len(leaves) > _LISTED else [])])
