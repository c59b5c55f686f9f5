"""What lines of the user's are called: by the cell that JupyterLab numbers so, or by the file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jax_trace_viz.session.source.definitions import is_cell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jax_trace_viz.contract.cell import Cell
    from jax_trace_viz.contract.document import Compilation, Document, Function, Place, Trace
    from jax_trace_viz.contract.view import Update

_SEPARATOR = re.compile(r"[/\\]")
_IN_CELL = re.compile(r"(?<!\S)\[(\d+)\](?=:\d+(?!\S))")


class LineNames:
    """How a recording's lines are called; the front end has the same names (`src/model/words/place.ts`)."""

    def __init__(self, files: Iterable[str], cells: Iterable[Cell] = ()) -> None:
        """Prepares the names.

        Args:
            files: Those that the user's functions and calls stand in.
            cells: Cells of a notebook, by the names under which their text was compiled.
        """
        self._files = {file: _SEPARATOR.split(file) for file in files}
        self._cells = {cell.file: f"[{cell.execution_count or ' '}]" for cell in cells if cell.file}

    @classmethod
    def of_document(cls, document: Document) -> LineNames:
        """Those of a saved session."""
        return cls(files_of(document.functions, document.traces, document.compilations), document.cells)

    @classmethod
    def of_graph(cls, functions: Iterable[Function], cells: Iterable[Cell]) -> LineNames:
        """Those that boxes need, without the calls: these grow with the program's run."""
        return cls(files_of(functions, (), ()), cells)

    @classmethod
    def of_update(cls, update: Update) -> LineNames:
        """Those of a notebook's cell."""
        files = files_of(update.functions, update.traces, update.compilations)
        return cls(files, [update.cell, *update.cells])

    def long(self, place: Place) -> str:
        """`[2]:11` for a cell, `model.py:11` for a file."""
        return f"{self._cells.get(place.file) or self._shortest(place.file)}:{place.line}"

    def in_cell(self, place: Place) -> str:
        """The same, or `line 11` where all stands in one cell."""
        only = len(self._files) == 1 and place.file in self._files and place.file in self._cells
        return f"line {place.line}" if only else self.long(place)

    def in_sentence(self, place: Place) -> str:
        """The same, or `line 11` where all stands in one cell or one file.

        A cell whose number is not known is just another one: nobody knows the name of IPython's file.
        """
        if self._files.keys() <= {place.file}:
            return f"line {place.line}"
        is_strange = is_cell(place.file) and place.file not in self._cells
        return f"line {place.line} of another cell" if is_strange else self.long(place)

    def _shortest(self, file: str) -> str:
        """The end of a file's path that no other file has."""
        parts = _SEPARATOR.split(file)
        others = [other for name, other in self._files.items() if name != file]
        count = 1
        while count < len(parts) and any(other[-count:] == parts[-count:] for other in others):
            count += 1
        return "/".join(parts[-count:])


def with_files(text: str, cells: Iterable[Cell]) -> str:
    """What somebody looks for, with files in place of cells: `[2]:11` is `/tmp/1234.py:11`."""
    files = {str(cell.execution_count): cell.file for cell in cells if cell.file}
    return _IN_CELL.sub(lambda found: files.get(found[1]) or found[0], text)


def files_of(functions: Iterable[Function], traces: Iterable[Trace], compilations: Iterable[Compilation]) -> set[str]:
    """Those that the user's functions, and the calls that caused traces and compilations, stand in."""
    own = {function.file for function in functions if function.origin == "user" and function.file is not None}
    sites = (caused.call_site for caused in (*traces, *compilations))
    return own | {site.file for site in sites if site is not None}
