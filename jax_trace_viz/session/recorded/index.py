"""What updates are made from, kept up to date: a look costs what changed since the one before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.recorded.timeline import Timeline

if TYPE_CHECKING:
    from jax_trace_viz.contract.environment import Outcome
    from jax_trace_viz.session.recorded.compilations import Compilations
    from jax_trace_viz.session.recorded.functions import Functions
    from jax_trace_viz.session.recorded.jaxprs import Jaxprs
    from jax_trace_viz.session.recorded.traces import Traces


class Index:
    """Evidence and timeline of one session, to be used while its state is held still."""

    def __init__(self) -> None:
        self.evidence = Evidence()
        self.timeline = Timeline()
        self._version = 0
        self._lowerings = 0

    def catch_up(
        self,
        version: int,
        outcome: Outcome,
        functions: Functions,
        traces: Traces,
        compilations: Compilations,
        jaxprs: Jaxprs,
    ) -> None:
        """Learn what the tables, now at `version`, hold beyond what was learned before."""
        fresh = traces.records.since(self._version)
        compiled = compilations.records.since(self._version)
        # Functions are few, and their order of appearance decides between equally costly ones.
        self.evidence.learn(outcome, functions.records.all(), fresh, compiled)
        self.evidence.learn_equations(jaxprs.records.since(self._version), jaxprs.all_frames)
        failed = (trace.id for trace in fresh if trace.error is not None)
        self.evidence.learn_marks(mark for trace in failed for mark in traces.annotations.of(trace))
        self.timeline.learn(fresh, compilations.lowerings[self._lowerings :], compiled)
        self._version, self._lowerings = version, len(compilations.lowerings)
