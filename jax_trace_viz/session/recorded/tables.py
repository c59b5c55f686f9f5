"""How each event changes a session."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

from jax_trace_viz.contract import events
from jax_trace_viz.contract.document import Document, EarlierTrace, Seconds, StaleValue, Trace, Unseen
from jax_trace_viz.contract.environment import Environment, Outcome
from jax_trace_viz.session.reasons.history import History, PastCompilation, PastTrace
from jax_trace_viz.session.reasons.why_compiled import explain_compilation
from jax_trace_viz.session.reasons.why_traced import Explainer, context_of
from jax_trace_viz.session.recorded.cells import Cells
from jax_trace_viz.session.recorded.compilations import Compilations
from jax_trace_viz.session.recorded.eager import Eager
from jax_trace_viz.session.recorded.functions import Functions
from jax_trace_viz.session.recorded.index import Index
from jax_trace_viz.session.recorded.jaxprs import Jaxprs
from jax_trace_viz.session.recorded.traces import Traces
from jax_trace_viz.session.source.expressions import TracedExpressions
from jax_trace_viz.session.source.line_marks import LineMarks
from jax_trace_viz.session.source.rebinding import Rebindings

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.contract.expression import Expressions
    from jax_trace_viz.contract.source import LineMark
    from jax_trace_viz.session.recorded.memory import Memory
    from jax_trace_viz.session.records import Records
    from jax_trace_viz.session.source.annotations import Annotations


class Tables:
    """The tables of a session. Not thread-safe: the session takes care of that.

    An event that names something whose own event was dropped is passed over; the drop itself is counted.
    """

    def __init__(self, recording: str, history: History, memory: Memory) -> None:
        self.version = 0
        self.environment = Environment(python=platform.python_version())
        self.functions = Functions()
        self.traces = Traces()
        self.compilations = Compilations()
        self.jaxprs = Jaxprs()
        self.eager = Eager()
        self._unseen: dict[Unseen, None] = {}
        self._line_marks = LineMarks()
        self._expressions = TracedExpressions()
        self._rebindings = Rebindings()
        self._index = Index()
        self.memory = memory
        self.faults: list[str] = []
        self.cells = Cells()
        self._document: tuple[tuple[int, int, int, Outcome], Document] | None = None
        self._recording = recording
        self._history = history
        self._explainer = Explainer(history, recording)
        self._take = self._by_event()

    def _by_event(self) -> dict[type[events.Event], Callable[[Any], None]]:
        return {
            events.EnvironmentSeen: self._environment_seen,
            events.FunctionSeen: self._function_seen,
            events.CallsCounted: self._calls_counted,
            events.CallablesGone: self._callables_gone,
            events.CallsUnseen: self._calls_unseen,
            events.OperationsRan: self._operations_ran,
            events.RunBegan: self._run_began,
            events.RunAdvanced: self._run_advanced,
            events.RunEnded: self._run_ended,
            events.RunStaged: self._run_staged,
            events.RunFailed: self._run_failed,
            events.JaxprSeen: self._jaxpr_seen,
            events.Lowered: self._lowered,
            events.Compiled: self._compiled,
            events.StaleSeen: self._stale_seen,
            events.CachesCleared: self._caches_cleared,
            events.CallsLeftOut: self._calls_left_out,
            events.EventsDropped: self._events_dropped,
            events.Fault: self._fault,
        }

    def apply(self, event: events.AnyEvent) -> None:
        """Take in an event."""
        self.version += 1
        if self.memory.refuses(event):
            if isinstance(event, events.RunBegan) and event.kind != "call":
                self._only_count(event)
            return
        self._take[type(event)](event)
        self.memory.keep(event, self.traces.id_of(getattr(event, "run", None)))
        self.memory.make_room(self.traces, self.jaxprs, self.version)

    def _only_count(self, event: events.RunBegan) -> None:
        function = self.functions.of(event.function)
        if function is not None:
            self.functions.count_trace(function, self.version)

    def document(self, outcome: Outcome) -> Document:
        """Everything so far; the findings are made from it. The same object as long as nothing changes."""
        key = self.version, len(self.compilations.programs), len(self.cells), outcome
        if self._document is None or self._document[0] != key:
            self._document = key, self._all(outcome)
        return self._document[1]

    def _all(self, outcome: Outcome) -> Document:
        return Document(
            environment=self.environment,
            outcome=outcome,
            functions=self.functions.records.all(),
            traces=self.traces.records.all(),
            compilations=self.compilations.records.all(),
            annotations=self.annotations().all(),
            findings=[],
            line_marks=self.line_marks().all(),
            eager=self.eager.lines(),
            jaxprs=self.jaxprs.records.all(),
            frames=self.jaxprs.frames(),
            programs=list(self.compilations.programs.values()),
            dropped=self.memory.dropped,
            unseen=list(self._unseen),
            faults=list(self.faults),
            cells=self.cells.all(),
        )

    def annotations(self) -> Annotations:
        """What the names of the source were so far."""
        self._rebindings.catch_up(self.version, self.functions, self.traces, self.jaxprs, self._line_marks)
        return self.traces.annotations

    def line_marks(self) -> Records[LineMark]:
        """What became of the source's lines so far."""
        return self._line_marks.catch_up(self.version, self.functions, self.traces, self.jaxprs)

    def expressions(self) -> Records[Expressions]:
        """Which equations the expressions of the source staged so far."""
        return self._expressions.catch_up(self.version, self.traces, self.jaxprs)

    def index(self, outcome: Outcome) -> Index:
        """Evidence and timeline of everything so far."""
        self._index.catch_up(self.version, outcome, self.functions, self.traces, self.compilations, self.jaxprs)
        evidence = self._index.evidence
        evidence.learn_surroundings(self.cells.all(), self.eager.lines(), list(self._unseen), self.environment)
        return self._index

    def _environment_seen(self, event: events.EnvironmentSeen) -> None:
        self.environment = event.environment

    def _function_seen(self, event: events.FunctionSeen) -> None:
        self._history.define(event.function, event)
        self.functions.see(event, self.version)
        if event.origin == "user":
            self.cells.look_for(event.file)

    def _calls_counted(self, event: events.CallsCounted) -> None:
        self.functions.count_calls(event, self.version)

    def _callables_gone(self, event: events.CallablesGone) -> None:
        for gone in event.gone:
            self._history.end(gone.callable, gone.calls)

    def _calls_unseen(self, event: events.CallsUnseen) -> None:
        self._unseen.setdefault(Unseen(what=event.what, function=None, place=event.place))

    def _operations_ran(self, event: events.OperationsRan) -> None:
        self.eager.ran(event)

    def _run_began(self, event: events.RunBegan) -> None:
        function = self.functions.of(event.function)
        if function is None:
            return
        why = self._explainer.explain(event, self.functions.definition(event.function))
        if event.kind == "call":
            identifier = self.traces.helper_id(function)
        else:
            number = self.functions.count_trace(function, self.version)
            identifier = f"{function.id}#{number}"
            past = PastTrace(event.key, context_of(event), identifier, self._recording, event.version)
            self._history.of(event.function).remember_trace(past)
        if event.kind == "pmap" and function.origin == "user":
            self._unseen.setdefault(Unseen(what="pmap", function=function.id, place=event.call_site))
        parent, compared = self.traces.of(event.parent), why.compared_with
        earlier = compared is not None and compared.recording != self._recording
        self.traces.begin(
            event,
            Trace(
                id=identifier,
                function=function.id,
                parent=parent and parent.id,
                kind=event.kind,
                status="running",
                call_site=event.call_site,
                reasons=why.reasons,
                compared_with=None if compared is None or earlier else compared.trace,
                compared_before=EarlierTrace(session=compared.recording, trace=compared.trace)
                if compared is not None and earlier
                else None,
                discarded=why.discarded,
                arguments=event.arguments,
                started=event.at,
                thread=event.thread,
            ),
            self.version,
        )

    def _run_advanced(self, event: events.RunAdvanced) -> None:
        self.traces.advance(event, self.version)

    def _run_ended(self, event: events.RunEnded) -> None:
        trace = self.traces.of(event.run)
        if trace is None:
            return
        self.traces.end(event, self.functions.records[trace.function].file, self.version)
        self._line_marks.ended(trace.id, event.lines)
        self._rebindings.ended(trace, self.traces)
        if trace.kind == "call":
            return
        if event.error is not None:
            number = self.functions.number_of(trace.function)
            self._history.forget_failed(number, trace.id, self._recording, event.error.type)
        if not self.traces.is_inside_itself(trace):
            self.functions.spend(trace.function, Seconds(trace=event.seconds), self.version)

    def _run_staged(self, event: events.RunStaged) -> None:
        self.traces.stage(event, self.version)
        trace = self.traces.of(event.run)
        if trace is not None:
            self._line_marks.staged(trace.id)
            self._expressions.staged(trace.id)
            self._rebindings.staged(trace.id)

    def _run_failed(self, event: events.RunFailed) -> None:
        self.traces.fail(event.run, event.error, self.version)

    def _jaxpr_seen(self, event: events.JaxprSeen) -> None:
        self.jaxprs.see(event, self.version)

    def _lowered(self, event: events.Lowered) -> None:
        function = self.functions.of(event.function)
        if function is not None:
            self.compilations.lower(event, function, self.traces.of_dispatch(event.dispatch))
            self.functions.spend(function.id, Seconds(lower=event.seconds), self.version)

    def _compiled(self, event: events.Compiled) -> None:
        function = self.functions.of(event.function)
        if function is None:
            return
        trace = self.traces.of(event.run)
        past = self._history.of(event.function)
        reasons = explain_compilation(event.key, trace, past)
        self.compilations.compile(event, function, trace, reasons, self.version)
        if function.file is None and event.call_site is not None:
            self.eager.compiled(event.call_site, event.seconds)
        self.functions.count_compilation(function, self.version)
        self.functions.spend(function.id, Seconds(compile=event.seconds), self.version)
        past.remember_compilation(PastCompilation(event.key, event.ahead_of_time, event.at))
        if event.ahead_of_time and function.origin == "user":
            unseen = Unseen(what="ahead_of_time", function=function.id, place=event.call_site)
            self._unseen.setdefault(unseen)

    def _stale_seen(self, event: events.StaleSeen) -> None:
        trace = self.traces.of(event.run)
        value = StaleValue(
            name=event.name,
            kind=event.kind,
            before=event.before,
            after=event.after,
            place=event.place,
            trace=trace.id if trace else None,
            computed=event.computed,
        )
        self.functions.outdate(event.function, value, self.version)

    def _caches_cleared(self, event: events.CachesCleared) -> None:
        self._history.clear(event.function, event.at)

    def _calls_left_out(self, event: events.CallsLeftOut) -> None:
        self.memory.leave_out(event.count)

    def _events_dropped(self, event: events.EventsDropped) -> None:
        self.memory.count(event.count)

    def _fault(self, event: events.Fault) -> None:
        self.faults.append(f"{event.seam}: {event.text}")
