"""The programs of executables: small ones are read at once, others when somebody asks.

An executable is held weakly, so that it is freed when the program lets go of it; that of a function inside another one
is gone when that returns. Printing a small program takes less than a hundredth of the time that compiling it took.
Nothing is ever compiled anew.
"""

from __future__ import annotations

import itertools
import threading
import zlib
from collections import deque
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.faults import when_gone

if TYPE_CHECKING:
    import weakref

_SMALL, _LARGEST = 500, 200_000
"""Computations of a program that is read at once, and of one that is read at all."""
_ROOM = 16_000_000
"""Bytes for the compressed texts of all programs; the oldest go first."""


class Programs:
    """Executables of this process, by number.

    Used from any thread, none of which waits: a handler of a signal may compile on a thread that is in here.
    """

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._making_room = threading.Lock()
        self._size = 0
        self._stored: deque[tuple[int, int]] = deque()
        """Numbers and sizes of texts that `_size` does not count yet,"""
        self._counted: deque[tuple[int, int]] = deque()
        """and of those that it does, the oldest first."""
        self._executables: dict[int, weakref.ref[Any]] = {}
        self._texts: dict[int, bytes] = {}

    def keep(self, executable: Any) -> int | None:
        """Gives an executable a number under which its program can be asked for."""
        if executable is None:
            return None
        number = next(self._numbers)
        text = _text(executable, _SMALL)
        if text is not None:
            self._store(number, zlib.compress(text.encode(), 1))
            return number
        try:
            self._executables[number] = when_gone(executable, lambda: self._executables.pop(number, None))
        except TypeError:  # of a kind that cannot be held weakly
            return None
        return number

    def text(self, number: int) -> str | None:
        """The optimised program as XLA prints it; None if the executable is gone or keeps it to itself."""
        held, stored = self._executables.get(number), self._texts.get(number)
        if stored is not None:
            return zlib.decompress(stored).decode()
        executable = held() if held is not None else None
        return _text(executable, _LARGEST) if executable is not None else None

    def _store(self, number: int, text: bytes) -> None:
        self._texts[number] = text
        self._stored.append((number, len(text)))
        if not self._making_room.acquire(blocking=False):
            return  # who makes room already, or the next one that stores, counts it
        try:
            while self._stored:
                self._counted.append(self._stored.popleft())
                self._size += self._counted[-1][1]
            while self._size > _ROOM:
                oldest, size = self._counted.popleft()
                self._texts.pop(oldest, None)
                self._size -= size
        finally:
            self._making_room.release()


def _text(executable: Any, most: int) -> str | None:
    try:
        modules = executable.xla_executable.hlo_modules()
        return str(modules[0].to_string()) if modules and len(modules[0].computations()) <= most else None
    except (AttributeError, NotImplementedError, RuntimeError):  # not on this platform, or not in this version
        return None
