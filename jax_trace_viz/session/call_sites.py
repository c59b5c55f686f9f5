"""The user's lines that caused traces and compilations, ranked by what they cost."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jax_trace_viz.contract.document import Compilation, Place, Trace


@dataclass
class CallSite:
    """One line: its traces that no other trace contains, and what was compiled for it."""

    place: Place
    function: str
    """Id of the function it called."""
    traces: int = 0
    compiles: int = 0
    seconds: float = 0.0
    """Tracing, lowering and compiling; nested traces are contained in the outer one's time."""


def call_sites(traces: Iterable[Trace], compilations: Iterable[Compilation], users: set[str]) -> list[CallSite]:
    """The call sites of the user's functions, the costliest first.

    Args:
        traces: All traces of a session.
        compilations: All its compilations.
        users: Ids of the functions that count.
    """
    found: dict[tuple[Place, str], CallSite] = {}
    compiled: defaultdict[str, list[Compilation]] = defaultdict(list)
    alone: list[Compilation] = []
    for compilation in compilations:
        (alone if compilation.trace is None else compiled[compilation.trace]).append(compilation)

    def site(place: Place, function: str) -> CallSite:
        return found.setdefault((place, function), CallSite(place, function))

    for trace in traces:
        if trace.parent is None and trace.kind != "call" and trace.call_site is not None and trace.function in users:
            here = site(trace.call_site, trace.function)
            here.traces += 1
            here.compiles += len(compiled[trace.id])
            here.seconds += trace.seconds + sum(one.lower_seconds + one.seconds for one in compiled[trace.id])
    for one in alone:
        if one.call_site is not None and one.function in users:
            here = site(one.call_site, one.function)
            here.compiles += 1
            here.seconds += one.lower_seconds + one.seconds
    return sorted(found.values(), key=lambda each: -each.seconds)
