"""In what the copies of a plate differ, though all do the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Equation
    from jax_trace_viz.session.graph.tree import Level, Node

_COMPARED = 2000
"""Plates of more copies are not compared."""
_TOLD = 6
_LONGEST = 40


def kinds_of_difference(level: Level, plate: Node) -> list[str]:
    """`shapes`, `literals`, `parameters`: in which of them some copy differs from the first."""
    found: set[str] = set()
    if plate.count > _COMPARED:
        return []
    for place in range(plate.period):
        equations = level.equations[plate.start + place : plate.stop : plate.period]
        first, types, literals = equations[0], level.types(equations[0]), _literals(equations[0])
        for other in equations[1:]:
            if level.types(other) != types:
                found.add("shapes")
            elif other.parameters != first.parameters:
                found.add("parameters")
            if _literals(other) != literals:
                found.add("literals")
    return sorted(found)


def shown_copy_text(plate: Node) -> str:
    """Which copy is drawn, where it is not the first: `copy 8 shown`, with its name if it has one of its own."""
    if not plate.shown:
        return ""
    name = f": {plate.copies[plate.shown]}" if plate.copies else ""
    return f"copy {plate.shown + 1:,} shown{name}"


def differences_text(level: Level, plate: Node) -> str:
    """In what the copy that is drawn differs from the first one: `copy 1 → copy 8`, a line for each difference."""
    if not plate.shown:
        return ""
    lines: list[str] = []
    for place in range(plate.period):
        first, other = level.equations[plate.start + place], level.equations[plate.shown_start + place]
        lines += [f"{first.primitive}: {before} → {now}" for before, now in _pairs(level, first, other)]
    told = list(dict.fromkeys(lines))
    more = [f"and {len(told) - _TOLD} more"] if len(told) > _TOLD else []
    head = f"copy 1 → copy {plate.shown + 1:,}: " + ("" if told else "the same types, parameters and literals")
    return "\n".join([head.strip(), *told[:_TOLD], *more])


def _pairs(level: Level, first: Equation, other: Equation) -> list[tuple[str, str]]:
    """What differs between two equations, in the first and in the other."""
    pairs = list(zip(level.types(first), level.types(other), strict=True))
    if not any(one != two for one, two in pairs):
        names = sorted(first.parameters.keys() | other.parameters.keys())
        ours, theirs = first.parameters, other.parameters
        pairs += [(f"{name}={ours.get(name, '–')}", f"{name}={theirs.get(name, '–')}") for name in names]
    literals, others = _literals(first), _literals(other)
    pairs += [(one, two) for one, two in zip(literals, others, strict=False)]
    return [(one[:_LONGEST], two[:_LONGEST]) for one, two in pairs if one != two]


def _literals(equation: Equation) -> list[str]:
    return [atom for atom in equation.inputs if isinstance(atom, str)]
