"""A document with another name for one of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from jax_trace_viz.contract.document import Function, Place, TraceError
from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.contract.jaxpr import Frame
from jax_trace_viz.contract.program import HloFrame
from jax_trace_viz.contract.source import Annotation, EagerLine, LineMark

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Document

R = TypeVar("R")
_FILED = (Annotation, EagerLine, Frame, Function, HloFrame, LineMark, Outcome, Place, TraceError)


def renamed(document: Document, file: str, name: str) -> Document:
    """The document with `name` in place of `file`: a path as it was given says nothing of the folders around it."""

    def rename(record: R) -> R:
        if isinstance(record, _FILED) and record.file == file:
            return replace(record, file=name)
        return record

    return replace(
        document,
        outcome=rename(document.outcome),
        functions=[
            replace(rename(f), stale=[replace(value, place=rename(value.place)) for value in f.stale])
            for f in document.functions
        ],
        traces=[
            replace(
                t,
                call_site=rename(t.call_site),
                error=rename(t.error),
                outside=[replace(value, place=rename(value.place)) for value in t.outside],
            )
            for t in document.traces
        ],
        compilations=[replace(c, call_site=rename(c.call_site)) for c in document.compilations],
        annotations=[rename(annotation) for annotation in document.annotations],
        line_marks=[rename(mark) for mark in document.line_marks],
        findings=[replace(finding, place=rename(finding.place)) for finding in document.findings],
        unseen=[replace(unseen, place=rename(unseen.place)) for unseen in document.unseen],
        eager=[rename(line) for line in document.eager],
        frames=[rename(frame) for frame in document.frames],
        programs=[
            replace(program, frames=[rename(frame) for frame in program.frames]) for program in document.programs
        ],
    )
