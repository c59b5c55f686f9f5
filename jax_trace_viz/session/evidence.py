"""What a session says about retraces and their costs, looked up for findings, verdict and order."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.session.reasons.chains import decisive
from jax_trace_viz.session.reasons.retraces import Retraces
from jax_trace_viz.session.source.line_names import LineNames, files_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jax_trace_viz.contract.cell import Cell
    from jax_trace_viz.contract.document import Compilation, Constant, Document, Function, Trace, Unseen
    from jax_trace_viz.contract.environment import Environment
    from jax_trace_viz.contract.jaxpr import Frame, Jaxpr
    from jax_trace_viz.contract.source import Annotation, EagerLine

LONG = 2.0
"""Seconds from which on compiling somebody else's function is worth a word."""

RECOMPILED = frozenset({"sharding_or_device", "donation", "cache_cleared", "new_function_object"})
"""Reasons to compile again what was traced before."""


class Evidence:
    """A session, indexed. Of a session that goes on it learns what is new, however much there is already."""

    def __init__(self, document: Document | None = None) -> None:
        self.outcome = Outcome(status="running")
        self.functions: dict[str, Function] = {}
        self.traces: dict[str, Trace] = {}
        self.retraces = Retraces(self.traces)
        self.outermost: set[str] = set()
        """Functions whose time is not all contained in another function's trace."""
        self.uncached: set[str] = set()
        """Functions that ran under a transformation that keeps no trace."""
        self.recompiled: list[Compilation] = []
        """Compilations that followed no trace."""
        self.long_library_compilations: list[Compilation] = []
        """Those of functions that are not the user's, which had been compiled before and took long once more."""
        self.library_programs: set[str] = set()
        """Names of functions that are not the user's and were compiled: a library names them after what they wrap."""
        self.jaxprs: dict[str, Jaxpr] = {}
        self.frames: Sequence[Frame] = ()
        """The call frames that equations name by index."""
        self.constants: dict[tuple[str, int], tuple[Trace, Constant]] = {}
        """Arrays that users' functions baked in, each once: where its name is known, else where it was first seen."""
        self.marks: dict[str, list[Annotation]] = {}
        """What names were in traces that failed, by trace."""
        self.eager: list[EagerLine] = []
        """Lines that ran operations outside of any jit."""
        self.unseen: list[Unseen] = []
        """Calls that no count holds."""
        self.environment: Environment | None = None
        self.cells: Sequence[Cell] = ()
        """The cells of a notebook that lines may be of."""
        self._files: set[str] = set()
        self._running: dict[str, Trace] = {}
        self._failed: dict[str, Trace] = {}
        self._traces_of: defaultdict[str, list[str]] = defaultdict(list)
        self._compiled: defaultdict[str, float] = defaultdict(float)
        self._line_names: LineNames | None = None
        if document is not None:
            self._learn_all(document)

    def _learn_all(self, document: Document) -> None:
        self.learn(document.outcome, document.functions, document.traces, document.compilations)
        self.learn_surroundings(document.cells, document.eager, document.unseen, document.environment)
        self.learn_equations(document.jaxprs, document.frames)
        self.learn_marks(one for one in document.annotations if one.trace in self._failed)

    def learn(
        self,
        outcome: Outcome,
        functions: Iterable[Function],
        traces: Iterable[Trace],
        compilations: Iterable[Compilation],
    ) -> None:
        """Take in all functions, traces that are new or changed, and compilations that are new."""
        self.outcome = outcome
        self.functions.update((function.id, function) for function in functions)
        traces, compilations = list(traces), list(compilations)
        self._files |= files_of(self.functions.values(), traces, compilations)
        self._line_names = None
        # What changed comes in order of change; what a trace is depends on those that began before.
        for trace in sorted(traces, key=lambda trace: trace.started):
            self._learn_trace(trace)
        for compilation in compilations:
            self._learn_compilation(compilation)

    def learn_surroundings(
        self, cells: Sequence[Cell], eager: list[EagerLine], unseen: list[Unseen], environment: Environment
    ) -> None:
        """Take in what lies around the traces: the notebook's cells, what ran outside any jit or unseen, and where."""
        self.cells, self.eager, self.unseen, self.environment = cells, eager, unseen, environment
        self._line_names = None

    def learn_equations(self, jaxprs: Iterable[Jaxpr], frames: Sequence[Frame]) -> None:
        """Take in jaxprs that are new or changed, and the frames of all."""
        self.jaxprs.update((jaxpr.id, jaxpr) for jaxpr in jaxprs)
        self.frames = frames

    def learn_marks(self, marks: Iterable[Annotation]) -> None:
        """Take in what names were in traces that failed, all of a trace at once."""
        found: defaultdict[str, list[Annotation]] = defaultdict(list)
        for mark in marks:
            found[mark.trace].append(mark)
        self.marks.update(found)

    def line_at(self, place: Place) -> str:
        """What a line is called in a sentence; a cell that is recorded counts, whatever stands in it."""
        if self._line_names is None:
            told = (self.outcome.file, *(cell.file for cell in self.cells))
            self._line_names = LineNames(self._files.union(filter(None, told)), self.cells)
        return self._line_names.in_sentence(place)

    def line_text(self, file: str | None, line: int | None) -> str:
        """The same; `line 3` where the file is not known, and empty where the line is not."""
        if not file or not line:
            return f"line {line}" if line else ""
        return self.line_at(Place(file=file, line=line))

    @property
    def ranked(self) -> list[Function]:
        """The user's functions that were traced, compiled or called, the costliest first."""
        users = [f for f in self.functions.values() if f.origin == "user" and (f.calls or f.traces or f.compiles)]
        return sorted(users, key=lambda function: (-total(function), not function.calls))

    @property
    def spent(self) -> float:
        """Seconds that the user's functions cost: what was traced inside another one is in that one's time.

        Functions of which JAX had the traces, and that were only compiled, count too.
        """
        return sum(total(f) for f in self.ranked if f.id in self.outermost or not f.traces)

    @property
    def running(self) -> list[Trace]:
        """The user's traces that are going on, the outermost first."""
        return list(self._running.values())

    @property
    def failed(self) -> list[Trace]:
        """The traces that an exception ended, helpers among them, in order of start."""
        return sorted(self._failed.values(), key=lambda trace: trace.started)

    def traces_of(self, function: str) -> list[Trace]:
        """The traces that JAX caused of this function, in order of start."""
        return [self.traces[identifier] for identifier in self._traces_of.get(function, ())]

    def newest(self, function: str, count: int = 1) -> list[Trace]:
        """The newest traces of this function, the newest first."""
        return [self.traces[identifier] for identifier in self._traces_of.get(function, [])[: -count - 1 : -1]]

    def cost(self, trace: Trace) -> float:
        """Seconds for tracing, lowering and compiling."""
        return trace.seconds + self._compiled.get(trace.id, 0.0)

    def _learn_trace(self, trace: Trace) -> None:
        before = self.traces.get(trace.id)
        self.traces[trace.id] = trace
        if trace.error is not None:
            self._failed[trace.id] = trace
        if trace.kind == "call":
            return
        if before is None:
            self._count(trace)
        self.retraces.advance(trace, trace.seconds - (before.seconds if before else 0.0))
        if self.functions[trace.function].origin != "user":
            return
        if trace.status == "running":
            self._running[trace.id] = trace
        else:
            self._running.pop(trace.id, None)
        for constant in trace.constants:
            self._learn_constant(trace, constant)

    def _count(self, trace: Trace) -> None:
        """A trace is seen for the first time."""
        function = self.functions[trace.function]
        self._traces_of[function.id].append(trace.id)
        if trace.parent is None:
            self.outermost.add(function.id)
        if decisive(trace).kind == "uncached_transform":
            self.uncached.add(function.id)
        self.retraces.begin(trace, function)

    def _learn_constant(self, trace: Trace, constant: Constant) -> None:
        known = self.constants.get((constant.type, constant.bytes))
        if known is None or _told_better(trace, constant) < _told_better(*known):
            self.constants[constant.type, constant.bytes] = (trace, constant)

    def _learn_compilation(self, compilation: Compilation) -> None:
        cost = compilation.lower_seconds + compilation.seconds
        if compilation.trace is None:
            kind = compilation.reasons[0].kind if compilation.reasons else ""
            if kind in RECOMPILED:
                self.recompiled.append(compilation)
            function = self.functions[compilation.function]
            is_users = function.origin == "user"
            if not is_users:
                self.library_programs.add(function.name)
            if not is_users and kind != "first_call" and cost >= LONG:
                self.long_library_compilations.append(compilation)
            return
        self._compiled[compilation.trace] += cost
        self.retraces.compile(compilation)


def total(function: Function) -> float:
    """All seconds that a function cost."""
    return function.seconds.trace + function.seconds.lower + function.seconds.compile


def _told_better(trace: Trace, constant: Constant) -> tuple[bool, float]:
    return not constant.name, trace.started
