"""What the recorded cells of a notebook show, run in a real kernel."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import nbformat
from nbclient import NotebookClient

from jax_trace_viz.contract.view import Update

if TYPE_CHECKING:
    from pathlib import Path

    from jax_trace_viz.contract.document import Function, Trace
    from jax_trace_viz.contract.listing import Listing
    from jax_trace_viz.contract.picture import Graph
    from jax_trace_viz.contract.source import Annotation

MIME = "application/vnd.jax-trace-viz+json"


@dataclass(frozen=True)
class Shown:
    """What one cell of the tour gave."""

    printed: str
    update: Update

    def function(self, name: str) -> Function:
        (found,) = [function for function in self.update.functions if function.name == name]
        return found

    def traces(self, name: str) -> list[Trace]:
        """The runs of a function's body that JAX caused."""
        function = self.function(name)
        return [trace for trace in self.update.traces if trace.function == function.id and trace.kind != "call"]

    def trace(self, name: str) -> Trace:
        (found,) = self.traces(name)
        return found

    def marks(self, trace: Trace) -> dict[str, list[Annotation]]:
        found: dict[str, list[Annotation]] = {}
        for mark in self.update.annotations:
            if mark.trace == trace.id:
                found.setdefault(mark.name, []).append(mark)
        return found

    def listing(self, trace: Trace) -> Listing:
        (found,) = [listing for listing in self.update.listings if listing.trace == trace.id]
        return found

    def primitives(self, trace: Trace) -> list[str]:
        """The operations of a trace's jaxpr as the tab Jaxpr lists them, from the outermost in."""
        return [primitive(line.text) for line in self.listing(trace).lines if line.equation is not None]

    def graph(self, trace: Trace) -> Graph:
        (found,) = [graph for graph in self.update.graphs if graph.trace == trace.id]
        return found

    def source_line(self, name: str, line: int | None) -> str:
        function = self.function(name)
        assert function.source is not None
        assert function.line is not None
        assert line is not None
        return function.source.splitlines()[line - function.line].strip()

    def spans(self, name: str) -> dict[str, float]:
        function = self.function(name)
        return {span.kind: span.seconds for span in self.update.spans if span.function == function.id}


def primitive(line: str) -> str:
    """The operation of a listed equation; one without results has no ` = `."""
    results, equals, operation = line.partition(" = ")
    return re.split(r"[\[ ]", operation if equals else results)[0]


def executed(notebook: Path, folder: Path) -> dict[str, Any]:
    """All cells by id, run from top to bottom; only a cell that says so in its tags may fail."""
    cells = nbformat.read(notebook, as_version=4)
    NotebookClient(cells, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.id: cell for cell in cells.cells}


def shown_by(cell: Any) -> Shown:
    """What a recorded cell gave."""
    outputs = cell.outputs
    (ours,) = [output.data for output in outputs if MIME in output.get("data", {})]
    printed = "".join(o.text for o in outputs if o.output_type == "stream" and o.name == "stdout")
    return Shown(printed=printed, update=msgspec.convert(ours[MIME], Update))
