"""The staging traces in progress on all threads, which a flush on another thread looks into.

Nobody holds a lock here: a handler of a signal, a `__del__` or a callback of the garbage collector may trace on the
very thread that is in here, at any moment, and would wait for itself.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import get_ident
from time import perf_counter, sleep
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

    from jax_trace_viz.capture.state import Stage

_LONGEST_WAIT = 1.0
"""Seconds. A look takes milliseconds, but may run a `__del__` of the program's that itself waits for who waits here."""
_PAUSE = 0.0005


class Live:
    """Staging traces by identity. Used from any thread; one at a time looks."""

    def __init__(self) -> None:
        self._stages: dict[int, Stage] = {}
        self._looking: int | None = None
        """The thread that looks."""

    def __bool__(self) -> bool:
        """Whether a staging trace is in progress."""
        return bool(self._stages)

    def begin(self, stage: Stage) -> None:
        """A trace begins."""
        self._stages[id(stage)] = stage

    def end(self, stage: Stage) -> None:
        """A trace ends, once no other thread looks: JAX would take the references that a look holds for a leak."""
        self._stages.pop(id(stage), None)
        latest = perf_counter() + _LONGEST_WAIT
        while self._is_looked_at() and perf_counter() < latest:
            sleep(_PAUSE)

    def _is_looked_at(self) -> bool:
        return self._looking not in (None, get_ident())

    def clear(self) -> None:
        """Nothing is in progress, and nobody looks."""
        self._stages.clear()
        self._looking = None

    @contextmanager
    def look(self) -> Generator[list[Stage]]:
        """The traces in progress. Those of other threads do not end before the block does."""
        before = self._looking  # a handler that reads the session may look while its own thread does
        try:
            self._looking = get_ident()
            yield list(self._stages.values())
        finally:
            self._looking = before
