"""The lines of a picture, found in another way: all calls are inlined first, then equations become boxes.

Slow and simple, to be compared with.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
    from jax_trace_viz.session.graph.tree import Level, Node

Place = tuple[Any, ...]
"""Where a value is made: the way through the calls, then an equation's place, or a word and a number for a port."""


@dataclass
class Inlined:
    """The data flow of a program with all its calls written out."""

    jaxprs: Mapping[str, Jaxpr]
    edges: set[tuple[Place, Place]] = field(default_factory=set)

    def run(self, jaxpr: Jaxpr, way: Place, inputs: list[set[Place]]) -> list[set[Place]]:
        """Follows the values through a jaxpr; returns where its outputs were made."""
        made: dict[int, set[Place]] = dict(zip(jaxpr.inputs, inputs, strict=True))
        made |= {constant: {(*way, "port", constant)} for constant in jaxpr.constants}
        for place, equation in enumerate(jaxpr.equations):
            operands = [set() if isinstance(atom, str) else made[atom] for atom in equation.inputs]
            results = self._equation(equation, (*way, place), operands)
            made |= dict(zip(equation.outputs, results, strict=True))
        return [set() if isinstance(atom, str) else made[atom] for atom in jaxpr.outputs]

    def _equation(self, equation: Equation, here: Place, operands: list[set[Place]]) -> list[set[Place]]:
        subs = [self.jaxprs[sub.jaxpr] for sub in equation.jaxprs]
        if subs:  # a closed call uses all its operands, whatever its inside does with them
            self.edges |= {(source, (*here, "operand")) for operand in operands for source in operand}
        number = {name: int(text) for name, text in equation.parameters.items() if text.isdigit()}
        if equation.primitive == "scan":
            consts = number["num_consts"]
            inputs = operands[:consts] + self._ports(subs[0], (*here, 0), operands, consts)
            self._exit(here, self.run(subs[0], (*here, 0), inputs))
        elif equation.primitive == "while":
            c, b = number["cond_nconsts"], number["body_nconsts"]
            outer = operands[:c] + operands[c + b :]
            condition = self.run(subs[0], (*here, 0), outer[:c] + self._ports(subs[0], (*here, 0), outer, c))
            self.edges |= {(source, (*here, 0, "go on")) for source in condition[0]}
            outer = operands[c:]
            self._exit(here, self.run(subs[1], (*here, 1), outer[:b] + self._ports(subs[1], (*here, 1), outer, b)))
        elif equation.primitive == "cond":
            self._exit(here, operands[:1])
            for branch, sub in enumerate(subs):
                self._branch(sub, here, branch, operands[1:])
        elif fitting := [
            k for k, sub in enumerate(subs) if len(sub.inputs) == len(operands) and (sub.equations or sub.constants)
        ]:
            inside = self.run(subs[fitting[0]], (*here, fitting[0]), operands)
            results = [(*here, "result", place) for place in range(len(inside))]
            self.edges |= {(one, result) for made, result in zip(inside, results, strict=True) for one in made}
            return [{result} for result in results]
        else:
            self.edges |= {(source, here) for operand in operands for source in operand}
            return [{here}] * len(equation.outputs)
        return [{(*here, "exit")}] * len(equation.outputs)

    def _branch(self, sub: Jaxpr, here: Place, branch: int, operands: list[set[Place]]) -> None:
        way = (*here, branch)
        if sub.equations or sub.constants:
            self._exit(here, self.run(sub, way, operands))
        elif used := [operands[place] for place, variable in enumerate(sub.inputs) if variable in sub.outputs]:
            self.edges |= {(source, (*way, "idle")) for operand in used for source in operand}
            self._exit(here, [{(*way, "idle")}])

    def _ports(self, sub: Jaxpr, way: Place, operands: list[set[Place]], first: int) -> list[set[Place]]:
        ports: list[set[Place]] = []
        for variable, operand in list(zip(sub.inputs, operands, strict=True))[first:]:
            port = (*way, "port", variable)
            self.edges |= {(source, port) for source in operand}
            ports.append({port})
        return ports

    def _exit(self, here: Place, values: list[set[Place]]) -> None:
        self.edges |= {(source, (*here, "exit")) for value in values for source in value}


def expected_lines(root: Node, jaxprs: Mapping[str, Jaxpr]) -> set[tuple[Node, Node]]:
    """The pairs of visible boxes that a line must join."""
    level = root.level
    assert level is not None
    inlined = Inlined(jaxprs)
    outputs = inlined.run(level.jaxpr, (), [{("port", variable)} for variable in level.jaxpr.inputs])
    results = [("returned", place) for place in range(len(outputs))]
    inlined.edges |= {(one, result) for made, result in zip(outputs, results, strict=True) for one in made}
    edges = {
        (source, target)
        for source, target in inlined.edges
        if target[-1] != "operand" or not _is_open_call(level, target[:-1])
    }
    passed = {place for edge in edges for place in edge if place[-2:-1] == ("result",)}
    edges = _without(edges, {place for place in passed if _is_open_call(level, place[:-2])})
    ends = {result: node for result in results for node in root.children if _returns(level, node, result[1])}
    pairs = {(_drawn(level, source), ends.get(target) or _drawn(level, target)) for source, target in edges}
    hidden = {node for pair in pairs for node in pair if node.open}
    return {(source, target) for source, target in _without(pairs, hidden) if source is not target}


def _returns(level: Level, node: Node, place: int) -> bool:
    atom = level.jaxpr.outputs[place]
    return node.kind == "result" and any(atom in atoms for _, atoms in node.feeds)


def _is_open_call(level: Level, place: Place) -> bool:
    node = _drawn(level, place)
    return node.open and place[-1] in node.parts[0].calls


def _drawn(level: Level, place: Place) -> Node:
    """The node that a place is drawn as: an open call stands for shape-only equations beside it."""
    first, *rest = place
    if first == "port":
        return level.ports[rest[0]]
    node = level.node_of[first]
    assert node is not None
    end = not rest or rest == ["operand"] or rest[0] == "result"
    if end or not node.open or first not in node.parts[0].calls:
        return node
    if rest == ["exit"]:
        assert node.exit is not None
        return node.exit
    part = node.parts[rest[0] if len(node.parts) > 1 else 0]
    if rest[1:] == ["idle"]:
        assert part.idle is not None
        return part.idle
    if rest[1:] == ["go on"]:
        return next(child for child in node.children[0].children if child.feeds)
    return _drawn(part, tuple(rest[1:]))


def _without(pairs: set[tuple[Any, Any]], hidden: set[Any]) -> set[tuple[Any, Any]]:
    """Looks through what is not drawn."""
    for node in hidden:
        into = {source for source, target in pairs if target == node != source}
        out = {target for source, target in pairs if source == node != target}
        pairs = {pair for pair in pairs if node not in pair} | {(a, b) for a in into for b in out}
    return pairs
