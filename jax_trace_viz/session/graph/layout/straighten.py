"""Where the cells of each row stand, so that lines run straight down where they can."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from jax_trace_viz.cancelling import check

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.layout.cells import Cell

GAP = 14.0
_LANE_GAP = 7.0
_MIXED_GAP = 11.0
_ROUNDS = 7
_BOTH_SIDES = 3
"""In the last rounds a cell heeds the rows above and below it."""


def straighten(rows: list[list[Cell]]) -> None:
    """Sets the x of every cell, in the given order and with gaps between them."""
    for row in rows:
        _pack(row)
    for number in range(_ROUNDS):
        down = number % 2 == 0
        for row in rows if down else reversed(rows):
            check()
            wanted, weights = list[float](), list[float]()
            for cell in row:
                if number >= _ROUNDS - _BOTH_SIDES:
                    links = cell.above + cell.below
                else:
                    links = (cell.above if down else cell.below) or cell.above + cell.below
                weight = sum(link.weight for link in links)
                mean = sum(link.weight * (link.cell.x + link.there - link.here) for link in links)
                wanted.append(mean / weight if weight else cell.x)
                weights.append(max(weight, 1) * 2 if cell.lane else max(weight, 0.05))
            _fit(row, wanted, weights)


def _gap(left: Cell, right: Cell) -> float:
    """Distance between the centres of neighbours."""
    between = _LANE_GAP if left.lane and right.lane else _MIXED_GAP if left.lane or right.lane else GAP
    return between + (left.width + right.width) / 2


def _pack(row: list[Cell]) -> None:
    x = 0.0
    for place, cell in enumerate(row):
        x += _gap(row[place - 1], cell) if place else 0.0
        cell.x = x
    for cell in row:
        cell.x -= x / 2


def _fit(row: list[Cell], wanted: list[float], weights: list[float]) -> None:
    """The places nearest to the wanted ones that keep order and gaps: pooling neighbours that would overlap."""
    offsets = [0.0]
    for left, right in itertools.pairwise(row):
        offsets.append(offsets[-1] + _gap(left, right))
    blocks: list[tuple[float, float, int]] = []  # weighted sum of places, weight, number of cells
    for want, weight, offset in zip(wanted, weights, offsets, strict=False):
        total, size, cells = weight * (want - offset), weight, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / size:
            before, weight_before, cells_before = blocks.pop()
            total, size, cells = total + before, size + weight_before, cells + cells_before
        blocks.append((total, size, cells))
    place = 0
    for total, size, cells in blocks:
        for _ in range(cells):
            row[place].x = total / size + offsets[place]
            place += 1
