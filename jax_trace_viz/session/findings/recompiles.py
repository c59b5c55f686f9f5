"""Findings about programs that are compiled again and again although nothing is traced."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Finding
from jax_trace_viz.session.findings.advice import because_of_new_object, for_recompile
from jax_trace_viz.session.wording import count_text, reason_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Compilation, Place
    from jax_trace_viz.session.evidence import Evidence

_MANY = 4
"""Compilations of one call site from which on it is no matter of two devices, or of arrays that came to rest."""

_LEAST = {"sharding_or_device": _MANY, "donation": _MANY, "new_function_object": 2}
"""Compilations of one line for one kind of reason from which on they are a finding. An object that is made anew twice
in the same place is made anew each time.
"""


def recompilations(evidence: Evidence) -> Iterator[Finding]:
    """One for each line that had the same traced function compiled many times."""
    groups: defaultdict[tuple[str, Place | None, int], list[Compilation]] = defaultdict(list)
    for compilation in evidence.recompiled:
        function = evidence.functions[compilation.function]
        least = _LEAST.get(compilation.reasons[0].kind)
        if function.origin == "user" and least is not None:
            groups[compilation.function, compilation.call_site, least].append(compilation)
    for (_, place, least), members in groups.items():
        if len(members) >= least:
            yield _finding(evidence, place, members)


def _finding(evidence: Evidence, place: Place | None, members: list[Compilation]) -> Finding:
    last = members[-1]
    name = evidence.functions[last.function].name
    reason = last.reasons[0]
    is_object = reason.kind == "new_function_object"
    why = because_of_new_object(name, reason) if is_object else f"at last {reason_text(reason)}"
    where = f" from {evidence.line_at(place)}" if place else ""
    return Finding(
        kind="too_many_compiles",
        function=last.function,
        trace=None,
        text=f"`{name}` was compiled {count_text(len(members), 'more time')}{where}, though nothing was traced again: "
        f"{why}.",
        fix=for_recompile(name, reason),
        place=place,
        seconds=sum(member.seconds + member.lower_seconds for member in members),
    )
