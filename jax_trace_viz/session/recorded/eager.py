"""Operations that ran outside of any jit, by the user's line."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.source import EagerLine

if TYPE_CHECKING:
    from jax_trace_viz.contract.events import OperationsRan


class _Line(NamedTuple):
    file: str
    line: int
    function: str
    function_line: int


class Eager:
    """Counts them over a session."""

    def __init__(self) -> None:
        self._operations: defaultdict[_Line, Counter[str]] = defaultdict(Counter)
        self._compiled: defaultdict[Place, list[float]] = defaultdict(list)

    def ran(self, event: OperationsRan) -> None:
        """Operations ran."""
        for line, counts in event.lines.items():
            self._operations[_Line(event.file, line, event.function, event.first_line)].update(counts)

    def compiled(self, place: Place, seconds: float) -> None:
        """A program of JAX's own was compiled."""
        self._compiled[place].append(seconds)

    def lines(self) -> list[EagerLine]:
        """The lines that ran operations, in order of appearance, with what was compiled for them."""
        return [self._line(where, operations) for where, operations in self._operations.items()]

    def _line(self, where: _Line, operations: Counter[str]) -> EagerLine:
        compiled = self._compiled.get(Place(file=where.file, line=where.line), [])
        return EagerLine(
            file=where.file,
            line=where.line,
            function=where.function,
            function_line=where.function_line,
            operations=dict(operations.most_common()),
            compiles=len(compiled),
            compile_seconds=sum(compiled),
        )
