"""Cutting equations into runs that belong together, and finding runs that repeat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.sites import site

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.records import Key
    from jax_trace_viz.session.graph.tree import Level

_MODULUS, _BASE = (1 << 61) - 1, 998_244_353
_TRIES = 12
_WORTH = 4
"""A fold must stand for at least so many equations."""


@dataclass(slots=True)
class Run:
    """Neighbouring equations with the same step of their paths; `key` is None where the path is over."""

    key: Key | None
    start: int
    stop: int


@dataclass(slots=True)
class Stretch:
    """`copies` repetitions of the same `period` runs, from run `first` on; a plain run if there is one copy."""

    first: int
    period: int = 1
    copies: int = 1


def cut(level: Level, start: int, stop: int, depth: int) -> list[Run]:
    """Cuts at every change of the path's step at `depth`."""
    runs: list[Run] = []
    previous: Key | None = None
    for place in range(start, stop):
        path = level.path(place)
        key = path[depth] if depth < len(path) else None
        if key is not None and key == previous:
            runs[-1].stop = place + 1
        else:
            runs.append(Run(key, place, place + 1))
        previous = key
    return runs


def repeats(level: Level, runs: list[Run]) -> list[Stretch]:
    """Finds where the same structures follow each other, greedily, the longest cover first."""
    sequence = _Sequence([level.hash(run.start, run.stop) for run in runs])
    found: list[Stretch] = []
    place = 0
    while place < len(runs):
        best = sequence.best_repeat(place)
        equations = runs[place + best.period - 1].stop - runs[place].start
        if best.copies > 1 and _worth_folding(best, equations) and not _is_chance(level, runs, best):
            found.append(best)
            place += best.period * best.copies
        else:
            found.append(Stretch(place))
            place += 1
    return found


def _is_chance(level: Level, runs: list[Run], stretch: Stretch) -> bool:
    """Whether the user wrote the same twice, in other places: that is no loop, and each has its own name."""
    if stretch.copies > 2:
        return False
    once = runs[stretch.first : stretch.first + stretch.period]
    again = runs[stretch.first + stretch.period : stretch.first + 2 * stretch.period]
    return any(_written_twice(level, one.key, other.key) for one, other in zip(once, again, strict=True))


def _written_twice(level: Level, one: Key | None, other: Key | None) -> bool:
    if one is None or other is None or not isinstance(one[2], int) or not isinstance(other[2], int):
        return False
    first, second = level.program.frames[one[2]], level.program.frames[other[2]]
    return first.origin == second.origin == "user" and site(first) != site(second)


def _worth_folding(stretch: Stretch, equations: int) -> bool:
    runs = stretch.copies * stretch.period
    return runs >= _WORTH + 2 or equations >= _WORTH or (stretch.copies > 2 and stretch.copies * equations >= _WORTH)


class _Sequence:
    """Hashes of runs, with the length of equal stretches in logarithmic time."""

    def __init__(self, hashes: list[int]) -> None:
        self._length = length = len(hashes)
        self._next = [length] * length
        self._prefix, self._powers = [0], [1]
        last: dict[int, int] = {}
        for place in range(length - 1, -1, -1):
            self._next[place] = last.get(hashes[place], length)
            last[hashes[place]] = place
        for value in hashes:
            self._prefix.append((self._prefix[-1] * _BASE + value) % _MODULUS)
            self._powers.append(self._powers[-1] * _BASE % _MODULUS)

    def best_repeat(self, place: int) -> Stretch:
        """The repetition from `place` on that covers most."""
        best = Stretch(place)
        other, tries = self._next[place], 0
        while other < self._length and tries < _TRIES:
            period = other - place
            if period > (self._length - place) // 2:
                break
            copies = self._equal(place, other) // period + 1
            if copies > 1 and copies * period > best.copies * best.period:
                best = Stretch(place, period, copies)
            other, tries = self._next[other], tries + 1
        return best

    def _equal(self, one: int, other: int) -> int:
        """How far the sequences from two places on agree."""
        low, high = 0, self._length - other
        while low < high:
            middle = (low + high + 1) // 2
            if self._hash(one, middle) == self._hash(other, middle):
                low = middle
            else:
                high = middle - 1
        return low

    def _hash(self, start: int, length: int) -> int:
        return (self._prefix[start + length] - self._prefix[start] * self._powers[length]) % _MODULUS
