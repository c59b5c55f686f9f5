"""Findings about calls that JAX cannot answer on its fast path, though it has the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Finding, Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Function
    from jax_trace_viz.contract.jaxpr import Equation
    from jax_trace_viz.session.evidence import Evidence

_MANY = 1_000
"""Hits from which on the way through Python, about a tenth of a millisecond each, is worth a word."""

_WRITTEN = {
    "debug_print": "jax.debug.print",
    "debug_callback": "jax.debug",  # `jax.debug.print` as well before 0.8
    "io_callback": "jax.experimental.io_callback",
}
"""Primitives whose effects keep calls in Python → what the user wrote."""


def calls_without_fast_path(evidence: Evidence) -> Iterator[Finding]:
    """One for each function that was called often, hit each time, and never on the fast path, because of an effect."""
    for function in evidence.ranked:
        if function.fast_hits or function.cache_hits < _MANY:
            continue
        traces = evidence.traces_of(function.id)
        # Calls inside other traces take no fast path for another reason.
        if not traces or any(trace.parent for trace in traces):
            continue
        found = _effect(evidence, traces[-1].jaxpr)
        if found is not None:
            yield _finding(evidence, function, found)


def _effect(evidence: Evidence, jaxpr: str | None) -> Equation | None:
    """The equation that has the effect, inside whatever calls it."""
    if jaxpr is None or jaxpr not in evidence.jaxprs:
        return None
    for equation in evidence.jaxprs[jaxpr].equations:
        if equation.effects and equation.primitive in _WRITTEN:
            return equation
        inner = (_effect(evidence, sub.jaxpr) for sub in equation.jaxprs) if equation.effects else ()
        found = next(filter(None, inner), None)
        if found is not None:
            return found
    return None


def _finding(evidence: Evidence, function: Function, equation: Equation) -> Finding:
    frame = None if equation.frame is None else evidence.frames[equation.frame]
    written = _WRITTEN[equation.primitive]
    place = None if frame is None else Place(file=frame.file, line=frame.line)
    where = f" at {evidence.line_at(place)}" if place else ""
    return Finding(
        kind="no_fast_path",
        function=function.id,
        trace=None,
        text=f"None of the {function.cache_hits:,} cache hits of `{function.name}` took JAX's fast path: "
        f"`{written}`{where} has an effect, so each call goes through Python.",
        fix=f"Take `{written}` out of the function that is called often, or call it in every hundredth step only.",
        place=place,
    )
