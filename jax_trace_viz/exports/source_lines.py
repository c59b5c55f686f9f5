"""The lines of a function with what is told at the end of each, as it was in one trace."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.source.reading import first_reading
from jax_trace_viz.session.wording import bytes_text, count_text, cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jax_trace_viz.contract.document import Function, Trace
    from jax_trace_viz.contract.source import Annotation, LineMark

SIGNS = {"traced": "●", "static": "■", "concrete_array": "◆", "mixed": "◐"}
BAKED_IN, STALE, FAILED = "◆", "!", "✕"
_LONGEST = 40


class SourceLine(NamedTuple):
    """One line of the user's source."""

    number: int
    text: str
    told: tuple[str, ...]
    """Each with its sign: `height ■ 28`."""


def source_lines(
    function: Function, trace: Trace, annotations: Iterable[Annotation], line_marks: Iterable[LineMark]
) -> list[SourceLine]:
    """The lines of a function whose source is known.

    Args:
        function: The function.
        trace: The trace of it that is told. What happens at trace time only is told for all of them.
        annotations: Those of the whole session.
        line_marks: The same.
    """
    told: defaultdict[int, dict[str, None]] = defaultdict(dict)
    texts = (function.source or "").rstrip("\n").split("\n")
    first = function.line or 1
    for line, text in _all(function, trace, annotations, line_marks):
        told[_below_decorators(texts, first, line)].setdefault(text)
    indent = min((len(text) - len(text.lstrip()) for text in texts if text.strip()), default=0)
    return [SourceLine(first + i, text[indent:], tuple(told[first + i])) for i, text in enumerate(texts)]


def _all(
    function: Function, trace: Trace, annotations: Iterable[Annotation], line_marks: Iterable[LineMark]
) -> Iterator[tuple[int, str]]:
    for mark in annotations:
        if mark.trace == trace.id:
            yield mark.line, _name(mark)
    for constant in trace.constants:
        line = first_reading(function, constant.name or "")
        if line is not None:
            yield line, f"{constant.name} {BAKED_IN} {bytes_text(constant.bytes)}"
    for value in trace.outside:
        if value.place.file == function.file:
            yield value.place.line, f"{value.name} {SIGNS['static']} {cut(value.value, _LONGEST)}"
    yield from _notes(function, trace, line_marks)
    for stale in function.stale:
        is_value = stale.kind in ("value", "contents")
        yield (
            stale.place.line,
            f"{STALE} {stale.name} {f'became {cut(stale.after, _LONGEST)}' if is_value else 'changed'}",
        )
    if trace.error is not None and trace.error.line is not None and trace.error.file == function.file:
        yield trace.error.line, f"{FAILED} {trace.error.type}"


def _notes(function: Function, trace: Trace, line_marks: Iterable[LineMark]) -> Iterator[tuple[int, str]]:
    """What is said of lines as a whole."""
    first = function.line or 1
    last = first + (function.source or "").count("\n")
    effects: Counter[int] = Counter()
    for mark in line_marks:
        if mark.function != function.id:
            continue
        if mark.kind == "side_effect":
            effects[mark.line] += mark.times
        elif mark.trace == trace.id and mark.kind == "not_run":
            for line in range(max(mark.line, first), min(mark.end_line, last) + 1):
                yield line, "not run"
        elif mark.trace == trace.id:
            rounds = f"{'at least ' if mark.at_least else ''}×{mark.times}"
            yield mark.line, f"unrolled {rounds}, {count_text(mark.equations, 'equation')}"
    for line, times in effects.items():
        yield line, f"ran {times}×, at trace time only"


def _name(mark: Annotation) -> str:
    """`height ■ 28`, `x ● f32[3] · vmap×8`."""
    held = [
        holder.replace("vmap, axis", "vmap axis") if holder.startswith("vmap") else "∂"
        for holder in mark.tracers
        if holder != "known"
    ]
    shown = mark.value or _type(mark)
    return f"{mark.name} {SIGNS[mark.status]} {' · '.join([cut(shown, _LONGEST), *held])}"


def _type(mark: Annotation) -> str:
    """`f32[3]`, `list of 3`, or `list of 3 · 6 arrays` where elements hold other than one array each."""
    if mark.leaves == 0:
        return mark.type
    named = mark.type if mark.length is None else f"{mark.type} of {mark.length}"
    if mark.length == mark.leaves:
        return named
    held = count_text(mark.leaves, "array") if mark.status == "traced" else count_text(mark.leaves, "leaf", "leaves")
    return f"{named} · {held}"


def _below_decorators(texts: list[str], first: int, line: int) -> int:
    """Parameters may be told at the line where their function begins, and are shown where they stand."""
    while 0 <= line - first < len(texts) - 1 and texts[line - first].lstrip().startswith("@"):
        line += 1
    return line
