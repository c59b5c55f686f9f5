"""Findings about retraces that can be avoided."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Finding, Place
from jax_trace_viz.session.findings.advice import (
    because_of_change,
    because_of_object,
    because_of_spelling,
    for_context,
    for_object,
    for_shapes,
    for_spelling,
    for_static_value,
    for_structure,
    for_weak_type,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jax_trace_viz.session.chains import Cause
    from jax_trace_viz.session.evidence import Evidence


@dataclass(frozen=True)
class _Rule:
    finding: str
    because: Callable[[Cause], str]
    fix: Callable[[Cause], str]
    least: int = 1
    """Retraces from which on it is a finding: two shapes may well be meant, three or more are a pattern."""


_RULES = {
    "new_shape": _Rule("changing_shapes", because_of_change, for_shapes, least=2),
    "weak_type": _Rule("weak_type", because_of_change, for_weak_type),
    "new_static_value": _Rule("varying_static", because_of_change, for_static_value, least=2),
    "new_function_object": _Rule("new_function_object", because_of_object, for_object),
    "new_pytree_structure": _Rule("growing_pytree", because_of_change, for_structure, least=2),
    "kwargs_signature": _Rule("kwargs_spelling", because_of_spelling, for_spelling),
    "config_context": _Rule("context_toggle", because_of_change, for_context),
}


def avoidable_retraces(evidence: Evidence) -> Iterator[Finding]:
    """One finding for each function and kind of change, on the part that cost most."""
    groups: defaultdict[tuple[str, str], list[Cause]] = defaultdict(list)
    for cause in evidence.causes:
        groups[cause.function.id, cause.kind].append(cause)
    for (_, kind), members in groups.items():
        rule = _RULES.get(kind)
        times = sum(len(cause.traces) for cause in members)
        if rule is not None and (times >= rule.least or members[0].by_identity):
            yield _finding(rule, members)


def _finding(rule: _Rule, members: list[Cause]) -> Finding:
    cause = members[0]
    function = cause.function
    times = sum(len(member.traces) for member in members)
    share = "" if len(members) == 1 else f", {len(cause.traces)} of them"
    again = f"`{function.name}` was traced {'again' if times == 1 else f'{times} more times'}"
    last = cause.traces[-1]
    place = last.call_site
    if cause.kind == "new_function_object" and function.file and function.line:
        place = Place(file=function.file, line=function.line)
    return Finding(
        kind=rule.finding,
        function=function.id,
        trace=last.id,
        text=f"{again}{share} because {rule.because(cause)}.",
        fix=rule.fix(cause),
        place=place,
        seconds=sum(member.seconds for member in members),
    )
