"""The session: what the events of one recording add up to."""

from __future__ import annotations

import threading
import uuid
from contextlib import contextmanager
from time import perf_counter, time
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.contract.program import CompiledProgram
from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.masking import Masking
from jax_trace_viz.session.reasons.history import History
from jax_trace_viz.session.recorded.compilations import compilation_of
from jax_trace_viz.session.recorded.memory import Memory, limit_mb
from jax_trace_viz.session.recorded.tables import Tables
from jax_trace_viz.session.source.parsing import ANY_THREAD, can_parse

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from jax_trace_viz.contract.cell import Cell
    from jax_trace_viz.contract.document import Compilation, Document, Finding, Function, Secrets, Trace
    from jax_trace_viz.contract.events import AnyEvent
    from jax_trace_viz.contract.jaxpr import Frame, Jaxpr
    from jax_trace_viz.contract.source import Annotation

SMALL_PROGRAM = 2000
"""Equations. What XLA made of larger programs is looked at when somebody asks."""
SAVED_PROGRAMS = 20


class Session:
    """Everything that is known of one recorded stretch of a program.

    Events may come from any thread, and anyone may read at any time. What is read is immutable.

    Args:
        history: that of an earlier session whose events came from the same capture; keys are compared with it too.
        refresh: called before each read, so that events which still wait somewhere arrive first.
        memory_mb: how much it may hold, about; see `memory.limit_mb`.
        secrets: `show` keeps what looks like a secret, `mask` does not.
        read_program: prints the optimised HLO of a program that an event named by number, as long as that is possible.
    """

    def __init__(
        self,
        *,
        history: History | None = None,
        refresh: Callable[[], None] | None = None,
        read_program: Callable[[int], str | None] = lambda _: None,
        memory_mb: float | None = None,
        secrets: Secrets = "mask",
    ) -> None:
        self.name = uuid.uuid4().hex
        self.started_at = time()
        self.history = history or History()
        self._begin = perf_counter()
        self._ended: float | None = None
        self.own_seconds = 0.0
        """Processor time that formatting and taking in events took; whoever flushes adds to it."""
        self.hook_seconds = 0.0
        """How long the program waited for hooks while it went on, as far as that is timed; whoever flushes tells it."""
        self._outcome = Outcome(status="running")
        self._refresh = refresh
        self._read_program = read_program
        self._lock = threading.RLock()
        self._tables = Tables(self.name, self.history, Memory(limit_mb(memory_mb)))
        self._masking = Masking(show=secrets == "show")

    def clock(self) -> float:
        """Seconds since the session's begin: the time that events carry."""
        return perf_counter() - self._begin

    def apply(self, event: AnyEvent) -> None:
        """Take in an event."""
        with self._lock:
            self._tables.apply(self._masking.event(event))

    def tell_cell(self, cell: Cell) -> None:
        """Says which cell of a notebook the lines of a file are; the first that is told of a file counts."""
        with self._lock:
            self._tables.cells.tell(cell)

    def find_cells(self, written_in: Callable[[str], Cell | None]) -> None:
        """Says who knows in which cell of a notebook the code with some file name was written."""
        with self._lock:
            self._tables.cells.ask(written_in, self._tables.functions.records.all())

    def finish(self, outcome: Outcome) -> None:
        """The recorded program ended."""
        with self._lock:
            self._outcome = self._masking.all_in(outcome)
            self._masking.forget()
            self._ended = self.clock()
            self._look_for_cells_of_error()
            self._tables.version += 1

    def _look_for_cells_of_error(self) -> None:
        """An error may have come through, or speak of, a cell in which no function was traced."""
        if self._outcome.status == "error":
            from jax_trace_viz.session.errors.leaks import made_in

            for file in (self._outcome.file, made_in(self._outcome.message or "")):
                self._tables.cells.look_for(file)

    def read_ahead(self) -> None:
        """Parses the user's source for threads that may not, so that they name boxes as this one does."""
        if can_parse() and not ANY_THREAD:
            from jax_trace_viz.session.graph.sources import Sources

            Sources(self.functions).read_ahead(self.frames)

    @property
    def version(self) -> int:
        """Grows with every change."""
        with self._lock:
            return self._tables.version

    @property
    def seconds(self) -> float:
        """How long the session lasted, so far or in all."""
        return self.clock() if self._ended is None else self._ended

    @property
    def outcome(self) -> Outcome:
        """How the program ended; `running` as long as it has not."""
        return self._outcome

    @property
    def cells(self) -> list[Cell]:
        """The cells of a notebook that lines may be of."""
        with self._lock:
            return self._tables.cells.all()

    @property
    def functions(self) -> list[Function]:
        """The functions, in order of appearance."""
        with self.reading() as state:
            return state.functions.records.all()

    @property
    def traces(self) -> list[Trace]:
        """The traces, in order of start."""
        with self.reading() as state:
            return state.traces.records.all()

    @property
    def compilations(self) -> list[Compilation]:
        """The compilations, in order of start."""
        with self.reading() as state:
            return state.compilations.records.all()

    @property
    def annotations(self) -> list[Annotation]:
        """What the names of the source were."""
        with self.reading() as state:
            return state.annotations().all()

    @property
    def jaxprs(self) -> dict[str, Jaxpr]:
        """The jaxprs by id."""
        with self.reading() as state:
            return state.jaxprs.by_id()

    @property
    def frames(self) -> list[Frame]:
        """The call frames that equations name by index."""
        with self.reading() as state:
            return state.jaxprs.frames()

    @property
    def findings(self) -> list[Finding]:
        """What is worth attention, the costliest first."""
        return self.document().findings

    def document(self, outcome: Outcome | None = None) -> Document:
        """The session as it is saved; `outcome` stands in for the recorded one."""
        from jax_trace_viz.session.findings import find  # half of all modules: loaded by who reads

        with self.reading() as state:
            document = state.document(outcome or self._outcome)
        return replace(document, findings=find(Evidence(document)))

    def look_at_programs(self) -> None:
        """Looks at what XLA made of the user's functions, the newest small programs only, so that it can be saved."""
        with self.reading() as state:
            traces = {trace.id: trace for trace in state.traces.records.all()}
            own = {one.id for one in state.functions.records.all() if one.origin == "user"}
            compilations = state.compilations.records.all()
        small = [
            one.id
            for one in compilations
            if one.trace is not None and one.function in own and traces[one.trace].equations.expanded <= SMALL_PROGRAM
        ]
        for compilation in small[-SAVED_PROGRAMS:]:
            self.look_at_program(compilation)

    def look_at_trace(self, trace: str) -> None:
        """Looks at what XLA made of a trace's newest compilation, if it was compiled by itself."""
        compilation = compilation_of(self.compilations, trace)
        if compilation is not None:
            self.look_at_program(compilation.id)

    def look_at_program(self, compilation: str) -> None:
        """Reads what XLA made of a compilation, if that was not done before; documents made from now on hold it."""
        from jax_trace_viz.session.xla.kernels import GONE, kernels

        with self._lock:
            table = self._tables.compilations
            number = table.numbers.get(compilation)
            if compilation in table.programs:
                return
        text = self._read_program(number) if number is not None else None
        program = kernels(compilation, text) if text else CompiledProgram(compilation=compilation, note=GONE)
        with self._lock:
            table.programs[compilation] = self._masking.all_in(program)

    @contextmanager
    def reading(self) -> Generator[Tables]:
        """The tables, held still for as long as the block lasts."""
        # Not under the lock: what it brings in comes through `apply`, maybe on another thread.
        if self._refresh is not None:
            self._refresh()
        with self._lock:
            yield self._tables
