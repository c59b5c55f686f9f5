"""Marks for whole lines: branches that were not taken, loops that were unrolled, side effects."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.contract.source import LineMark
from jax_trace_viz.session.records import Records
from jax_trace_viz.session.source.branches import surely_not_run
from jax_trace_viz.session.source.parsing import can_parse
from jax_trace_viz.session.source.statements import not_run
from jax_trace_viz.session.source.structure import Structure, structure_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jax_trace_viz.contract.document import Function, Trace
    from jax_trace_viz.contract.jaxpr import Frame, Jaxpr
    from jax_trace_viz.contract.source import LineKind
    from jax_trace_viz.session.recorded.functions import Functions
    from jax_trace_viz.session.recorded.jaxprs import Jaxprs
    from jax_trace_viz.session.recorded.traces import Traces
    from jax_trace_viz.session.source.structure import Loop

_MOST_EQUATIONS = 20_000
"""Loops in larger jaxprs are not counted."""


class LineMarks:
    """Works out the marks of each trace when they are asked for, once its jaxpr is there."""

    def __init__(self) -> None:
        self.records: Records[LineMark] = Records()
        self._lines: dict[str, dict[int, int]] = {}
        self._shared: dict[tuple[tuple[int, int], ...], dict[int, int]] = {}
        """The lines that ran and how often, each such record once: a helper's are the same each time."""
        self._due: dict[str, None] = {}
        self._structures: dict[tuple[str, str | None], Structure] = {}

    def ended(self, trace: str, lines: dict[int, int] | None) -> None:
        """A run ended; `lines` says how often each of its lines ran, if that is known."""
        if lines is not None:
            self._lines[trace] = self._shared.setdefault(tuple(lines.items()), lines)
        self._due[trace] = None

    def staged(self, trace: str) -> None:
        """Its jaxpr was told."""
        self._due[trace] = None

    def catch_up(self, version: int, functions: Functions, traces: Traces, jaxprs: Jaxprs) -> Records[LineMark]:
        """All marks, with those of traces that ended since the last look."""
        due, self._due = self._due, {}
        for identifier in due:
            trace = traces.records[identifier]
            function = functions.records[trace.function]
            if trace.status == "running" or function.origin != "user" or not function.source:
                continue
            structure = self.structure(function)
            if structure is None:
                if not can_parse():
                    self._due[identifier] = None
                continue
            jaxpr = jaxprs.records.get(trace.jaxpr) if trace.kind != "call" else None
            values = traces.static_parameters(identifier)
            marks = _Marks(function, trace, self._lines.get(identifier), jaxpr, jaxprs.all_frames, values)
            for mark in marks.of(structure):
                self.records.put((identifier, mark.line, mark.kind), mark, version)
        return self.records

    def lines_of(self, trace: str) -> dict[int, int] | None:
        """How often each line of a run ran, if that is known."""
        return self._lines.get(trace)

    def structure(self, function: Function) -> Structure | None:
        """What a function's source is made of; None where it cannot be read now."""
        key = function.id, function.source
        if key not in self._structures:
            found = structure_of(function)
            if found is None:
                return None
            self._structures[key] = found
        return self._structures[key]


class _Caller(NamedTuple):
    """The innermost frame of the function whose lines are marked, seen from a frame that staged something."""

    frame: Frame
    direct: bool
    """It is that frame itself: the function staged it, and none that it calls."""
    again: bool
    """The function was called again by itself."""


class _Staged(NamedTuple):
    """What an equation says of the function whose lines are marked."""

    caller: _Caller
    primitive: str

    @property
    def line(self) -> int:
        return self.caller.frame.line


def _is_head(loop: Loop, line: int) -> bool:
    return line == loop.line and loop.body[0] != loop.line


