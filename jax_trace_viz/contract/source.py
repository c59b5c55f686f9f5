"""What is told of lines of the user's source: what names stood for there, and what became of the lines."""

from __future__ import annotations

from typing import Literal

from jax_trace_viz.contract.record import Record

MarkStatus = Literal["traced", "static", "concrete_array", "mixed"]
Binding = Literal["parameter", "local", "earlier"]
LineKind = Literal["not_run", "unrolled", "side_effect"]


class Part(Record):
    """One leaf of a container that holds values of several kinds, by its key path (`['w']`, `.layers[0]`)."""

    path: str
    status: MarkStatus
    type: str
    value: str | None = None


class Annotation(Record):
    """What one name of the user's source was in one trace: at entry for a parameter, at return or raise for a local.

    `earlier`: a name that several lines bind, on one that did before the last; only where that is certain.
    """

    function: str
    trace: str
    file: str
    line: int
    name: str
    binding: Binding
    status: MarkStatus
    value: str | None
    type: str
    runs: int
    parts: list[Part] = []
    """Of a container: which of its leaves are what, the first dozen; empty for what has but one kind or many leaves."""
    leaves: int = 0
    """How many leaves the container has, where `parts` tells of them."""
    length: int | None = None
    """How many elements it has, where it is a plain list, tuple or dict; None for other classes, whose `__len__` is
    somebody's code.
    """
    tracers: list[str] = []
    """What holds a traced value, innermost first, where that is more than a trace that stages it: `vmap, axis 0 of 8`,
    `jvp`, `linearize`; ends with `known` where the value itself is there, as under an un-jitted transformation.
    """


class LineMark(Record):
    """What became of lines of the user's source in one trace.

    `not_run`: a branch that was not taken, or a loop without rounds. `unrolled`: a Python loop, whose rounds are all in
    the program one by one. `side_effect`: done by Python while tracing, and no part of the program.
    """

    function: str
    trace: str
    file: str
    line: int
    end_line: int
    kind: LineKind
    times: int = 0
    """How often it ran; 0 for `not_run`, and where it is not known."""
    at_least: bool = False
    """It may have run more often: not every line was seen (before Python 3.12)."""
    equations: int = 0
    """Equations that an unrolled loop staged."""


class EagerLine(Record):
    """A line of the user's that ran operations outside of any jit: JAX dispatches, and compiles, each by itself."""

    file: str
    line: int
    function: str
    """Qualified name of the function it belongs to; `<module>` for a script's or a cell's own lines."""
    function_line: int
    operations: dict[str, int]
    """Name of an operation → how often it ran."""
    compiles: int = 0
    """Programs that were compiled for it, and"""
    compile_seconds: float = 0.0
    """what that cost."""
