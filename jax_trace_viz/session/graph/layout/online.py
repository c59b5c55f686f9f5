"""The layout for a trace that goes on: what is placed stays where it is, and what is new finds room beside or below.

It rests on the program's order. What grows is the last thing in its frame, and so on outwards: below and to the right
of it there is nothing yet. Only where a picture is grouped anew, or a box outgrows its place, a frame begins afresh.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.layout.inside import BETWEEN, HEADING, PADDING
from jax_trace_viz.session.graph.layout.model import Placement, Point, Rect
from jax_trace_viz.session.graph.layout.routes import beside, bezier
from jax_trace_viz.session.graph.nesting import meeting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jax_trace_viz.session.graph.layout.model import Curve, Diagram, Item, Wire

_GAP, _ROW_GAP = 26.0, 24.0
"""Room beside and below a box: wider than in a settled picture, since texts such as counts grow."""
_LEAST = 3.0
"""So much of that must stay free."""
_BELOW_HEADING = 6.0


class Online:
    """A layout engine with a memory: for the pictures of one trace, one after the other, as it grows."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, Rect]] = {}
        """For each frame, where its children are, from its corner."""

    def __call__(self, diagram: Diagram) -> Placement:
        """Lays a picture out. Items are told apart by their keys."""
        frames = [diagram.root, *diagram.root.frames()]
        needs = _needs(diagram, frames)
        sizes: dict[Item, Point] = {}
        inside: dict[Item, dict[Item, Rect]] = {}
        for frame in reversed(frames):
            own = _Frame(frame, needs, sizes, heading=frame is not diagram.root)
            inside[frame] = own.places(self._known.get(frame.key, {}))
            sizes[frame] = own.size(inside[frame])
        self._known = {frame.key: {item.key: rect for item, rect in rects.items()} for frame, rects in inside.items()}
        rects: dict[Item, Rect] = {}
        for frame in frames:
            x, y = (rects[frame].x, rects[frame].y) if frame in rects else (0.0, 0.0)
            rects |= {item: rect._replace(x=x + rect.x, y=y + rect.y) for item, rect in inside[frame].items()}
        curves = {wire: _curve(wire, rects) for wire in diagram.wires}
        return Placement(*sizes[diagram.root], rects, curves)