@dataclass(frozen=True)
class _Marks:
    """What is known of one run."""

    function: Function
    trace: Trace
    lines: dict[int, int] | None
    jaxpr: Jaxpr | None
    frames: list[Frame]
    values: Mapping[str, str]
    """Values of the static parameters."""

    def of(self, structure: Structure) -> list[LineMark]:
        counted = self.jaxpr is not None and len(self.jaxpr.equations) <= _MOST_EQUATIONS
        staged = self._staged(self.jaxpr) if self.jaxpr is not None and counted else []
        lines = self.lines
        unseen = self._left_out(structure, staged) if lines is None else not_run(structure.body, lines)
        found = [self._mark(line, end, "not_run") for line, end in unseen]
        for effect in structure.effects:
            times = self._times(effect.line, effect.end_line) if self.lines is not None else int(effect.always)
            if times and (self.lines is not None or self.trace.status == "ok"):
                found.append(self._mark(effect.line, effect.end_line, "side_effect", times))
        found += [mark for loop in structure.loops if (mark := self._loop(loop, staged))]
        return found

    def _left_out(self, structure: Structure, staged: list[_Staged]) -> list[tuple[int, int]]:
        """Branches that did not run, where not all lines are known; nothing is told of a function that calls itself."""
        lines: set[int] = set() if any(one.caller.again for one in staged) else {one.line for one in staged}
        values = {name: value for name, value in self.values.items() if name in structure.lasting}
        return surely_not_run(structure.branches, lines, values)

    def _loop(self, loop: Loop, staged: list[_Staged]) -> LineMark | None:
        inside = [one for one in staged if loop.line <= one.line <= loop.end_line and not _is_head(loop, one.line)]
        if not inside:
            return None
        known = self.lines is not None and loop.counts
        times = self._times(*loop.body) if known else self._rounds(loop, inside)
        if times < 2:
            return None
        return LineMark(
            function=self.function.id,
            trace=self.trace.id,
            file=self.function.file or "",
            line=loop.line,
            end_line=loop.end_line,
            kind="unrolled",
            times=times,
            at_least=not known or self.trace.status != "ok",
            equations=len(inside),
        )

    def _times(self, line: int, end_line: int) -> int:
        """How often a statement ran; one of several lines is come back to for each of its parts."""
        counts = [self.lines[one] for one in range(line, end_line + 1) if one in self.lines] if self.lines else []
        return min(counts, default=0)

    def _rounds(self, loop: Loop, inside: list[_Staged]) -> int:
        """How many rounds there were at least: as often as each expression of the body was staged."""
        spans: defaultdict[tuple[int, int, int], Counter[str]] = defaultdict(Counter)
        for (frame, direct, _), primitive in inside:
            if direct and not any(first <= frame.line <= last for first, last in loop.inner):
                spans[frame.line, frame.column, frame.end_column][primitive] += 1
        return min((min(counter.values()) for counter in spans.values()), default=0)

    def _staged(self, jaxpr: Jaxpr) -> list[_Staged]:
        """Of each equation what it says of this function, as far as it came from there."""
        callers: dict[int | None, _Caller | None] = {None: None}
        placed = ((self._caller(equation.frame, callers), equation.primitive) for equation in jaxpr.equations)
        return [_Staged(caller, primitive) for caller, primitive in placed if caller is not None]

    def _caller(self, index: int | None, known: dict[int | None, _Caller | None]) -> _Caller | None:
        """The innermost call of this function that a frame is in; `known` has those found so far."""
        chain: list[int] = []
        while index is not None and index not in known:
            chain.append(index)
            index = self.frames[index].parent
        caller = known[index]
        for inner in reversed(chain):
            frame = self.frames[inner]
            if frame.file == self.function.file and frame.function == self.function.qualname:
                caller = _Caller(frame, direct=True, again=caller is not None)
            else:
                caller = caller and caller._replace(direct=False)
            known[inner] = caller
        return caller

    def _mark(self, line: int, end_line: int, kind: LineKind, times: int = 0) -> LineMark:
        return LineMark(
            function=self.function.id,
            trace=self.trace.id,
            file=self.function.file or "",
            line=line,
            end_line=end_line,
            kind=kind,
            times=times,
        )
