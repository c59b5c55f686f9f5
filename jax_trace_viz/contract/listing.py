"""A trace's jaxpr as text, line by line, and two of them side by side."""

from __future__ import annotations

from typing import Literal

from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.record import Record


class Line(Record):
    """One line of a jaxpr listing."""

    text: str
    depth: int
    place: Place | None = None
    equation: int | None = None


class Listing(Record):
    """A jaxpr as text, with the source line of every equation."""

    trace: str
    lines: list[Line]
    dropped: int = 0


class DiffLine(Record):
    """One line of a comparison of two jaxprs.

    A changed equation is two lines, `before` and `after`. `skipped` stands for equations that are the same in both.
    """

    sign: Literal["same", "removed", "added", "before", "after", "skipped"]
    text: str
    depth: int = 0
    place: Place | None = None
    sizes_only: bool = False
    """The line tells of nothing but other types and sizes, or is there only because of those."""


class JaxprDiff(Record):
    """What became of one trace's equations in another trace, those of nested jaxprs included, each counted once."""

    before: str
    """Ids of the two traces."""
    after: str
    added: int
    removed: int
    changed: int
    resized: int
    """Those of `changed` that differ in nothing but types and sizes."""
    same: int
    lines: list[DiffLine]
    note: str = ""
    """Set when something is left out: says what."""
