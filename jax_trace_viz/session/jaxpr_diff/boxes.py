"""How the boxes of a graph differ from another trace's equations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.overlay import BoxChanges, Changes
from jax_trace_viz.session.graph.census import LARGEST

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
    from jax_trace_viz.session.graph.tree import Level, Node
    from jax_trace_viz.session.jaxpr_diff.compare import Fate, Fates

_Counts = tuple[int, int, int, int]
_NONE: _Counts = (0, 0, 0, 0)
_PLACES: dict[Fate, int] = {"same": 0, "only": 1, "changed": 2, "resized": 3}


def changes(nodes: Sequence[Node], found: Fates, other: str, *, later: bool) -> Changes:
    """Counts, for each box, what became of its equations.

    Args:
        nodes: What is drawn, in the order of the graph's boxes.
        found: What became of the equations of both traces.
        other: Id of the trace that is not drawn.
        later: Whether the drawn trace is the later of the two.
    """
    counter = _Counter(found.after if later else found.before)
    boxes = [_box(counter, node) for node in nodes]
    return Changes(other=other, later=later, boxes=boxes, note=found.note)


def _box(counter: _Counter, node: Node) -> BoxChanges:
    level = node.level
    if level is None or node.stop <= node.start:
        return BoxChanges()
    same, only, changed, resized = counter.count(level, node.start, node.stop)
    return BoxChanges(same=same, only=only, changed=changed, resized=resized)


class _Counter:
    def __init__(self, fates: Mapping[str, list[Fate]]) -> None:
        self._fates = fates
        self._totals: dict[tuple[str, bool], _Counts] = {}

    def count(self, level: Level, start: int, stop: int) -> _Counts:
        """What became of a run of equations, with all inside them."""
        jaxprs, alone = level.program.jaxprs, self._alone(level)
        total = _NONE
        for place in range(start, stop):
            total = _sum(total, self._equation(jaxprs, level.jaxpr, place, alone=alone))
        return total

    def _alone(self, level: Level) -> bool:
        """Whether a level lies in an equation that the other trace lacks."""
        caller = level.caller
        while caller is not None and caller.level is not None:
            outside = caller.level
            if self._fate(outside.jaxpr, caller.main) == "only":
                return True
            caller = outside.caller
        return False

    def _fate(self, jaxpr: Jaxpr, place: int) -> Fate | None:
        """None where an equation was not compared."""
        known = self._fates.get(jaxpr.id)
        if known is None:
            return "same"
        return known[place] if place < len(known) else None

    def _equation(self, jaxprs: Mapping[str, Jaxpr], jaxpr: Jaxpr, place: int, *, alone: bool) -> _Counts:
        equation: Equation = jaxpr.equations[place]
        fate = "only" if alone else self._fate(jaxpr, place)
        if fate is None:
            return _NONE
        counts = list(_NONE)
        counts[_PLACES[fate]] = 1
        total: _Counts = (counts[0], counts[1], counts[2], counts[3])
        for sub in equation.jaxprs:
            if (inner := jaxprs.get(sub.jaxpr)) is not None:
                total = _sum(total, self._jaxpr(jaxprs, inner, alone=fate == "only"))
        return total

    def _jaxpr(self, jaxprs: Mapping[str, Jaxpr], jaxpr: Jaxpr, *, alone: bool) -> _Counts:
        key = jaxpr.id, alone
        total = self._totals.get(key)
        if total is None:
            total = _NONE
            for place in range(len(jaxpr.equations)):
                total = _sum(total, self._equation(jaxprs, jaxpr, place, alone=alone))
            self._totals[key] = total
        return total


def _sum(one: _Counts, other: _Counts) -> _Counts:
    a, b, c, d = (min(x + y, LARGEST) for x, y in zip(one, other, strict=True))
    return a, b, c, d
