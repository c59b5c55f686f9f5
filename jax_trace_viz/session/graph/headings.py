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
    whole: float
    """All of it."""


def heading_shifts(headings: Mapping[Item, Heading], placement: Placement) -> dict[Item, int]:
    """How far headings move to the right, in pixels; those that stay are left out.

    Where there is no room between the lines, as much of the heading as can be is kept clear of them.
    """
    crossed: defaultdict[Item, list[Span]] = defaultdict(list)
    for wire, curve in placement.curves.items():
        for frame in _entered(wire):
            if span := _span(curve, placement.rects[frame].y):
                crossed[frame].append(span)
    shifts = {frame: _shift(headings[frame], placement.rects[frame], spans) for frame, spans in crossed.items()}
    return {frame: shift for frame, shift in shifts.items() if shift}


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


def _shift(heading: Heading, frame: Rect, spans: list[Span]) -> int:
    """The place with the fewest lines through it, the leftmost of these."""
    left = frame.x + _LEFT

    def cost(x: float) -> tuple[int, int, float]:
        return _crossings(spans, x, x + heading.head), _crossings(spans, x, x + heading.whole), x

    room = frame.x + frame.width - _LEFT - heading.whole
    places = [left, *(stop for _, stop in spans if left < stop <= room)]
    return round(min(places, key=cost) - left)


def _crossings(spans: list[Span], left: float, right: float) -> int:
    return sum(start < right and stop > left for start, stop in spans)
