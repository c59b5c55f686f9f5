"""Where the heading of an open group stands: as far left as no line comes in through it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.graph.nesting import meeting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jax_trace_viz.session.graph.layout.model import Curve, Item, Placement, Rect, Wire

_LEFT, _HEIGHT = 8.0, 16.0
_APART = 5.0
"""Room between a heading and a line, in pixels."""
_STEPS = 6

Span = tuple[float, float]


class Heading(NamedTuple):
    """How wide a heading is, in pixels."""

    head: float
    """Its name and label."""
    least: float
    """With the beginning of its detail."""
    whole: float
    """All of it."""


class Spot(NamedTuple):
    """Where a heading stands."""

    shift: int
    """How far it moves to the right, in pixels."""
    room: float
    """How wide it can be before a line or the frame's edge comes."""


def heading_spots(headings: Mapping[Item, Heading], placement: Placement) -> dict[Item, Spot]:
    """Where headings stand, for frames that lines come into.

    Where there is no room between the lines, as much of the heading as can be is kept clear of them.
    """
    crossed: defaultdict[Item, list[Span]] = defaultdict(list)
    for wire, curve in placement.curves.items():
        for frame in _entered(wire):
            if span := _span(curve, placement.rects[frame].y):
                crossed[frame].append(span)
    return {frame: _spot(headings[frame], placement.rects[frame], spans) for frame, spans in crossed.items()}


def _entered(wire: Wire) -> Iterator[Item]:
    """The frames that a wire comes into from above."""
    common, _, _ = meeting(wire.source, wire.target)
    frame = wire.target.parent
    while frame is not None and frame is not common and not wire.beside:
        yield frame
        frame = frame.parent


def _span(curve: Curve, top: float) -> Span | None:
    """From where to where a curve goes while it passes the heading of a frame with this upper edge."""
    found: list[float] = []
    for place in range(0, len(curve) - 2, 6):
        x0, y0, x1, y1, x2, y2, x3, y3 = curve[place : place + 8]
        if y0 > top + _HEIGHT or y3 < top:
            continue
        for step in range(_STEPS + 1):
            t = step / _STEPS
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            if top <= a * y0 + b * y1 + c * y2 + d * y3 <= top + _HEIGHT:
                found.append(a * x0 + b * x1 + c * x2 + d * x3)
    return (min(found) - _APART, max(found) + _APART) if found else None


def _spot(heading: Heading, frame: Rect, spans: list[Span]) -> Spot:
    """The place with the fewest lines through it; of these one with room for all of it, or else the leftmost."""
    left, right = frame.x + _LEFT, frame.x + frame.width - _LEFT

    def cost(x: float) -> tuple[int, int, bool, float]:
        through = _crossings(spans, x, x + heading.head), _crossings(spans, x, x + heading.least)
        return *through, _room(spans, x, right) < heading.whole, x

    places = [left, *(stop for _, stop in spans if left < stop <= right - heading.least)]
    best = min(places, key=cost)
    return Spot(round(best - left), _room(spans, best, right))


def _room(spans: list[Span], left: float, right: float) -> float:
    """From a place to the next line, or to the edge where a line runs through the place itself."""
    starts = [start for start, stop in spans if stop > left]
    return min([right, *(start for start in starts if start >= left)]) - left


def _crossings(spans: list[Span], left: float, right: float) -> int:
    return sum(start < right and stop > left for start, stop in spans)
