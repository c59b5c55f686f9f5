"""Which items of two sequences belong together, in order: as many as possible, the most alike first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.cancelling import check

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

CELLS = 250_000
"""Pairs that are weighed, about. In longer sequences only items near the same place in the whole are paired."""

NEAR = 25
"""Items on either side of the same place in the whole that are weighed at least."""

Pair = tuple[int | None, int | None]
"""Indices of an item before and of its counterpart now; None where there is none."""


@dataclass(frozen=True)
class Item:
    """What is compared of one item."""

    kind: Hashable
    """Only items of one kind can belong together."""
    exact: Hashable
    """Equal for items that do the same."""
    value: Hashable
    """Equal for items that make the same of the same: all that went into them is the same, too."""
    place: object
    """Where the item comes from: of several counterparts, the one from the same place is meant."""


def align(before: Sequence[Item], now: Sequence[Item]) -> list[Pair]:
    """All items of both sequences in order, paired where they belong together."""
    start = 0
    while start < min(len(before), len(now)) and before[start].value == now[start].value:
        start += 1
    end = 0
    while end < min(len(before), len(now)) - start and before[-1 - end].exact == now[-1 - end].exact:
        end += 1
    old, new = before[start : len(before) - end], now[start : len(now) - end]
    middle = _best(old, new)
    return [
        *((i, i) for i in range(start)),
        *((None if i is None else i + start, None if j is None else j + start) for i, j in middle),
        *((len(before) - k, len(now) - k) for k in range(end, 0, -1)),
    ]


def _best(old: Sequence[Item], new: Sequence[Item]) -> list[Pair]:
    """The alignment of the highest score, by dynamic programming in a band around the diagonal."""
    starts = _band(len(old), len(new))
    width = max((end - start for start, end in starts), default=0)
    rows = [[0] * (width + 1) for _ in range(len(old) + 1)]

    def score(i: int, j: int) -> int:
        start, end = starts[i]
        return rows[i][j - start] if start <= j <= end else 0

    for i in range(len(old) - 1, -1, -1):
        check()
        start, end = starts[i]
        item, row = old[i], rows[i]
        for j in range(end, start - 1, -1):
            best = max(score(i + 1, j), row[j + 1 - start] if j < end else 0)
            if j < len(new) and item.kind == new[j].kind:
                best = max(best, score(i + 1, j + 1) + _score(item, new[j]))
            row[j - start] = best
    return _path(old, new, score)


def _band(before: int, now: int) -> list[tuple[int, int]]:
    """For each item, and for the end, which items now are weighed: from the first to the last."""
    near = now if before * now <= CELLS else max(NEAR, CELLS // (2 * before))
    middles = [i * now // max(1, before) for i in range(before + 1)]
    return [(max(0, middle - near), min(now, middle + near)) for middle in middles]


def _path(old: Sequence[Item], new: Sequence[Item], score: Callable[[int, int], int]) -> list[Pair]:
    pairs: list[Pair] = []
    i = j = 0
    while i < len(old) and j < len(new):
        alike = old[i].kind == new[j].kind
        if alike and score(i, j) == score(i + 1, j + 1) + _score(old[i], new[j]):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif score(i, j) == score(i + 1, j):
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    return [*pairs, *((k, None) for k in range(i, len(old))), *((None, k) for k in range(j, len(new)))]


def _score(old: Item, new: Item) -> int:
    return 2 + 2 * (old.exact == new.exact) + 2 * (old.value == new.value) + (old.place == new.place)
