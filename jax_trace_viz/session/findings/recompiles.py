"""Findings about programs that are compiled again and again although nothing is traced."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Finding
from jax_trace_viz.session.findings.advice import for_recompile
from jax_trace_viz.session.wording import count_text, reason_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Compilation, Place
    from jax_trace_viz.session.evidence import Evidence

_MANY = 4
"""Compilations of one call site from which on it is no matter of two devices, or of arrays that came to rest."""

_PLACED = frozenset({"sharding_or_device", "donation"})


def recompilations(evidence: Evidence) -> Iterator[Finding]:
    """One for each line that had the same traced function compiled many times."""
    groups: defaultdict[tuple[str, Place | None], list[Compilation]] = defaultdict(list)
    for compilation in evidence.recompiled:
        function = evidence.functions[compilation.function]
        if function.origin == "user" and compilation.reasons[0].kind in _PLACED:
            groups[compilation.function, compilation.call_site].append(compilation)
    for (function, place), members in groups.items():
        if len(members) >= _MANY:
            yield _finding(evidence.functions[function].name, place, members)


def _finding(name: str, place: Place | None, members: list[Compilation]) -> Finding:
    last = members[-1]
    where = f" from line {place.line}" if place else ""
    return Finding(
        kind="too_many_compiles",
        function=last.function,
        trace=None,
        text=f"`{name}` was compiled {count_text(len(members), 'more time')}{where}, though nothing was traced again: "
        f"at last {reason_text(last.reasons[0])}.",
        fix=for_recompile(last.reasons[0]),
        place=place,
        seconds=sum(member.seconds + member.lower_seconds for member in members),
    )
