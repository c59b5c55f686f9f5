"""One recorded cell, from its first line to its output."""

from __future__ import annotations

from typing import TYPE_CHECKING

from IPython.display import display

from jax_trace_viz.contract.events import Fault
from jax_trace_viz.jupyter import files
from jax_trace_viz.jupyter.faults import guarded
from jax_trace_viz.jupyter.feed import Feed
from jax_trace_viz.jupyter.hosts import cannot_have_labextension
from jax_trace_viz.jupyter.options import Options
from jax_trace_viz.jupyter.output import CellOutput
from jax_trace_viz.jupyter.stream import Pump, send_update
from jax_trace_viz.outcome import outcome_of

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from jax_trace_viz.contract.cell import Cell
    from jax_trace_viz.contract.view import Update
    from jax_trace_viz.jupyter.cells import RanCells
    from jax_trace_viz.jupyter.protocols import Recording, Start
    from jax_trace_viz.jupyter.sessions import Sessions
    from jax_trace_viz.jupyter.widget import TraceWidget


class CellRun:
    """Streams what is traced while the cell runs, and shows it when the cell ends.

    A cell that asked for it (`options`) has an output from the start. One that is recorded because all are stays quiet,
    and unknown to the clients, until there is something to tell.
    """

    def __init__(
        self,
        shell: InteractiveShell,
        cell: Cell,
        options: Options | None,
        recording: Recording,
        sessions: Sessions,
        ran: RanCells,
    ) -> None:
        self._options = options
        self._recording = recording
        self._sessions = sessions
        self._feed = Feed(recording.session, cell, options.function if options else None, ran.of)
        self._output = CellOutput(shell, self._feed.name)
        self._widget: TraceWidget | None = None
        if options:
            update = self._feed.next_complete()
            self._tell(update)
            self._output.begin(update)
            self._widget = _show_widget(shell, recording, options)
        self._pump = Pump(self._step, self._failed)

    @classmethod
    def begin(
        cls,
        shell: InteractiveShell,
        cell: Cell,
        options: Options | None,
        start: Start,
        sessions: Sessions,
        ran: RanCells,
    ) -> CellRun:
        """Starts recording; where that fails half-way, nothing is left running."""
        asked = options or Options()
        recording = start(memory_mb=asked.memory_mb, secrets=asked.secrets)
        try:
            return cls(shell, cell, options, recording, sessions, ran)
        except BaseException:
            recording.stop()
            raise

    def end(self, error: BaseException | None) -> None:
        """The cell is over; `error` is what ended it."""
        try:
            self._pump.stop()
        finally:
            try:
                self._recording.stop(outcome_of(error))
            finally:
                self._recording.stop()  # an interrupt may have come before the other began
        # To ask for an explanation is to make the whole document: not where nothing failed.
        if not self._has_something_to_tell() and (error is None or not self._feed.explains_the_end()):
            return
        final = self._feed.next_complete()
        self._tell(final)
        if self._options:
            self._output.end(final)
            if self._widget is not None:
                self._widget.refresh(now=True)
            files.write(self._options, self._recording.session)
        elif self._feed.is_notable():
            self._output.line(final)

    def _step(self) -> None:
        self._recording.flush()
        update = self._feed.changes() if self._has_something_to_tell() else None
        if update is not None:
            self._tell(update)
        if self._widget is not None:
            self._widget.refresh()

    def _has_something_to_tell(self) -> bool:
        return self._options is not None or bool(self._recording.session.functions)

    def _tell(self, update: Update) -> None:
        self._sessions.hold(self._feed)
        send_update(update)

    def _failed(self, error: Exception) -> None:
        self._recording.session.apply(Fault(seam="live updates", text=f"{type(error).__name__}: {error}"))


def _show_widget(shell: InteractiveShell, recording: Recording, options: Options) -> TraceWidget | None:
    """Shows a live view below our output where nothing else can."""
    if cannot_have_labextension(shell):
        with guarded("there is no live view"):
            from jax_trace_viz.jupyter.widget import TraceWidget

            widget = TraceWidget(recording.session, options.function)
            display(widget)
            return widget
    return None
