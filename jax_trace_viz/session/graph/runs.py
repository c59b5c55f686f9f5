"""Cutting equations into runs that belong together, and finding runs that repeat."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.sites import site

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Frame
    from jax_trace_viz.session.graph.records import Key
    from jax_trace_viz.session.graph.tree import Level

_MODULUS, _BASE = (1 << 61) - 1, 998_244_353
_TRIES = 12
_WORTH = 4
"""A fold must stand for at least so many equations."""
_BY_HAND = 8
"""So many times at most somebody writes the same, where the source has it in several places."""


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
        best, spare = sequence.best_repeat(place)
        if spare:
            best = _from_the_top(level, runs, best, spare)
        if best.copies > 1 and _worth_folding(level, runs, best) and not _is_chance(level, runs, best):
            found += [Stretch(before) for before in range(place, best.first)]
            found.append(best)
            place = best.first + best.period * best.copies
        else:
            found.append(Stretch(place))
            place += 1
    return found


def _from_the_top(level: Level, runs: list[Run], stretch: Stretch, spare: int) -> Stretch:
    """Where a copy may begin at several runs, it begins at the function's first line; in a backward pass at its last.

    Args:
        level: The equations' level.
        runs: All runs.
        stretch: The repetition as far to the front as possible.
        spare: How many runs further back it may begin as well.
    """
    frames = [_user_frame(level, runs[stretch.first + shift]) for shift in range(min(spare + 1, stretch.period))]
    places = {(frame.file, frame.function) for frame in frames if frame is not None}
    if None in frames or len(places) != 1:
        return stretch
    run = runs[stretch.first]
    sign = -1 if level.phase(run.start, run.stop) == "backward" else 1
    lines = [sign * frame.line for frame in frames if frame is not None]
    return Stretch(stretch.first + lines.index(min(lines)), stretch.period, stretch.copies)


def _user_frame(level: Level, run: Run) -> Frame | None:
    """The user's line behind a run: that of its step, or of its first equation."""
    if run.key is not None and isinstance(run.key[2], int):
        return level.program.user_frame(run.key[2])
    return level.program.user_frame(level.equations[run.start].frame)


def _is_chance(level: Level, runs: list[Run], stretch: Stretch) -> bool:
    """Whether the user wrote the same several times, in other places: that is no loop, and each has its own name."""
    if stretch.copies > _BY_HAND:
        return False
    copies = [runs[stretch.first + copy * stretch.period :][: stretch.period] for copy in range(stretch.copies)]
    return all(
        any(_written_twice(level, one, other) for one, other in zip(before, after, strict=True))
        for before, after in itertools.pairwise(copies)
    )


def _written_twice(level: Level, one: Run, other: Run) -> bool:
    first, second = (_own_frame(level, run) for run in (one, other))
    if first is None or second is None:
        return False
    return first.origin == second.origin == "user" and site(first) != site(second)


def _own_frame(level: Level, run: Run) -> Frame | None:
    """The frame of a run's step; of an equation where the path is over."""
    index = run.key[2] if run.key is not None else level.equations[run.start].frame
    return level.program.frames[index] if isinstance(index, int) else None


def _worth_folding(level: Level, runs: list[Run], stretch: Stretch) -> bool:
    """Whether a fold spares enough."""
    first, last = runs[stretch.first], runs[stretch.first + stretch.period - 1]
    equations = last.stop - first.start
    if stretch.copies * stretch.period >= _WORTH + 2 or equations >= _WORTH:
        return True
    if first.key is None and equations == 1:  # a few neighbours: of one line, and not since a derivative needs them so
        frames = {level.equations[place].frame for place in range(first.start, first.start + stretch.copies)}
        if len(frames) > 1 or level.phase(first.start, first.stop):
            return False
    return stretch.copies > 2 and stretch.copies * equations >= _WORTH


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

    def best_repeat(self, place: int) -> tuple[Stretch, int]:
        """The repetition from `place` on that covers most, and how many runs further back it may begin as well."""
        best, spare = Stretch(place), 0
        other, tries = self._next[place], 0
        while other < self._length and tries < _TRIES:
            period = other - place
            if period > (self._length - place) // 2:
                break
            copies, over = divmod(self._equal(place, other), period)
            if copies > 0 and (copies + 1) * period > best.copies * best.period:
                best, spare = Stretch(place, period, copies + 1), over
            other, tries = self._next[other], tries + 1
        return best, spare

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
