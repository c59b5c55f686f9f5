"""Laying out what lies directly in one frame."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.graph.layout.cells import Cell, connect
from jax_trace_viz.session.graph.layout.ordering import order_rows
from jax_trace_viz.session.graph.layout.shape import BORDER
from jax_trace_viz.session.graph.layout.straighten import straighten

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jax_trace_viz.session.graph.layout.shape import Shape, Spot

PADDING, HEADING = 9.0, 17.0
_BELOW_HEADING = 6.0
"""Further room where no wire comes in from above."""
BETWEEN = 104.0
"""Room between a frame and the one beside it, for what is said about the line between them."""
_APART = 7.0
"""Room between a heading and a line that comes in beside it."""
_CORNER = 8.0
_ROW_GAP, _LANE_ROW_GAP, _WIDEST_GAP = 12.0, 8.0, 40.0
_SLOPE = 0.05
_KEPT = 512
"""Frames whose layouts are kept: those of some pictures. Most frames are the same in the next one, and in copies."""
_LARGEST_KEPT = 200


class Stand(NamedTuple):
    """Where a child or lane stands."""

    x: float
    """Of its cell's centre."""
    row: int
    shift: float = 0.0
    """How far it is from there: two frames side by side share a cell."""
    source: bool = False
    """Whether wires only start here."""


@dataclass(frozen=True, slots=True)
class Inside:
    """A frame's layout, relative to itself. Children, ports and pieces have the numbers of the `Shape`."""

    width: float
    height: float
    left: float
    """The x of the frame's left edge, in the coordinates of what stands in it."""
    children: tuple[Stand, ...]
    ports: Mapping[int, float]
    """The x of the frame's own ports."""
    lanes: tuple[tuple[Stand, ...], ...]
    """For each piece, where it passes rows."""
    rows: tuple[tuple[float, float], ...]
    """Top and height of each row."""
    crossings: int

    def port(self, number: int) -> float:
        """How far a port is from the frame's middle."""
        return self.ports[number] - self.left - self.width / 2


def lay_out(shape: Shape) -> Inside:
    """Places everything in a frame."""
    return _remembered(shape) if len(shape.sizes) <= _LARGEST_KEPT else _FrameLayout(shape).lay_out()


@functools.lru_cache(maxsize=_KEPT)
def _remembered(shape: Shape) -> Inside:
    return _FrameLayout(shape).lay_out()


