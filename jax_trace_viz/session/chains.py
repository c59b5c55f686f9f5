"""How one part of the key changed over several retraces: `f32[8] → f32[9] → f32[10]`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.session.evidence import decisive
from jax_trace_viz.session.keys import BY_IDENTITY
from jax_trace_viz.session.wording import reason_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.document import Function, Reason, Trace
    from jax_trace_viz.session.evidence import Evidence

STATIONS = 4
"""A longer chain is cut in the middle."""

COMPANIONS = 3
"""Other parts that are named; the rest are counted."""


@dataclass(frozen=True)
class Cause:
    """One part of the key that decided several retraces of a function."""

    function: Function
    kind: str
    path: str | None
    traces: list[Trace]
    seconds: float

    @property
    def reasons(self) -> list[Reason]:
        """The decisive reasons, in order."""
        return [decisive(trace.reasons) for trace in self.traces]

    @property
    def values(self) -> list[str]:
        """What the part was, in order, each change told once."""
        stations: list[str] = []
        for reason in self.reasons:
            for text in (reason.before, reason.after):
                if text is not None and text not in stations:
                    stations.append(text)
        return stations

    @property
    def chain(self) -> str:
        """The values, joined; the middle of a long chain is left out."""
        values = self.values
        if len(values) > STATIONS:
            values = [*values[: STATIONS - 1], f"… ({len(values) - STATIONS} more)", values[-1]]
        return " → ".join(values)

    @property
    def by_identity(self) -> bool:
        """Whether equal objects counted as different because they compare by identity."""
        return any(BY_IDENTITY in (reason.after or "") for reason in self.reasons)

    @property
    def companions(self) -> list[str]:
        """Other paths on which a part of the same kind changed in the same traces."""
        paths = [
            r.path for t in self.traces for r in t.reasons if r.kind == self.kind and r.path and r.path != self.path
        ]
        return list(dict.fromkeys(paths))

    @property
    def text(self) -> str:
        """The cause as a part of a sentence."""
        others = ", ".join(self.companions[:COMPANIONS])
        more = len(self.companions) - COMPANIONS
        also = f" (as did {others}{f' and {more} more' if more > 0 else ''})" if others else ""
        return reason_text(self.reasons[0], self.chain) + also


def causes(evidence: Evidence, traces: Sequence[Trace]) -> list[Cause]:
    """The retraces, grouped by function and by the part that decided them, the costliest group first."""
    groups: dict[tuple[str, str, str | None], list[Trace]] = {}
    for trace in traces:
        reason = decisive(trace.reasons)
        groups.setdefault((trace.function, reason.kind, reason.path), []).append(trace)
    found = [
        Cause(evidence.functions[function], kind, path, members, sum(evidence.cost(trace) for trace in members))
        for (function, kind, path), members in groups.items()
    ]
    return sorted(found, key=lambda cause: -cause.seconds)
