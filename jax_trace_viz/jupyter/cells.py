"""Which cell the code of a file name stands in: a front end knows cells by id, JAX and tracebacks know file names."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.jupyter.faults import guarded

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, InteractiveShell

_HELD: Final = 1000
_WAITING: Final = 200
"""Cells whose file names are not worked out yet; the oldest are forgotten."""


class _Ran(NamedTuple):
    """A cell that ran; of one from before we were loaded the kernel has kept the text but not the id."""

    raw: str
    code: str
    number: int
    id: str = ""


class RanCells:
    """The cells of one shell that ran last, by file name. Bounded; read from any thread.

    ipykernel's file name is a hash of the text: of two cells with the same text, it names the one that ran last. The
    hash costs milliseconds in long cells, so that it is worked out when a recording needs it, and not for each cell.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._waiting: deque[_Ran] = deque(maxlen=_WAITING)
        self._cells: dict[str, Cell] = {}
        self._lock = threading.Lock()
        history = shell.history_manager
        if history is not None:
            inputs = zip(history.input_hist_raw, history.input_hist_parsed, strict=False)
            self._waiting.extend(_Ran(raw, code, count) for count, (raw, code) in enumerate(inputs))

    def began(self, info: ExecutionInfo) -> None:
        """Notes a cell that is about to run."""
        raw = info.raw_cell or ""
        code = getattr(info, "transformed_cell", None) or raw
        self._waiting.append(_Ran(raw, code, _count(self._shell, info), info.cell_id or ""))

    def cell(self, info: ExecutionInfo) -> Cell:
        """The cell in the front end's words, and the file name under which IPython will compile it."""
        with guarded("the cell's lines are not marked"):
            raw = info.raw_cell or ""
            code = getattr(info, "transformed_cell", None) or self._shell.transform_cell(raw)
            return self._named(_Ran(raw, code, _count(self._shell, info), info.cell_id or ""))
        return Cell(id=info.cell_id or "")

    def of(self, file: str) -> Cell | None:
        """The cell whose code has this file name, if one ran."""
        with self._lock:
            while self._waiting:
                cell = self._named(self._waiting.popleft())
                self._hold(cell.file or "", cell)
            return self._cells.get(file)

    def _named(self, ran: _Ran) -> Cell:
        file = self._shell.compile.get_code_name(ran.raw, ran.code, ran.number)
        checksum = crc32(ran.raw.encode(errors="surrogatepass"))
        return Cell(id=ran.id, execution_count=ran.number, file=file, checksum=checksum)

    def _hold(self, file: str, cell: Cell) -> None:
        self._cells.pop(file, None)
        self._cells[file] = cell
        while len(self._cells) > _HELD:
            del self._cells[next(iter(self._cells))]


def _count(shell: InteractiveShell, info: ExecutionInfo) -> int:
    # Not `shell.execution_count`: some versions of IPython have counted this cell already, some have not.
    inputs = shell.history_manager.input_hist_parsed if shell.history_manager and info.store_history else None
    return shell.execution_count if inputs is None else len(inputs)
