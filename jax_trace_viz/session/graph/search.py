"""Finding equations anywhere in a trace, also where no open group shows them."""

from __future__ import annotations

import dataclasses
from itertools import accumulate
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.view import Found, Match
from jax_trace_viz.session.graph.build import find_trace, grow
from jax_trace_viz.session.graph.census import LARGEST
from jax_trace_viz.session.graph.haystack import Haystack
from jax_trace_viz.session.graph.opening import expand
from jax_trace_viz.session.graph.records import program_of
from jax_trace_viz.session.graph.scopes import parse_scope
from jax_trace_viz.session.graph.text import cut
from jax_trace_viz.session.graph.tree import CALLS
from jax_trace_viz.session.graph.wishes import Wishes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
    from jax_trace_viz.session.graph.records import Recorded
    from jax_trace_viz.session.graph.scopes import Phase
    from jax_trace_viz.session.graph.tree import Level, Node

    _Passed = tuple[str, Phase]
    """A jaxpr, by id, and the pass that its call belongs to."""

MOST = 50
"""So many matches are told."""
_CLOSED = Wishes(depth=0)
_LABEL, _HEAD = 80, 36


def search(recorded: Recorded, trace: str, text: str) -> Found:
    """Finds what a text says: all its words, in any order.

    `line 7` or `:7` is the line of the source alone, `model.py:7` that of one file.

    Args:
        recorded: A session or document.
        trace: The trace's id.
        text: Words of primitives, types, scopes, called functions, names, key paths, or a line.

    Raises:
        KeyError: There is no such trace.
    """
    if not text.strip():
        return Found(matches=[], equations=0)
    record, function = find_trace(recorded, trace)
    program = program_of(recorded)
    root, paths = grow(program, record, function, _CLOSED, 0)
    hits = _Hits(Haystack(program, text, paths))
    matches: list[Match] = []
    for match in _Walk(hits).below(root, [], []):
        if len(matches) == MOST:
            return Found(matches=matches, equations=hits.count(root), more=True)
        matches.append(match)
    return Found(matches=matches, equations=hits.count(root))


class _Hits:
    """Which equations match, and how many in any run of them. Each jaxpr is looked through once in each pass."""

    def __init__(self, haystack: Haystack) -> None:
        self._haystack = haystack
        self._program = haystack.program
        self._sums: dict[_Passed, list[int]] = {}
        self._own: dict[_Passed, list[bool]] = {}

    def ends(self, node: Node) -> bool:
        """Whether an argument, constant or result matches."""
        return self._haystack.matches_end(node)

    def own(self, node: Node) -> list[bool]:
        """For each equation of a node's own level, whether it matches itself."""
        assert node.level is not None
        passed = self._look(node.level.jaxpr, _outside(node.level))
        return self._own[passed][node.shown_start : node.shown_stop]

    def count(self, node: Node, copy: int | None = None) -> int:
        """How many equations match in a node, or in one copy of a plate, expanded."""
        level = node.level
        if level is None or node.stop <= node.start:
            return 0
        sums = self._sums[self._look(level.jaxpr, _outside(level))]
        start, stop = node.start, node.stop
        if copy is not None:
            start = node.start + copy * node.period
            stop = start + node.period
        return min(sums[stop] - sums[start], LARGEST)

    def name_of_copy(self, plate: Node, copy: int) -> str:
        """`copy 2: params['w']`: by its number, and by the input that it alone uses."""
        assert plate.level is not None
        start = plate.start + copy * plate.period
        path = self._haystack.only_input(plate.level.jaxpr, start, start + plate.period)
        return f"copy {copy + 1:,}" + (f": {path}" if path else "")

    def pattern(self, node: Node, copy: int) -> tuple[int, ...]:
        """Where in a copy of a plate there are matches."""
        assert node.level is not None
        sums = self._sums[self._look(node.level.jaxpr, _outside(node.level))]
        start = node.start + copy * node.period
        return tuple(sums[place + 1] - sums[place] for place in range(start, start + node.period))

    def _look(self, jaxpr: Jaxpr, outside: Phase) -> _Passed:
        passed = jaxpr.id, outside
        if passed not in self._sums:
            own = [self._haystack.matches(jaxpr, equation, outside) for equation in jaxpr.equations]
            counts = (
                hit + sum(self._total(sub.jaxpr, _phase(equation, outside)) for sub in equation.jaxprs)
                for hit, equation in zip(own, jaxpr.equations, strict=True)
            )
            self._own[passed], self._sums[passed] = own, [0, *accumulate(counts)]
        return passed

    def _total(self, id_: str, outside: Phase) -> int:
        jaxpr = self._program.jaxprs.get(id_)
        return self._sums[self._look(jaxpr, outside)][-1] if jaxpr is not None else 0


