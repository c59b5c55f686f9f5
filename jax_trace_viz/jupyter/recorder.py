"""Which cells are recorded, and when a recording begins and ends."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from jax_trace_viz.jupyter.cell_run import CellRun
from jax_trace_viz.jupyter.cells import RanCells
from jax_trace_viz.jupyter.faults import complain, guarded
from jax_trace_viz.jupyter.options import Options, asked
from jax_trace_viz.jupyter.output import show_again
from jax_trace_viz.jupyter.sessions import Sessions
from jax_trace_viz.jupyter.stream import send_hello

if TYPE_CHECKING:
    from collections.abc import Generator

    from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

    from jax_trace_viz.contract.cell import Cell
    from jax_trace_viz.contract.view import Hello
    from jax_trace_viz.jupyter.feed import Feed
    from jax_trace_viz.jupyter.protocols import Start


class Recorder:
    """Records the cells of one shell that ask for it, or all of them.

    One recording at a time: what a cell runs through `run_cell` belongs to the cell, and so does what another thread
    of the kernel (a subshell) runs meanwhile.
    """

    def __init__(self, shell: InteractiveShell, start: Start) -> None:
        self._shell = shell
        self._start = start
        self._record_all = False
        self._sessions = Sessions()
        self._ran = RanCells(shell)
        self._cells = _Cells()
        self._recorded: ExecutionInfo | None = None
        self._run: CellRun | None = None

    # Called by IPython.

    def before(self, info: ExecutionInfo) -> None:
        """A cell is about to run (`pre_run_cell`)."""
        with guarded("this cell may not be recorded"):
            self._cells.began(info)
            self._ran.began(info)
            options = asked(info.raw_cell or "")
            if self._run is None and (options or self._record_all):
                self._begin(options, self._ran.cell(info))
                self._recorded = info
            elif options and not self._cells.hold(self._recorded):
                complain("this cell is not recorded, because another one is being recorded.")

    def after(self, result: ExecutionResult | None) -> None:
        """A cell has run (`post_run_cell`). A blank cell never began; a cancelled one may have no result."""
        with guarded("the recording ends here"):
            info = self._cells.ended(result)
            if info is not None and info is self._recorded:
                self.end((result.error_before_exec or result.error_in_exec) if result else KeyboardInterrupt())
            return
        self.end()

    # Called by the magic and by the extension.

    @contextlib.contextmanager
    def recording(self, options: Options, cell: Cell) -> Generator[None]:
        """Records what the block runs, unless the cell around it is recorded."""
        if self._run is not None:
            yield
            return
        error: BaseException | None = None
        self._begin(options, cell)
        try:
            yield
        except BaseException as raised:
            error = raised
            raise
        finally:
            self.end(error)

    def _begin(self, options: Options | None, cell: Cell) -> None:
        with guarded("this cell is not recorded"):
            self._run = CellRun.begin(self._shell, cell, options, self._start, self._sessions, self._ran)

    def end(self, error: BaseException | None = None) -> None:
        """Ends the recording that is going on, if there is one; `error` is what ended its cell."""
        run, self._run, self._recorded = self._run, None, None
        if run is not None:
            with guarded("what this cell traced cannot be shown"):
                run.end(error)

    def show_last(self) -> None:
        """Shows the last recorded cell again."""
        feed = self._sessions.newest()
        if feed is None:
            complain("no cell has been recorded yet; put %%jaxtrace on a cell's first line.")
        else:
            show_again(self._shell, feed.complete())

    def status(self) -> str:
        """What is recorded, and how the newest recording does, in words."""
        feed = self._sessions.newest()
        what = (
            "Every cell is recorded; %jaxtrace off ends it."
            if self._record_all
            else "Only cells with %%jaxtrace on their first line are recorded; %jaxtrace on records every cell."
        )
        return f"{what}\n{feed.health()}" if feed is not None else what

    # What clients ask, on any thread (see `answers.Desk`).

    def feed(self, session: str | None) -> Feed | None:
        """The session of that name, if it is still held."""
        return self._sessions.get(session)

    def hello(self) -> Hello:
        """What is held, and whether every cell is recorded."""
        return self._sessions.hello(recording=self._record_all)

    def record(self, *, on: bool) -> None:
        """Records every later cell, or stops, and tells the clients."""
        self._record_all = on
        send_hello(self.hello())


class _Cells(threading.local):
    """The cells that began on this thread and have not ended, innermost last."""

    def __init__(self) -> None:
        self._open: list[ExecutionInfo] = []

    def began(self, info: ExecutionInfo) -> None:
        self._open.append(info)

    def hold(self, info: ExecutionInfo | None) -> bool:
        """Whether this cell is one of them."""
        return any(cell is info for cell in self._open)

    def ended(self, result: ExecutionResult | None) -> ExecutionInfo | None:
        """Forgets the cell that ended, with those within, and returns it; None if it never began."""
        for position in range(len(self._open) - 1, -1, -1):
            info = self._open[position]
            if result is None or info is result.info:
                del self._open[position:]
                return info
        return None
