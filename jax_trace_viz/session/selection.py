"""Which functions come first, and which of their traces is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Trace
    from jax_trace_viz.session.evidence import Evidence


def newest_traces(evidence: Evidence, function: str | None = None) -> list[Trace]:
    """The newest trace of each of the user's functions, the costliest first; those that staged nothing come last.

    With the name, qualified name or id of a function, the newest trace of that one alone, if there is one.
    """
    candidates = evidence.ranked
    if function is not None:
        every = sorted(evidence.functions.values(), key=lambda f: f.origin != "user")
        candidates = [f for f in every if function in (f.id, f.name, f.qualname)]
    traces = [trace for function in candidates for trace in evidence.newest(function.id)]
    return sorted(traces, key=lambda trace: trace.status == "ok" and not trace.equations.distinct)
