"""From layouts relative to each frame to places in the picture, and the curves of the wires."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.cancelling import check
from jax_trace_viz.session.graph.layout.inside import PADDING
from jax_trace_viz.session.graph.layout.model import Placement, Point, Rect

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.layout.cells import Piece, Port
    from jax_trace_viz.session.graph.layout.inside import Inside, Stand
    from jax_trace_viz.session.graph.layout.model import Curve, Diagram, Item, Wire
    from jax_trace_viz.session.graph.layout.shape import Parts

_STRAIGHT = 0.05
_DETOUR = 6.0
_TUCKED = 18.0
_LONGEST_BESIDE = 200.0


class Laid(NamedTuple):
    """A frame with its layout."""

    parts: Parts
    inside: Inside

    def child(self, item: Item) -> Stand:
        """Where an item directly in the frame stands."""
        return self.inside.children[self.parts.places[item]]

    def port(self, port: Port) -> float:
        """How far one of the frame's own ports is from its middle."""
        return self.inside.port(self.parts.ports[port])

    def port_from_left(self, port: Port) -> float:
        """How far it is from the frame's left edge."""
        return self.inside.ports[self.parts.ports[port]] - self.inside.left

    def lanes(self, piece: Piece) -> tuple[Stand, ...]:
        """Where a piece of a wire passes rows."""
        return self.inside.lanes[self.parts.pieces[piece]]


