"""What names were on the lines that bound them before the last one did, as far as equations tell it for certain."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from jax_trace_viz.contract.events import Mark
from jax_trace_viz.session.masking import is_telling
from jax_trace_viz.session.source.parsing import can_parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jax_trace_viz.contract.document import Function, Trace
    from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr
    from jax_trace_viz.session.recorded.functions import Functions
    from jax_trace_viz.session.recorded.jaxprs import Jaxprs
    from jax_trace_viz.session.recorded.traces import Traces
    from jax_trace_viz.session.source.bindings import Bound, Span
    from jax_trace_viz.session.source.line_marks import LineMarks

_MOST_EQUATIONS = 20_000
"""Larger jaxprs are not looked through."""
_CALLS = frozenset({"jit", "pjit"})
_CONTROL = frozenset({"scan", "while", "cond"})
_TRANSFORMED = ("vmap(", "jvp(", "transpose(")
_SPARSE = frozenset({"BCOO", "BCSR", "COO", "CSR", "CSC"})
"""JAX's own containers with the operators of arrays."""

_Site = tuple[str, str, "Span"]
"""File and function of an expression, and where it stands."""


class Rebindings:
    """Works out the earlier bindings of each trace when they are asked for, once its jaxpr is there."""

    def __init__(self) -> None:
        self._due: dict[str, None] = {}
        self._helpers: defaultdict[str, list[str]] = defaultdict(list)
        """Trace → the plain calls whose equations are its own, in the order in which they ended."""

    def ended(self, trace: Trace, traces: Traces) -> None:
        """A run ended. One that plain Python called staged into the trace around it."""
        outer: Trace | None = trace
        while outer is not None and outer.kind == "call":
            outer = traces.records.get(outer.parent or "")
        if outer is not None and outer is not trace:
            self._helpers[outer.id].append(trace.id)

    def staged(self, trace: str) -> None:
        """Its jaxpr was told."""
        self._due[trace] = None

    def catch_up(
        self, version: int, functions: Functions, traces: Traces, jaxprs: Jaxprs, line_marks: LineMarks
    ) -> None:
        """Adds what is new to the annotations of the traces."""
        due, self._due = self._due, {}
        for identifier in due:
            trace = traces.records[identifier]
            jaxpr = jaxprs.records.get(trace.jaxpr or "")
            if jaxpr is None or jaxpr.dropped_equations or len(jaxpr.equations) > _MOST_EQUATIONS:
                self._helpers.pop(identifier, None)
                continue
            if not can_parse():
                self._due[identifier] = None
                continue
            runs: defaultdict[str, list[Trace]] = defaultdict(list)
            for one in (identifier, *self._helpers.pop(identifier, ())):
                run = traces.records[one]
                runs[run.function].append(run)
            staged = _Staged(jaxpr, jaxprs.all_frames)
            for number, those in runs.items():
                function = functions.records[number]
                structure = line_marks.structure(function) if function.origin == "user" and function.source else None
                if structure is None or not structure.rebound:
                    continue
                told = [_Run(run, line_marks.lines_of(run.id), traces.annotations.marks_of(run.id)) for run in those]
                for run, marks in zip(those, _earlier(function, structure.rebound, told, staged), strict=True):
                    traces.annotations.put_earlier(run.id, marks, version)


@dataclass(frozen=True)
class _Run:
    """One run of a function."""

    trace: Trace
    lines: Mapping[int, int] | None
    """How often each line ran, where it is known."""
    marks: Sequence[Mark]

    def times(self, bound: Bound) -> int | None:
        """How often a statement ran to its end; None if that is not known."""
        error = self.trace.error
        if error is not None and (error.line is None or bound.line <= error.line <= bound.end_line):
            return None
        if self.lines is None:
            return 1 if not bound.loops and (bound.literal is None or (bound.always and error is None)) else None
        counts = [self.lines[line] for line in range(bound.line, bound.end_line + 1) if line in self.lines]
        return min(counts, default=0)

    def tells(self, bound: Bound) -> bool:
        """Whether a name's last mark stands on this line already, or the name has none, as it was deleted."""
        lines = [mark.line for mark in self.marks if mark.name == bound.name and mark.binding == "local"]
        return not lines or bound.line in lines

    @property
    def is_plain(self) -> bool:
        """Nothing but a trace that stages it holds any value: equations have the types that the source sees."""
        return not any(mark.tracers or mark.type in _SPARSE for mark in self.marks)