class _FrameLayout:
    """One frame in the making."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self._sequence: dict[int, int] = {}
        self._rows: list[list[Cell]] = []
        self._children: dict[int, tuple[Cell, float]] = {}
        """The cell of each child, and how far the child is from its centre."""
        self._ports: dict[int, Cell] = {}
        self._lanes: dict[tuple[Spot, Spot], list[Cell]] = {}

    def lay_out(self) -> Inside:
        self._fill()
        self._connect()
        inlets, outlets = self._shape.inlets, self._shape.outlets
        last = len(self._rows) - 1
        keep = {row for row, ports in ((0, inlets), (last, outlets)) if ports and self._shape.fixed}
        crossings = order_rows(self._rows, keep)
        straighten(self._rows)
        rows = self._stack((HEADING if inlets else HEADING + _BELOW_HEADING) if self._shape.heading else 0.0)
        return self._inside(rows, crossings)

    def _fill(self) -> None:
        """Puts a cell for every port and child into the rows."""
        shape = self._shape
        base = 1 if shape.inlets else 0
        last = max(shape.rows, default=0) + base
        self._rows = [[] for _ in range(last + 1 + (1 if shape.outlets else 0))]
        for port in shape.inlets:
            self._ports[port] = self._add(Cell(2.0, 0.0, 0, lane=True))
        covered = set(shape.beside)
        for place, (width, height) in enumerate(shape.sizes):
            if place in covered:
                continue
            row, other = shape.rows[place] + base, shape.beside[place]
            if other == BORDER:
                self._children[place] = self._add(Cell(width, height, row)), 0.0
                continue
            width_beside, height_beside = shape.sizes[other]
            whole = width + BETWEEN + width_beside
            cell = self._add(Cell(whole, max(height, height_beside), row))
            self._children[place] = cell, (width - whole) / 2
            self._children[other] = cell, (whole - width_beside) / 2
        for port in shape.outlets:
            self._ports[port] = self._add(Cell(2.0, 0.0, last + 1, lane=True))

    def _add(self, cell: Cell) -> Cell:
        self._sequence[id(cell)] = len(self._sequence)
        self._rows[cell.row].append(cell)
        return cell

    def _connect(self) -> None:
        """Connects the cells along the wires, with lanes through the rows between; wires of one source share lanes."""
        lanes: dict[tuple[Spot, int], Cell] = {}
        for start, stop in self._shape.pieces:
            upper, at_upper = self._end(start)
            lower, at_lower = self._end(stop)
            passed = self._lanes[start, stop] = list[Cell]()
            if upper.row >= lower.row:
                continue
            for row in range(upper.row + 1, lower.row):
                lane = lanes.get((start, row))
                if lane is None:
                    lane = lanes[start, row] = Cell(2.0, 0.0, row, lane=True)
                    self._rows[row].append(lane)
                    connect(upper, at_upper, lane, 0.0, 6.0 if upper.lane else 2.0)
                upper, at_upper = lane, 0.0
                passed.append(lane)
            connect(upper, at_upper, lower, at_lower, 2.0 if upper.lane or lower.lane else 1.0)
        for row in self._rows:  # the first order: lanes, then the program's
            row.sort(key=lambda cell: self._sequence.get(id(cell), -1))

    def _end(self, spot: Spot) -> tuple[Cell, float]:
        if spot.child == BORDER:
            return self._ports[spot.port], 0.0
        cell, shift = self._children[spot.child]
        return cell, shift + spot.at

    def _stack(self, top: float) -> list[tuple[float, float]]:
        """The rows' tops and heights, with more room where lines run flat or many start."""
        rows, y = list[tuple[float, float]](), top
        for place, row in enumerate(self._rows):
            height = max((cell.height for cell in row), default=0.0)
            rows.append((y, height))
            following = self._rows[place + 1] if place + 1 < len(self._rows) else []
            y += height + (_gap_below(row) if any(not cell.lane for cell in following) else _LANE_ROW_GAP)
        return rows

    def _borders(self) -> tuple[float, float]:
        """The frame's left and right edge: around all that is in it, with room for its heading between the ports."""
        left = min((cell.x - cell.width / 2 for row in self._rows for cell in row), default=0.0) - PADDING
        right = max((cell.x + cell.width / 2 for row in self._rows for cell in row), default=0.0) + PADDING
        slack = max(0.0, self._shape.width - (right - left))
        wider = left - slack / 2, right + slack / 2
        ports = sorted(self._ports[port].x for port in self._shape.inlets)
        if not ports or not self._shape.clear:
            return wider
        room = self._shape.clear + _APART
        between = (other - one - _APART for one, other in itertools.pairwise(ports))
        if max(ports[0] - wider[0] - _CORNER, wider[1] - ports[-1] - _CORNER, *between) >= room:
            return wider
        # Beside the first or the last port: what there is room for already is not added.
        first, last = min(left, ports[0] - room - _CORNER), max(right, ports[-1] + room + _CORNER)
        if left - first <= last - right:
            return first, max(right, first + self._shape.width)
        return min(left, last - self._shape.width), last

    def _inside(self, rows: list[tuple[float, float]], crossings: int) -> Inside:
        left, right = self._borders()
        children = (self._children[place] for place in range(len(self._shape.sizes)))
        return Inside(
            width=right - left,
            height=rows[-1][0] + rows[-1][1] + PADDING,
            left=left,
            children=tuple(
                Stand(cell.x, cell.row, shift, source=bool(cell.below) and not cell.above) for cell, shift in children
            ),
            ports={number: cell.x for number, cell in self._ports.items()},
            lanes=tuple(
                tuple(Stand(lane.x, lane.row) for lane in self._lanes[start, stop])
                for start, stop in self._shape.pieces
            ),
            rows=tuple(rows),
            crossings=crossings,
        )


def _gap_below(row: list[Cell]) -> float:
    links = [(cell, link) for cell in row for link in cell.below]
    slope = max((abs(link.cell.x + link.there - cell.x - link.here) for cell, link in links), default=0.0)
    return min(_WIDEST_GAP, _ROW_GAP + _SLOPE * slope + len(links))
