"""Laying out what lies directly in one frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.layout.cells import Cell, End, Piece, Port, connect
from jax_trace_viz.session.graph.layout.ordering import order_rows
from jax_trace_viz.session.graph.layout.straighten import straighten

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.session.graph.layout.model import Item

PADDING, HEADING = 9.0, 17.0
_BELOW_HEADING = 6.0
"""Further room where no wire comes in from above."""
BETWEEN = 104.0
"""Room between a frame and the one beside it, for what is said about the line between them."""
_ROW_GAP, _LANE_ROW_GAP, _WIDEST_GAP = 12.0, 8.0, 40.0
_SLOPE = 0.05


@dataclass(slots=True)
class Inside:
    """A frame's layout, relative to itself."""

    width: float = 0.0
    height: float = 0.0
    left: float = 0.0
    """The x of the frame's left edge, in the cells' coordinates."""
    cells: dict[Item | Port, Cell] = field(default_factory=dict["Item | Port", Cell])
    shifts: dict[Item, float] = field(default_factory=dict["Item", float])
    """For two frames side by side, which share a cell: how far each is from its centre."""
    lanes: dict[tuple[End, End], list[Cell]] = field(default_factory=dict[tuple[End, End], list[Cell]])
    rows: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    """Top and height of each row."""
    crossings: int = 0

    def port(self, port: Port) -> float:
        """How far a port is from the frame's middle."""
        return self.cells[port].x - self.left - self.width / 2


class FrameLayout:
    """One frame in the making."""

    def __init__(
        self,
        frame: Item,
        pieces: list[Piece],
        rows: dict[Item, int],
        size: Callable[[Item], tuple[float, float]],
        port_at: Callable[[Item, Port], float],
    ) -> None:
        self._frame = frame
        self._pieces = pieces
        self._item_rows = rows
        self._size = size
        self._port_at = port_at
        self._inside = Inside()
        self._sequence: dict[int, int] = {}
        self._rows: list[list[Cell]] = []

    def lay_out(self, inlets: list[Port], outlets: list[Port], *, fixed: bool, heading: bool) -> Inside:
        """Places everything.

        Args:
            inlets: Ports at the top, left to right.
            outlets: Ports at the bottom.
            fixed: Whether the ports' order is to be kept.
            heading: Whether there is room at the top for a heading.
        """
        self._fill(inlets, outlets)
        self._connect()
        last = len(self._rows) - 1
        keep = {row for row, ports in ((0, inlets), (last, outlets)) if ports and fixed}
        self._inside.crossings = order_rows(self._rows, keep)
        straighten(self._rows)
        self._stack((HEADING if inlets else HEADING + _BELOW_HEADING) if heading else 0.0)
        return self._inside

    def _fill(self, inlets: list[Port], outlets: list[Port]) -> None:
        """Puts a cell for every port and item into the rows."""
        items = self._frame.children
        base = 1 if inlets else 0
        last = max((self._item_rows[item] for item in items), default=0) + base
        self._rows = [[] for _ in range(last + 1 + (1 if outlets else 0))]
        for port in inlets:
            self._add(port, Cell(2.0, 0.0, 0, lane=True))
        covered = {item.beside for item in items if item.beside is not None}
        for item in items:
            if item in covered:
                continue
            width, height = self._size(item)
            row = self._item_rows[item] + base
            if item.beside is None:
                self._add(item, Cell(width, height, row))
                continue
            width_beside, height_beside = self._size(item.beside)
            whole = width + BETWEEN + width_beside
            self._add(item, Cell(whole, max(height, height_beside), row))
            self._inside.cells[item.beside] = self._inside.cells[item]
            self._inside.shifts[item] = (width - whole) / 2
            self._inside.shifts[item.beside] = (whole - width_beside) / 2
        for port in outlets:
            self._add(port, Cell(2.0, 0.0, last + 1, lane=True))

    def _add(self, key: Item | Port, cell: Cell) -> None:
        self._inside.cells[key] = cell
        self._sequence[id(cell)] = len(self._sequence)
        self._rows[cell.row].append(cell)

    def _connect(self) -> None:
        """Connects the cells along the wires, with lanes through the rows between; wires of one source share lanes."""
        lanes: dict[tuple[End, int], Cell] = {}
        for _, start, stop in self._pieces:
            if (start, stop) in self._inside.lanes:
                continue
            upper, at_upper = self._end(start)
            lower, at_lower = self._end(stop)
            passed = self._inside.lanes[start, stop] = list[Cell]()
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

    def _end(self, end: End) -> tuple[Cell, float]:
        if end.item is None:
            assert end.port is not None
            return self._inside.cells[end.port], 0.0
        offset = self._inside.shifts.get(end.item, 0.0)
        return self._inside.cells[end.item], offset + (self._port_at(end.item, end.port) if end.port else 0.0)

    def _stack(self, top: float) -> None:
        """Sets the rows' heights, with more room where lines run flat or many start, and the frame's size."""
        inside, y = self._inside, top
        for place, row in enumerate(self._rows):
            height = max((cell.height for cell in row), default=0.0)
            inside.rows.append((y, height))
            following = self._rows[place + 1] if place + 1 < len(self._rows) else []
            y += height + (_gap_below(row) if any(not cell.lane for cell in following) else _LANE_ROW_GAP)
        left = min((cell.x - cell.width / 2 for row in self._rows for cell in row), default=0.0) - PADDING
        right = max((cell.x + cell.width / 2 for row in self._rows for cell in row), default=0.0) + PADDING
        bottom = inside.rows[-1][0] + inside.rows[-1][1] if inside.rows else top
        inside.width, inside.height = max(right - left, self._frame.width), bottom + PADDING
        inside.left = left - (inside.width - (right - left)) / 2


def _gap_below(row: list[Cell]) -> float:
    links = [(cell, link) for cell in row for link in cell.below]
    slope = max((abs(link.cell.x + link.there - cell.x - link.here) for cell, link in links), default=0.0)
    return min(_WIDEST_GAP, _ROW_GAP + _SLOPE * slope + len(links))
