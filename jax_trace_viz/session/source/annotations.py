"""What the names of the source were in each trace.

Annotations are many and seldom asked for: they are made of the bodies' marks when somebody reads them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.contract.source import Annotation

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Trace
    from jax_trace_viz.contract.events import Mark


class _Ended(NamedTuple):
    """What one body left behind."""

    function: str
    file: str
    marks: list[Mark]
    version: int


class Annotations:
    """The marks by trace, in the order in which the bodies ended."""

    def __init__(self) -> None:
        self._ended: dict[str, _Ended] = {}
        self._earlier: dict[str, _Ended] = {}

    def put(self, trace: Trace, file: str, marks: list[Mark], version: int) -> None:
        """A body has ended: its marks, of which there is one for each name and binding, the last of them."""
        if marks:
            self._ended[trace.id] = _Ended(trace.function, file, marks, version)

    def put_earlier(self, trace: str, marks: list[Mark], version: int) -> None:
        """What names were on earlier lines turned out when the jaxpr of a trace was there."""
        if marks and trace in self._ended:
            self._earlier[trace] = self._ended[trace]._replace(marks=marks, version=version)

    def marks_of(self, trace: str) -> list[Mark]:
        """What the body of a trace left behind."""
        ended = self._ended.get(trace)
        return [] if ended is None else ended.marks

    def remove(self, trace: str) -> None:
        """Lets go of a trace's annotations."""
        self._ended.pop(trace, None)
        self._earlier.pop(trace, None)

    def of(self, trace: str) -> list[Annotation]:
        """Those of one trace, each name as it was last."""
        ended = self._ended.get(trace)
        return [] if ended is None else _annotations(trace, ended)

    def all(self) -> list[Annotation]:
        """Every annotation."""
        both = (*self._ended.items(), *self._earlier.items())
        return [one for trace, ended in both for one in _annotations(trace, ended)]

    def since(self, version: int) -> list[Annotation]:
        """Those that came after this version."""
        return [*_since(self._ended, version), *_since(self._earlier, version)]


def _since(table: dict[str, _Ended], version: int) -> list[Annotation]:
    fresh: list[list[Annotation]] = []
    for trace, ended in reversed(table.items()):
        if ended.version <= version:
            break
        fresh.append(_annotations(trace, ended))
    return [one for annotations in reversed(fresh) for one in annotations]


def _annotations(trace: str, ended: _Ended) -> list[Annotation]:
    marks = {(mark.name, mark.binding, mark.line if mark.binding == "earlier" else 0): mark for mark in ended.marks}
    return [
        Annotation(
            function=ended.function,
            trace=trace,
            file=ended.file,
            line=mark.line,
            name=mark.name,
            binding=mark.binding,
            status=mark.status,
            value=mark.value,
            type=mark.type,
            runs=mark.runs,
            parts=mark.parts,
            leaves=mark.leaves,
            length=mark.length,
            tracers=mark.tracers,
        )
        for mark in marks.values()
    ]
