"""A session in a few numbers, for a badge on its cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.cell import Tally

if TYPE_CHECKING:
    from jax_trace_viz.session.evidence import Evidence


def tally(evidence: Evidence) -> Tally:
    """Counts as the verdict does: retraces are the avoidable ones."""
    traces = sum(function.traces for function in evidence.ranked)
    causes = evidence.retraces.causes
    if causes:
        retraces = sum(len(cause.traces) for cause in causes)
        seconds = sum(cause.seconds for cause in causes)
        return Tally(traces=traces, retraces=retraces, seconds=seconds, trace=causes[0].traces[-1].id)
    traced = [function for function in evidence.ranked if function.traces]
    newest = evidence.newest(traced[0].id) if traced else []
    return Tally(traces=traces, seconds=evidence.spent, trace=newest[0].id if newest else None)