class Router:
    """Turns the frames' layouts into a placement."""

    def __init__(self, diagram: Diagram, insides: dict[Item, Laid]) -> None:
        self._diagram = diagram
        self._insides = insides
        self._corners: dict[Item, Point] = {diagram.root: Point(0.0, 0.0)}
        self.rects: dict[Item, Rect] = {}
        """Where the items lie."""
        self._tucked: set[Item] = set()
        for frame in [diagram.root, *diagram.root.frames()]:
            self._place(frame)

    def route(self, pieces: dict[Wire, list[Piece]]) -> Placement:
        """Places of all items, and the curves of all wires."""
        for laid in self._insides.values():
            if any(item.beside is not None for item in laid.parts.frame.children):
                for item in laid.parts.frame.children:
                    self._tuck(item, laid)
        curves: dict[Wire, Curve] = {}
        for wire in self._diagram.wires:
            check()
            curves[wire] = (
                beside(self.rects[wire.source], self.rects[wire.target])
                if wire.beside
                else bezier(self._points(wire, pieces[wire]))
            )
        whole = self._insides[self._diagram.root].inside
        height = whole.height
        if self._tucked:  # what was the lowest may have moved up
            height = max(rect.y + rect.height for rect in self.rects.values()) + PADDING
        return Placement(whole.width, height, self.rects, curves)

    def _place(self, frame: Item) -> None:
        inside, corner = self._insides[frame].inside, self._corners[frame]
        for item, stand in zip(frame.children, inside.children, strict=True):
            nested = self._insides.get(item)
            width, height = (nested.inside.width, nested.inside.height) if nested else (item.width, item.height)
            x = corner.x + stand.x + stand.shift - inside.left - width / 2
            top, room = inside.rows[stand.row]
            y = corner.y + top
            if stand.source and not item.frame:
                y += room - height  # a source stands close to its first user
            self.rects[item] = Rect(x, y, width, height)
            if nested:
                self._corners[item] = Point(x, y)

    def _tuck(self, item: Item, laid: Laid) -> None:
        """What only comes from the shorter of two frames side by side moves up to it, if no wire is in its way."""
        own = laid.parts.pieces
        into = [piece.start for piece in own if piece.stop.item is item]
        if item.frame or not into:
            return
        above = into[0].item
        if any(end.item is not above for end in into) or any(piece.start.item is item for piece in own):
            return
        if above is None or not laid.child(above).shift:
            return
        rect, over = self.rects[item], self.rects[above]
        passing = {piece.start.port for piece in own if piece.start.item is above and piece.stop.item is not item}
        nested = self._insides.get(above)
        places = [over.x + nested.port_from_left(port) for port in passing if port and nested]
        clear = all(not rect.x - _DETOUR < x < rect.x + rect.width + _DETOUR for x in places) and None not in passing
        y = over.y + over.height + _TUCKED
        if clear and over.x <= rect.x and rect.x + rect.width <= over.x + over.width and y < rect.y:
            self.rects[item] = rect._replace(y=y)
            self._tucked.add(item)

    def _points(self, wire: Wire, pieces: list[Piece]) -> list[Point]:
        """The places a wire goes through, from the bottom of its source to the top of its target."""
        between: list[Point] = []
        for piece in pieces:
            between += self._through(piece, between)
        source, target = self.rects[wire.source], self.rects[wire.target]
        leave = between[0].x if between else target.x + target.width / 2
        leave = min(max(leave, source.x + source.width * 0.25), source.x + source.width * 0.75)
        arrive = between[-1].x if between else leave
        arrive = min(max(arrive, target.x + target.width * 0.2), target.x + target.width * 0.8)
        if not between:
            leave = min(max(arrive, source.x + source.width * 0.25), source.x + source.width * 0.75)
        return [Point(leave, source.y + source.height), *between, Point(arrive, target.y)]

    def _through(self, piece: Piece, before: list[Point]) -> list[Point]:
        laid, corner = self._insides[piece.frame], self._corners[piece.frame]
        inside = laid.inside
        points: list[Point] = []
        start, stop = piece.start, piece.stop
        if start.item is None and start.port is not None and piece.frame is not self._diagram.root:
            # Straight down past the heading, which stands beside it.
            points.append(Point(corner.x + laid.port_from_left(start.port), corner.y + inside.rows[0][0]))
        if start.item is not None:  # straight down to the end of the row before it turns
            rect, stand = self.rects[start.item], laid.child(start.item)
            top, room = inside.rows[stand.row]
            bottom = corner.y + top + room
            near = stop.item is not None and (laid.child(stop.item)[:2] == stand[:2] or stop.item in self._tucked)
            if bottom > rect.y + rect.height + _DETOUR and not near:
                points.append(Point(before[-1].x if before else rect.x + rect.width / 2, bottom))
        for lane in laid.lanes(piece):
            top, room = inside.rows[lane.row]
            x = corner.x + lane.x - inside.left
            points += (
                [Point(x, corner.y + top), Point(x, corner.y + top + room)] if room > 2 else [Point(x, corner.y + top)]
            )
        if stop.item is None:
            assert stop.port is not None
            points.append(Point(corner.x + laid.port_from_left(stop.port), corner.y + inside.height))
        elif stop.port is not None:
            rect = self.rects[stop.item]
            points.append(Point(rect.x + self._insides[stop.item].port_from_left(stop.port), rect.y))
        return points


def beside(source: Rect, target: Rect) -> Curve:
    """The line from a frame to the one on its right; Graphviz may have put it on the left."""
    y = max(source.y, target.y) + min(source.height, target.height, _LONGEST_BESIDE) / 2
    if target.x >= source.x:
        return straight(Point(source.x + source.width, y), Point(target.x, y))
    return straight(Point(source.x, y), Point(target.x + target.width, y))


def bezier(points: list[Point]) -> Curve:
    """A smooth curve through places that lie below each other: vertical at each of them."""
    curve: list[float] = [*points[0]]
    for start, stop in itertools.pairwise(points):
        if abs(start.x - stop.x) < _STRAIGHT:
            curve += straight(start, stop)[2:]
        else:
            middle = (start.y + stop.y) / 2
            curve += start.x, middle, stop.x, middle, *stop
    return tuple(curve)


def straight(start: Point, stop: Point) -> Curve:
    """A straight line as a curve."""
    dx, dy = (stop.x - start.x) / 3, (stop.y - start.y) / 3
    return *start, start.x + dx, start.y + dy, stop.x - dx, stop.y - dy, *stop
