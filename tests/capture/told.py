"""What a recording told, in the words the tests ask in."""

from __future__ import annotations

import collections
import contextlib
import pathlib
from typing import TYPE_CHECKING

import msgspec

import jax_trace_viz
from tests.cases.scoring import form
from tests.cases.scoring.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Document, Function, Trace


class Told:
    """One recording, readable once it has ended."""

    document: Document

    def functions(self, name: str) -> list[Function]:
        """The user's functions of this name."""
        return [f for f in self.document.functions if f.name == name and f.origin == "user"]

    def function(self, name: str) -> Function:
        """The user's only function of this name."""
        (function,) = self.functions(name)
        return function

    def traces(self, name: str) -> list[Trace]:
        """The runs of the user's function that JAX caused, in order."""
        ids = {function.id for function in self.functions(name)}
        return [trace for trace in self.document.traces if trace.function in ids and trace.kind != "call"]

    def trace(self, name: str) -> Trace:
        """The only run of the user's function that JAX caused."""
        (trace,) = self.traces(name)
        return trace

    def kinds(self, name: str) -> list[list[str]]:
        """The kinds of reasons of each of these runs."""
        return [[reason.kind for reason in trace.reasons] for trace in self.traces(name)]

    def runs(self) -> dict[str, int]:
        """Name of each user function that JAX ran under tracing → how often."""
        names = {function.id: function.name for function in self.document.functions if function.origin == "user"}
        caused = [trace for trace in self.document.traces if trace.kind != "call"]
        return dict(collections.Counter(names[trace.function] for trace in caused if trace.function in names))

    def parent(self, trace: Trace) -> str | None:
        """Name of the function whose run caused this one. Helpers in between may be listed or not."""
        by_id = {trace.id: trace for trace in self.document.traces}
        names = {function.id: function.name for function in self.document.functions}
        above = by_id[trace.parent] if trace.parent else None
        while above is not None and above.kind == "call":
            above = by_id[above.parent] if above.parent else None
        return names[above.function] if above else None


@contextlib.contextmanager
def recorded() -> Iterator[Told]:
    """Records the block. The document must be of the agreed form, complete, and free of faults of our own."""
    told = Told()
    with jax_trace_viz.trace() as session:
        yield told
    told.document = session.document()
    assert told.document.faults == []
    assert told.document.environment.limited == []
    assert told.document.dropped.events == 0
    plain = msgspec.to_builtins(told.document)
    assert list(form.check(Evidence({}, plain, source="", stdout="", exit_status=0))) == []


def line_of(file: str, marker: str) -> int:
    """The line of a test file that ends with the comment `# marker`."""
    lines = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if text.endswith(f"# {marker}")]
    return line
