"""The cells of a notebook that a session's lines may be of."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jax_trace_viz.contract.cell import Cell
    from jax_trace_viz.contract.document import Function


class Cells:
    """By file. Of a file the cell that is known first counts: one that runs later may have the same text, and name."""

    def __init__(self) -> None:
        self._cells: dict[str, Cell] = {}
        self._written_in: Callable[[str], Cell | None] = lambda _: None

    def __len__(self) -> int:
        return len(self._cells)

    def all(self) -> list[Cell]:
        """The cells, in the order in which they became known."""
        return list(self._cells.values())

    def tell(self, cell: Cell) -> None:
        """A cell is one of them."""
        if cell.file:
            self._cells.setdefault(cell.file, cell)

    def ask(self, written_in: Callable[[str], Cell | None], functions: Iterable[Function]) -> None:
        """From now on this is asked for the cell of a file; for those of the functions there are, at once."""
        self._written_in = written_in
        for function in functions:
            if function.origin == "user":
                self.look_for(function.file)

    def look_for(self, file: str | None) -> None:
        """Looks for the cell whose code has this file name."""
        cell = self._written_in(file) if file and file not in self._cells else None
        if file and cell:
            self._cells[file] = cell