def _phase(equation: Equation, outside: Phase) -> Phase:
    """The pass that an equation belongs to: a jaxpr that is called in one does not name it again."""
    return parse_scope(equation.scope).phase or outside


def _outside(level: Level) -> Phase:
    """The pass that the calls around a level belong to."""
    if level.caller is None or level.caller.level is None:
        return ""
    outer = level.caller.level
    return _phase(outer.equations[level.caller.main], _outside(outer))


class _Walk:
    """Goes down to the matches, and nowhere else."""

    def __init__(self, hits: _Hits) -> None:
        self._hits = hits

    def below(self, node: Node, asked: list[str], where: list[str]) -> Iterator[Match]:
        """The matches inside a node. `asked`: what opens the groups around; `where`: what these are called."""
        for child in expand(node):
            if child.level is None or child.kind in ("argument", "constant", "result"):
                if self._hits.ends(child):
                    yield _match(child, asked, where, 0)
            elif child.kind != "port" and self._hits.count(child):
                yield from self._inside(child, asked, where)

    def _inside(self, node: Node, asked: list[str], where: list[str]) -> Iterator[Match]:
        count = self._hits.count(node)
        if node.kind == "plate":
            yield from self._copies(node, asked, where)
        elif node.kind == "part":
            yield from self.below(node, asked, [*where, node.label])
        elif node.leaf:
            yield _match(node, asked, where, count)
        elif node.kind in CALLS:
            if any(self._hits.own(node)):
                yield _match(node, asked, where, count)
            else:
                yield from self.below(node, [*asked, node.id], [*where, node.label])
        elif all(self._hits.own(node)):
            yield _match(node, asked, where, count)
        else:
            yield from self.below(node, [*asked, node.id], [*where, node.label])

    def _copies(self, plate: Node, asked: list[str], where: list[str]) -> Iterator[Match]:
        """The matches in the copies of a plate, those of equal copies once."""
        counts = [self._hits.count(plate, copy) for copy in range(plate.count)]
        patterns: dict[tuple[int, ...], int] = {}
        for copy, count in enumerate(counts):
            if count:
                patterns.setdefault(self._hits.pattern(plate, copy), copy)
        for copy in patterns.values():
            shown = dataclasses.replace(plate, shown=copy, children=(), parts=(), expanded=False)
            name = shown.copies[copy] if shown.copies else self._hits.name_of_copy(plate, copy)
            text = f"{cut(plate.label, _HEAD)} ×{plate.count:,}, {name}"
            here = [*asked, f"{plate.id}#{copy}"]
            if all(self._hits.own(shown)):
                yield _match(shown, here, where, counts[copy], text)
            else:
                yield from self.below(shown, [*here, plate.id], [*where, text])


def _match(node: Node, asked: list[str], where: list[str], count: int, label: str = "") -> Match:
    place = _place(node) if count else None
    around = [id_ for id_ in asked if "#" not in id_]
    return Match(
        box=node.id,
        open_boxes=[*(text for text in asked if "#" in text), *around[-1:]],
        label=cut(label or (f"{node.name} = {node.label}" if node.name else node.label), _LABEL),
        detail=cut(node.detail, _LABEL),
        where=[cut(text, _LABEL) for text in where],
        equations=count,
        place=place,
    )


def _place(node: Node) -> Place | None:
    assert node.level is not None
    frame = node.level.program.user_frame(node.level.equations[max(node.main, node.shown_start)].frame)
    return Place(file=frame.file, line=frame.line) if frame is not None else None
