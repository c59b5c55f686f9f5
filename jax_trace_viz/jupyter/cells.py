"""Which cell the code of a file name stands in: a front end knows cells by id, JAX and tracebacks know file names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from zlib import crc32

from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.jupyter.faults import guarded

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionInfo, InteractiveShell

_HELD: Final = 1000
_REMEMBERED: Final = 200
"""Cells that ran before we were loaded and are looked up too. ipykernel's file names cost some time to work out."""


class RanCells:
    """The cells of one shell that ran last, by file name. Bounded; read from any thread.

    ipykernel's file name is a hash of the text: of two cells with the same text, it names the one that ran last.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._cells: dict[str, Cell] = {}
        self._works = True
        with guarded("cells that ran before are not known"):
            self._remember()

    def began(self, info: ExecutionInfo) -> Cell:
        """Notes a cell that is about to run, and tells what it is."""
        if self._works:
            # Said once and not below every cell: a shell that fails at this fails each time.
            self._works = False
            with guarded("the lines of cells are not marked"):
                cell = _identity(self._shell, info)
                if cell.file is not None:
                    self._hold(cell.file, cell)
                self._works = True
                return cell
        return Cell(id=info.cell_id or "")

    def of(self, file: str) -> Cell | None:
        """The cell whose code has this file name, if one ran."""
        return self._cells.get(file)

    def _hold(self, file: str, cell: Cell) -> None:
        self._cells.pop(file, None)
        self._cells[file] = cell
        while len(self._cells) > _HELD:
            del self._cells[next(iter(self._cells))]

    def _remember(self) -> None:
        """Cells that ran before; the kernel has kept their text but not their ids."""
        history = self._shell.history_manager
        if history is None:
            return
        inputs = list(zip(history.input_hist_raw, history.input_hist_parsed, strict=False))
        for count, (raw, code) in list(enumerate(inputs))[-_REMEMBERED:]:
            file = self._shell.compile.get_code_name(raw, code, count)
            self._hold(file, Cell(execution_count=count, file=file, checksum=_checksum(raw)))


def _identity(shell: InteractiveShell, info: ExecutionInfo) -> Cell:
    """The cell in the front end's words, and the file name under which IPython will compile it."""
    raw = info.raw_cell or ""
    # Not `shell.execution_count`: some versions of IPython have counted this cell already, some have not.
    inputs = shell.history_manager.input_hist_parsed if shell.history_manager and info.store_history else None
    count = shell.execution_count if inputs is None else len(inputs)
    code = getattr(info, "transformed_cell", None) or shell.transform_cell(raw)
    file = shell.compile.get_code_name(raw, code, count)
    return Cell(id=info.cell_id or "", execution_count=count, file=file, checksum=_checksum(raw))


def _checksum(text: str) -> int:
    return crc32(text.encode(errors="surrogatepass"))
