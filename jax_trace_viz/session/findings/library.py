"""Findings about what the user's lines had libraries compile again: nothing else would tell the cost."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Finding
from jax_trace_viz.session.wording import count_text, seconds_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Compilation, Place
    from jax_trace_viz.session.evidence import Evidence

_LINES = 3
"""Lines that are named; the others are counted."""

_FIX = (
    "Each object that a library makes, each shape and each setting has a program of its own: make the object (a "
    "sampler, a solver, a training step) once, and call it with the same shapes."
)


def library_compilations(evidence: Evidence) -> Iterator[Finding]:
    """One for each function of theirs that took long to compile once more.

    Operations of JAX's own, `scan` among them, are programs of their own for whatever they are given.
    """
    groups: defaultdict[str, list[Compilation]] = defaultdict(list)
    for compilation in evidence.long_library_compilations:
        groups[evidence.functions[compilation.function].name].append(compilation)
    operations = {operation for line in evidence.eager for operation in line.operations}
    for name, members in groups.items():
        if name.lstrip("_") not in operations:
            yield _finding(evidence, name, members)


def _finding(evidence: Evidence, name: str, members: list[Compilation]) -> Finding:
    costs: defaultdict[Place | None, float] = defaultdict(float)
    for member in members:
        costs[member.call_site] += member.seconds + member.lower_seconds
    dearest = sorted(costs.items(), key=lambda item: -item[1])
    told = [f"{seconds_text(cost)} from {_line(evidence, place)}" for place, cost in islice(dearest, _LINES)]
    if len(dearest) > _LINES:
        told.append(f"the rest from {count_text(len(dearest) - _LINES, 'more line')}")
    return Finding(
        kind="library_compiles",
        function=None,
        trace=None,
        text=f"`{name}`, a library's function, was compiled {count_text(len(members), 'more time')}: "
        f"{', '.join(told)}.",
        fix=_FIX,
        place=dearest[0][0],
        seconds=sum(costs.values()),
    )


def _line(evidence: Evidence, place: Place | None) -> str:
    return evidence.line_at(place) if place else "a place that is not known"
