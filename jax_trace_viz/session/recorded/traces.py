"""The traces of a session, with what was seen of their names and constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.contract.document import EquationCount, Trace
from jax_trace_viz.session.records import Records
from jax_trace_viz.session.source.annotations import Annotations

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Function, TraceError
    from jax_trace_viz.contract.events import RunAdvanced, RunBegan, RunEnded, RunStaged


class Traces:
    """Keeps one record for each run of a body, found by the capture layer's number or by id."""

    def __init__(self) -> None:
        self.records: Records[Trace] = Records()
        self.annotations = Annotations()
        self._ids: dict[int, str] = {}
        self._helpers: dict[str, int] = {}
        self._of_dispatch: dict[int, str] = {}
        self._static: dict[str, dict[str, str]] = {}

    def begin(self, began: RunBegan, trace: Trace, version: int) -> None:
        """A body starts to run."""
        self._ids[began.run] = trace.id
        if began.dispatch is not None:
            self._of_dispatch.setdefault(began.dispatch, trace.id)
        self.records.put(trace.id, trace, version)

    def id_of(self, run: int | None) -> str | None:
        """The id of this run's trace, if its begin was seen."""
        return None if run is None else self._ids.get(run)

    def of(self, run: int | None) -> Trace | None:
        """The trace of this run, if its begin was seen."""
        identifier = None if run is None else self._ids.get(run)
        return None if identifier is None else self.records[identifier]

    def of_dispatch(self, dispatch: int | None) -> Trace | None:
        """The trace that this call of a jitted function caused."""
        identifier = None if dispatch is None else self._of_dispatch.get(dispatch)
        return None if identifier is None else self.records[identifier]

    def helper_id(self, function: Function) -> str:
        """An id for a run that counts in no total: plain Python called the function."""
        number = self._helpers[function.id] = self._helpers.get(function.id, 0) + 1
        return f"{function.id}/call{number}"

    def advance(self, event: RunAdvanced, version: int) -> None:
        """A run staged more equations."""
        trace = self.of(event.run)
        if trace is not None and trace.status == "running":
            staged = EquationCount(distinct=event.equations, expanded=event.equations)
            self.records.put(trace.id, replace(trace, equations=staged, at_line=event.line), version)

    def end(self, event: RunEnded, file: str | None, version: int) -> None:
        """A body returned or raised; `file` is where its function stands."""
        trace = self.of(event.run)
        if trace is None:
            return
        self.annotations.put(trace, file or "", event.marks, version)
        for mark in event.marks:
            if mark.binding == "parameter" and mark.status == "static" and mark.value is not None:
                self._static.setdefault(trace.id, {})[mark.name] = mark.value
        error = event.error or trace.error
        status = "ok" if error is None else "error"
        ended = replace(trace, seconds=event.seconds, status=status, error=error, at_line=None, outside=event.outside)
        self.records.put(trace.id, ended, version)

    def static_parameters(self, trace: str) -> dict[str, str]:
        """Parameter → value of those that were static when a trace began."""
        return self._static.get(trace, {})

    def stage(self, event: RunStaged, version: int) -> None:
        """A run's jaxpr is complete."""
        trace = self.of(event.run)
        if trace is not None:
            staged = replace(trace, jaxpr=event.jaxpr, equations=event.equations, constants=event.constants)
            self.records.put(trace.id, staged, version)

    def fail(self, run: int, error: TraceError, version: int) -> None:
        """The error that ended the program turned out to come through this run."""
        trace = self.of(run)
        if trace is not None:
            self.records.put(trace.id, replace(trace, status="error", error=error), version)

    def strip(self, identifier: str, version: int) -> None:
        """Lets go of what a trace tells beyond its reasons, its place and its costs."""
        trace = self.records[identifier]
        self.records.put(identifier, replace(trace, arguments=[], constants=[], outside=[]), version)
        self.annotations.remove(identifier)
        self._static.pop(identifier, None)

    def is_inside_itself(self, trace: Trace) -> bool:
        """Whether a trace of the same function contains this one, so that its time is counted there already."""
        parent = trace.parent
        while parent is not None:
            outer = self.records[parent]
            if outer.function == trace.function and outer.kind != "call":
                return True
            parent = outer.parent
        return False
