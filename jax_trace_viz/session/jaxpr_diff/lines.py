"""The rows of a comparison as text: what differs, with a little of what is the same around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from jax_trace_viz.contract.listing import DiffLine
from jax_trace_viz.session.listing import letters, shortened, shown_parameters, user_place
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr

LINES = 400
"""Lines of one comparison; the others are counted."""

CONTEXT = 1
"""Equations that are shown before and after a difference although they are the same."""

Sign = Literal["same", "removed", "added", "before", "after", "skipped"]


class Scope:
    """The variables of two jaxprs: those that belong together have one name."""

    def __init__(self, before: Jaxpr, now: Jaxpr) -> None:
        self.before = before
        self.now = now
        self._partners: dict[int, int] = {}
        """Variables of `before` with their counterparts in `now`."""
        self._matched: set[int] = set()
        self.values: tuple[dict[int, Hashable], dict[int, Hashable]] = ({}, {})
        """By variable of `before` and of `now`: equal for what is computed alike from the same inputs."""

    def pair(self, old: Sequence[int], new: Sequence[int]) -> None:
        """Say that variables belong together, one by one."""
        for before, now in zip(old, new, strict=False):
            self._partners[before] = now
            self._matched.add(now)

    def pair_inputs(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Say which inputs belong together."""
        self.pair([before for before, _ in pairs], [now for _, now in pairs])
        for before, now in pairs:
            self.values[0][before] = self.values[1][now] = now

    def identity(self, variable: int, *, old: bool) -> tuple[bool, int]:
        """Equal for variables that belong together."""
        partner = self._partners.get(variable) if old else variable
        return (False, variable) if partner is None else (True, partner)

    def reads_other(self, old: Sequence[int | str], new: Sequence[int | str]) -> bool:
        """Whether two equations read different variables although both variables are in both jaxprs.

        Reading what another equation made, because that one was added or removed, is that one's difference.
        """
        return any(
            isinstance(a, int) and isinstance(b, int) and self._differ(a, b) for a, b in zip(old, new, strict=False)
        )

    def _differ(self, old: int, new: int) -> bool:
        paired = old in self._partners and new in self._matched
        return paired and self._partners[old] != new and self.values[0].get(old) != self.values[1].get(new)

    def heads(self, depth: int) -> Iterator[Row]:
        """The first lines of the two jaxprs: what goes in."""
        before = [self.before.types[v] for v in (*self.before.constants, *self.before.inputs)]
        now = [self.now.types[v] for v in (*self.now.constants, *self.now.inputs)]
        yield from self._both("head", depth, alike=before == now)

    def ends(self, depth: int) -> Iterator[Row]:
        """The last lines: what comes out."""
        before, now = self.before.outputs, self.now.outputs
        alike = len(before) == len(now) and not self.reads_other(before, now)
        literal = [a for a in before if isinstance(a, str)] == [b for b in now if isinstance(b, str)]
        yield from self._both("end", depth, alike=alike and literal)

    def _both(self, part: Literal["head", "end"], depth: int, *, alike: bool) -> Iterator[Row]:
        if alike:
            yield Row("same", depth, self, part=part)
        else:
            resized = part == "head" and len(self.before.inputs) == len(self.now.inputs)
            yield Row("before", depth, self, part=part, sizes_only=resized)
            yield Row("after", depth, self, part=part, sizes_only=resized)


@dataclass(frozen=True)
class Row:
    """A line that is not written yet. `text` stands in for what has no equation."""

    sign: Sign
    depth: int
    scope: Scope | None = None
    equation: Equation | None = None
    part: Literal["head", "equation", "end"] = "equation"
    text: str = ""
    sizes_only: bool = False


class Writer:
    """Writes rows as lines."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self.lines: list[DiffLine] = []
        self.note = ""
        self._frames = frames
        self._names: dict[tuple[Scope, tuple[bool, int]], str] = {}

    def write(self, rows: Sequence[Row]) -> None:
        """Write what differs, and what is around it."""
        shown = _around([row.sign != "same" for row in rows], rows)
        others = _around([row.sign != "same" and not row.sizes_only for row in rows], rows)
        if others and others != shown and len(shown) > LINES:
            shown = others
            self.note = "What differs in types and sizes only is left out here."
        at = 0
        while at < len(rows) and len(self.lines) < LINES:
            if at in shown:
                self.lines.append(self._line(rows[at], sizes_only=rows[at].sizes_only or at not in others))
                at += 1
                continue
            end = next((k for k in range(at, len(rows)) if k in shown), len(rows))
            count = sum(row.part == "equation" for row in rows[at:end])
            if count and shown:
                text = f"{count_text(count, 'equation')}, the same in both"
                beside = {at - 1, end} & shown
                sizes_only = not beside & others
                self.lines.append(DiffLine(sign="skipped", text=text, depth=rows[at].depth, sizes_only=sizes_only))
            at = end
        left = sum(k >= at for k in shown)
        if left:
            self.note = f"{self.note} {count_text(left, 'further line')} left out.".strip()

    def _line(self, row: Row, *, sizes_only: bool) -> DiffLine:
        if row.scope is None:
            return DiffLine(sign=row.sign, text=row.text, depth=row.depth, sizes_only=sizes_only)
        old = row.sign in ("removed", "before")
        place = user_place(row.equation.frame, self._frames) if row.equation else None
        text = self._text(row, row.scope, old=old)
        return DiffLine(sign=row.sign, text=text, depth=row.depth, place=place, sizes_only=sizes_only)

    def _text(self, row: Row, scope: Scope, *, old: bool) -> str:
        jaxpr = scope.before if old else scope.now
        if row.part == "head":
            constants = self._declared(scope, jaxpr.constants, old=old)
            return f"lambda {constants}; {self._declared(scope, jaxpr.inputs, old=old)}."
        if row.equation is None:
            return f"in ({shortened([self._atom(scope, atom, old=old) for atom in jaxpr.outputs], ', ')})"
        return self._equation(scope, row.equation, old=old)

    def _equation(self, scope: Scope, equation: Equation, *, old: bool) -> str:
        outputs = self._declared(scope, equation.outputs, old=old)
        inside = " ".join([*shown_parameters(equation), *(f"{sub.parameter}={{…}}" for sub in equation.jaxprs)])
        inputs = shortened([self._atom(scope, atom, old=old) for atom in equation.inputs], " ")
        head = f"{outputs} = {equation.primitive}" if outputs else equation.primitive
        return f"{head}{f'[{inside}]' if inside else ''} {inputs}".rstrip()

    def _declared(self, scope: Scope, variables: Sequence[int], *, old: bool) -> str:
        types = (scope.before if old else scope.now).types
        return shortened([f"{self._name(scope, v, old=old)}:{types[v]}" for v in variables], " ")

    def _atom(self, scope: Scope, atom: int | str, *, old: bool) -> str:
        return atom if isinstance(atom, str) else self._name(scope, atom, old=old)

    def _name(self, scope: Scope, variable: int, *, old: bool) -> str:
        return self._names.setdefault((scope, scope.identity(variable, old=old)), letters(len(self._names)))


def _around(wanted: Sequence[bool], rows: Sequence[Row]) -> set[int]:
    """The rows that are wanted, those beside them, and those that they are inside of."""
    shown: set[int] = set()
    outer: list[int] = []
    for at, row in enumerate(rows):
        while outer and rows[outer[-1]].depth >= row.depth:
            outer.pop()
        if wanted[at]:
            shown.update(range(max(0, at - CONTEXT), min(len(rows), at + CONTEXT + 1)))
            shown.update(outer)
        outer.append(at)
    return shown
