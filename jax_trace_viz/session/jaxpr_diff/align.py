"""Which items of two sequences belong together, in order: as many as possible, the most alike first."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

CELLS = 250_000
"""Up to so many pairs the best alignment is searched; beyond, a good one that is found faster."""

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
    middle = _best(old, new) if len(old) * len(new) <= CELLS else _quick(old, new)
    return [
        *((i, i) for i in range(start)),
        *((None if i is None else i + start, None if j is None else j + start) for i, j in middle),
        *((len(before) - k, len(now) - k) for k in range(end, 0, -1)),
    ]


def _best(old: Sequence[Item], new: Sequence[Item]) -> list[Pair]:
    """The alignment of the highest score, by dynamic programming."""
    scores = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        row, below, item = scores[i], scores[i + 1], old[i]
        for j in range(len(new) - 1, -1, -1):
            best = below[j] if below[j] >= row[j + 1] else row[j + 1]
            if item.kind == new[j].kind:
                best = max(best, below[j + 1] + _score(item, new[j]))
            row[j] = best
    pairs: list[Pair] = []
    i = j = 0
    while i < len(old) and j < len(new):
        alike = old[i].kind == new[j].kind
        if alike and scores[i][j] == scores[i + 1][j + 1] + _score(old[i], new[j]):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif scores[i][j] == scores[i + 1][j]:
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    return [*pairs, *((k, None) for k in range(i, len(old))), *((None, k) for k in range(j, len(new)))]


def _score(old: Item, new: Item) -> int:
    return 2 + 2 * (old.exact == new.exact) + 2 * (old.value == new.value) + (old.place == new.place)


def _quick(old: Sequence[Item], new: Sequence[Item]) -> list[Pair]:
    matcher = SequenceMatcher(None, [item.kind for item in old], [item.kind for item in new], autojunk=False)
    pairs: list[Pair] = []
    i = j = 0
    for block in matcher.get_matching_blocks():
        pairs += [(k, None) for k in range(i, block.a)]
        pairs += [(None, k) for k in range(j, block.b)]
        pairs += [(block.a + k, block.b + k) for k in range(block.size)]
        i, j = block.a + block.size, block.b + block.size
    return pairs
