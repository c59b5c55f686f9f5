"""Ordering the cells of each row so that few lines cross."""

from __future__ import annotations

import bisect
from operator import attrgetter
from typing import TYPE_CHECKING

from jax_trace_viz.cancelling import check

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.layout.cells import Cell, Link

_SWEEPS = 12
_SIFT_AFTER = (3, 6, 9)
_PATIENCE = 5
_SPREAD = 0.9
"""How far within a cell's place its connections reach: told apart from each other and from its neighbours'."""


def crossings(rows: list[list[Cell]]) -> int:
    """How many pairs of connections between neighbouring rows cross."""
    total = 0
    for row in rows[:-1]:
        ends = sorted((_at_own(cell, link), _at_other(link)) for cell in row for link in cell.below)
        seen: list[float] = []
        for _, end in ends:
            total += len(seen) - bisect.bisect_right(seen, end)
            bisect.insort(seen, end)
    return total


def order_rows(rows: list[list[Cell]], fixed: set[int]) -> int:
    """Orders all rows but the fixed ones in place, by sweeps from two starts; returns the crossings left."""
    start = [row[:] for row in rows]
    best, kept = 1 << 30, start
    for mirrored in (False, True):
        for place, row in enumerate(rows):
            row[:] = start[place][::-1] if mirrored and place not in fixed else start[place]
            _number(row)
        count, order = _sweep(rows, [row for place, row in enumerate(rows) if place not in fixed])
        if count < best:
            best, kept = count, order
        if best == 0:
            break
    for row, order in zip(rows, kept, strict=True):
        row[:] = order
        _number(row)
    return best


def _sweep(rows: list[list[Cell]], free: list[list[Cell]]) -> tuple[int, list[list[Cell]]]:
    """Sorts each row by the mean place of its neighbours, downwards and upwards in turn; returns the best seen."""
    best, kept, stale = 1 << 30, [row[:] for row in rows], 0
    for sweep in range(_SWEEPS):
        count = crossings(rows)
        if count < best:
            best, kept, stale = count, [row[:] for row in rows], 0
        else:
            stale += 1
        if best == 0 or stale > _PATIENCE:
            break
        down = sweep % 2 == 0
        for row in free if down else reversed(free):
            check()
            for cell in row:
                links = cell.above if down else cell.below
                cell.x = sum(map(_at_other, links)) / len(links) if links else cell.order
            row.sort(key=attrgetter("x"))
            _number(row)
        if sweep in _SIFT_AFTER:
            for row in free:
                _sift(row)
    return best, kept


def _sift(row: list[Cell]) -> None:
    """Moves each cell of a row to where its connections cross fewest others."""
    ends = {id(cell): (_ends(cell.above), _ends(cell.below)) for cell in row}  # of other rows, which stand still
    order = [ends[id(cell)] for cell in row]
    for cell in row[:]:
        check()
        if len(row) < 2 or not (cell.above or cell.below):
            continue
        place, own = row.index(cell), ends[id(cell)]
        right, left = _best_move(own, order[place + 1 :], 1), _best_move(own, order[:place][::-1], -1)
        gain, steps = min(right, left)
        if gain < 0:
            to = place + (steps if (gain, steps) == right else -steps)
            row.insert(to, row.pop(place))
            order.insert(to, order.pop(place))
    _number(row)


_Ends = tuple[tuple[float, ...], tuple[float, ...]]
"""Where the connections of a cell end, above and below."""


def _ends(links: list[Link]) -> tuple[float, ...]:
    return tuple(map(_at_other, links))


def _best_move(own: _Ends, others: list[_Ends], sign: int) -> tuple[int, int]:
    """The gain (negative is better) and length of the best move past some of the others, which stand on that side."""
    best, gain = (0, 0), 0
    for steps, other in enumerate(others, 1):
        gain += sign * (_crossed(own[0], other[0]) + _crossed(own[1], other[1]))
        best = min(best, (gain, steps))
    return best


def _crossed(left: tuple[float, ...], right: tuple[float, ...]) -> int:
    """How many more connections of two neighbours would cross if they changed places."""
    if len(left) == len(right) == 1:
        return (left[0] < right[0]) - (left[0] > right[0])
    return sum([(one < other) - (one > other) for one in left for other in right])


def _at_other(link: Link) -> float:
    cell = link.cell
    return cell.order + link.there / (cell.width or 1) * _SPREAD


def _at_own(cell: Cell, link: Link) -> float:
    return cell.order + link.here / (cell.width or 1) * _SPREAD


def _number(row: list[Cell]) -> None:
    for place, cell in enumerate(row):
        cell.order = place