class _Staged:
    """What a jaxpr tells of the expressions of the source."""

    def __init__(self, jaxpr: Jaxpr, frames: Sequence[Frame]) -> None:
        self._jaxpr = jaxpr
        self._frames = frames
        self._found: dict[_Site, list[Equation]] | None = None

    def equations(self, site: _Site) -> list[Equation]:
        """The equations that an expression staged itself; those of the functions that it called are not among them."""
        if self._found is None:
            self._found = defaultdict(list)
            for equation in self._jaxpr.equations:
                if equation.frame is not None:
                    frame = self._frames[equation.frame]
                    span = frame.line, frame.column, frame.end_line, frame.end_column
                    self._found[frame.file, frame.function, span].append(equation)
        return self._found.get(site, [])

    def rounds(self, site: _Site, jitted: frozenset[str] | None, times: int, *, counted: bool) -> list[str] | None:
        """The types of the array that an expression made in each of so many rounds; None if that is not certain.

        Where rounds were not counted, a second one would show by an operation that is there twice with other types.
        """
        found = self.equations(site)
        if not found or times < 1 or len(found) % times or self._calls_itself(found):
            return None
        last = found[-1].primitive
        alike = {self._jaxpr.types[one.outputs[0]] for one in found if one.primitive == last and one.outputs}
        if not counted and len(alike) > 1:
            return None
        each = len(found) // times
        parts = [found[start : start + each] for start in range(0, len(found), each)]
        patterns = {tuple(equation.primitive for equation in part) for part in parts}
        if len(patterns) > 1 or not all(_is_array(part[-1], jitted) for part in parts):
            return None
        if any(word in equation.scope for equation in found for word in _TRANSFORMED):
            return None
        return [self._jaxpr.types[part[-1].outputs[0]] for part in parts]

    def _calls_itself(self, equations: list[Equation]) -> bool:
        """Whether a function was called by itself: its rounds are not in order then."""
        for index in {equation.frame for equation in equations}:
            frame = self._frames[index or 0]
            outer = frame.parent
            while outer is not None:
                above = self._frames[outer]
                if (above.file, above.function) == (frame.file, frame.function):
                    return True
                outer = above.parent
        return False


def _is_array(last: Equation, jitted: frozenset[str] | None) -> bool:
    """Whether the last equation of an expression makes one array, which the expression is."""
    if len(last.outputs) != 1 or last.primitive in _CONTROL:
        return False
    return jitted is None or last.primitive not in _CALLS or last.parameters.get("name") in jitted


def _earlier(function: Function, rebound: Sequence[Bound], runs: Sequence[_Run], staged: _Staged) -> list[list[Mark]]:
    """Marks for each of the runs of a function that staged into one jaxpr, in the order in which they ended."""
    found: list[list[Mark]] = [[] for _ in runs]
    for bound in rebound:
        times = [run.times(bound) for run in runs]
        if bound.literal is not None:
            rounds = [_literals(bound, each) for each in times]
        else:
            rounds = _types(bound, function, runs, times, staged)
        for run, types, marks in zip(runs, rounds, found, strict=True):
            if types and not run.tells(bound):
                marks.append(_mark(bound, types))
    return found


def _literals(bound: Bound, times: int | None) -> list[str]:
    """The type of a number that is written in the source, for each time; a telling name's number stays hidden."""
    return [bound.literal[1]] * (times or 0) if bound.literal is not None and not is_telling(bound.name) else []


def _types(
    bound: Bound, function: Function, runs: Sequence[_Run], times: Sequence[int | None], staged: _Staged
) -> list[list[str]]:
    """For each run the types that a binding had, round by round; nothing where that is not certain."""
    nothing: list[list[str]] = [[] for _ in runs]
    known = [each for each in times if each is not None]
    if len(known) < len(times) or not all(run.is_plain for run in runs):
        return nothing
    site = function.file or "", function.qualname, bound.span
    counted = all(run.lines is not None for run in runs)
    types = staged.rounds(site, bound.jitted, sum(known), counted=counted)
    if types is None:
        return nothing
    ends = [0, *accumulate(known)]
    return [types[start:end] for start, end in pairwise(ends)]


def _mark(bound: Bound, types: list[str]) -> Mark:
    """The last type stands for all rounds, and says so where there were others."""
    others = "… " if len(set(types)) > 1 else ""
    return Mark(
        line=bound.line,
        name=bound.name,
        binding="earlier",
        status="traced" if bound.literal is None else "static",
        value=None if bound.literal is None else bound.literal[0],
        type=others + types[-1],
        runs=len(types),
    )
