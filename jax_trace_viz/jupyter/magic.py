"""The magic's name in IPython: `%jaxtrace`, and `%%jaxtrace` where IPython does call it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.jupyter.faults import guarded
from jax_trace_viz.jupyter.options import HELP, cell_options, line_mode

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from jax_trace_viz.jupyter.recorder import Recorder

_NAME: Final = "jaxtrace"


class Magic:
    """The line magic, and the cell magic by name.

    The input transformer takes a good `%%jaxtrace` line away, so that IPython calls the cell magic only where the line
    is wrong, which it then says, and in scripts that nbconvert wrote. The name also serves completion and `%lsmagic`.
    """

    def __init__(self, shell: InteractiveShell, recorder: Recorder) -> None:
        self._shell = shell
        self._recorder = recorder

    def register(self) -> None:
        """Makes the names known."""
        self._shell.magics_manager.register_function(self._line, "line", _NAME)
        self._shell.magics_manager.register_function(self._cell, "cell", _NAME)

    def unregister(self) -> None:
        """Takes the names away."""
        for known in self._shell.magics_manager.magics.values():
            known.pop(_NAME, None)

    def _line(self, line: str) -> None:
        with guarded("%jaxtrace did not work"):
            match line_mode(line):
                case "on":
                    self._recorder.record(on=True)
                case "off":
                    self._recorder.record(on=False)
                case "status":
                    print(self._recorder.status())  # noqa: T201
                case "last":
                    self._recorder.show_last()

    def _cell(self, line: str, cell: str) -> None:
        options = cell_options(line)
        code = self._shell.transform_cell(cell)
        name = self._shell.compile.cache(code, self._shell.execution_count, raw_code=cell)
        with self._recorder.recording(options, Cell(file=name)):
            exec(compile(code, name, "exec"), self._shell.user_ns)  # noqa: S102

    _line.__doc__ = _cell.__doc__ = HELP