class _Frame:
    """One frame, with the sizes of what is in it."""

    def __init__(self, frame: Item, needs: dict[Item, list[Item]], sizes: dict[Item, Point], *, heading: bool) -> None:
        self._frame = frame
        self._needs = needs
        self._sizes = sizes
        self._top = HEADING + _BELOW_HEADING if heading else 0.0
        followers = {item.beside for item in frame.children}
        self._leaders = [item for item in frame.children if item not in followers]

    def places(self, known: dict[str, Rect]) -> dict[Item, Rect]:
        """Where the children are, from the frame's corner; `known` says where they were."""
        kept = {item: self._sized(item, known[item.key]) for item in self._leaders if item.key in known}
        placed = self._add(kept) if self._fits(kept) else self._add({})
        placed = placed if self._fits(placed) else self._add({})
        return placed | self._followers(placed)

    def size(self, placed: dict[Item, Rect]) -> Point:
        """The size of the frame around its children."""
        right = max((rect.x + rect.width for rect in placed.values()), default=0.0)
        bottom = max((rect.y + rect.height for rect in placed.values()), default=self._top)
        return Point(max(right + PADDING, self._frame.width), bottom + PADDING)

    def _sized(self, item: Item, at: Rect) -> Rect:
        width, height = self._sizes.get(item, Point(item.width, item.height))
        if item.beside is not None:
            other = self._sizes.get(item.beside, Point(item.beside.width, item.beside.height))
            width, height = width + BETWEEN + other.x, max(height, other.y)
        return Rect(at.x, at.y, width, height)

    def _add(self, kept: dict[Item, Rect]) -> dict[Item, Rect]:
        """Finds room for all that is new, in the program's order."""
        placed = dict(kept)
        for item in self._leaders:
            if item not in placed:
                placed[item] = self._find(item, placed)
        return placed

    def _find(self, item: Item, placed: dict[Item, Rect]) -> Rect:
        above = [placed[need] for need in self._needs[item] if need in placed]
        y = max((rect.y + rect.height + _ROW_GAP for rect in above), default=self._top)
        if item.frame:  # it may grow: nothing may lie below it or at its right
            y = max([y, *(rect.y + rect.height + _ROW_GAP for rect in placed.values())])
        rect = self._sized(item, Rect(PADDING, y, 0.0, 0.0))
        if above:
            middle = sum(one.x + one.width / 2 for one in above) / len(above)
            rect = rect._replace(x=max(PADDING, middle - rect.width / 2))
        near = [one for one in placed.values() if _apart(one, rect, _GAP, _ROW_GAP) < 0 or _share_rows(one, rect)]
        places = [rect.x, *(one.x + one.width + _GAP for one in near), *(one.x - _GAP - rect.width for one in near)]
        tries = (rect._replace(x=x) for x in sorted(places, key=lambda x: abs(x - rect.x)) if x >= PADDING)
        return next(one for one in tries if all(_apart(one, other, _GAP, _ROW_GAP / 2) >= 0 for other in near))

    def _fits(self, placed: dict[Item, Rect]) -> bool:
        """Whether nothing overlaps and everything lies below what it needs."""
        if any(_apart(one, other, _LEAST, _LEAST) < 0 for one, other in itertools.combinations(placed.values(), 2)):
            return False
        return all(
            placed[need].y + placed[need].height <= rect.y
            for item, rect in placed.items()
            for need in self._needs[item]
            if need in placed
        )

    def _followers(self, placed: dict[Item, Rect]) -> dict[Item, Rect]:
        """The two of each pair, which so far shared a place."""
        found: dict[Item, Rect] = {}
        for item, rect in placed.items():
            if item.beside is not None:
                one = self._sizes.get(item, Point(item.width, item.height))
                other = self._sizes.get(item.beside, Point(item.beside.width, item.beside.height))
                found[item] = Rect(rect.x, rect.y, *one)
                found[item.beside] = Rect(rect.x + one.x + BETWEEN, rect.y, *other)
        return found


def _needs(diagram: Diagram, frames: Iterable[Item]) -> dict[Item, list[Item]]:
    """For each item, those directly in the same frame that come before it and make what it uses."""
    leader = {item.beside: item for frame in frames for item in frame.children if item.beside is not None}
    order = {item: place for frame in frames for place, item in enumerate(frame.children)}
    needs: defaultdict[Item, list[Item]] = defaultdict(list)
    for wire in diagram.ordering:
        _, source, target = meeting(wire.source, wire.target)
        source, target = leader.get(source, source), leader.get(target, target)
        if order[source] < order[target]:
            needs[target].append(source)
    return needs


def _share_rows(one: Rect, other: Rect) -> bool:
    return one.y < other.y + other.height + _ROW_GAP and other.y < one.y + one.height + _ROW_GAP


def _apart(one: Rect, other: Rect, across: float, down: float) -> float:
    """How much further apart two boxes are than they must be; negative if they are too close."""
    x = max(one.x - other.x - other.width, other.x - one.x - one.width) - across
    y = max(one.y - other.y - other.height, other.y - one.y - one.height) - down
    return max(x, y) + 1e-6


def _curve(wire: Wire, rects: dict[Item, Rect]) -> Curve:
    source, target = rects[wire.source], rects[wire.target]
    if wire.beside:
        return beside(source, target)
    middle = target.x + target.width / 2
    leave = min(max(middle, source.x + source.width * 0.25), source.x + source.width * 0.75)
    arrive = min(max(leave, target.x + target.width * 0.2), target.x + target.width * 0.8)
    return bezier([Point(leave, source.y + source.height), Point(arrive, target.y)])
