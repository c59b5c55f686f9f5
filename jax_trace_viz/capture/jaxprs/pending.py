"""Finished jaxprs waiting to be written.

Tracing only queues them; they are formatted when the program waits for XLA.
"""

from __future__ import annotations

import collections
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from jax_trace_viz.capture.jaxprs import constants

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from jax_trace_viz.capture.jaxprs.staged import Staged
    from jax_trace_viz.capture.jaxprs.writer import Part
    from jax_trace_viz.capture.sinks import Sink

_LONGEST_WAIT = 5.0
"""Seconds that a failed trace waits for who writes."""


class Pending:
    """A queue that any thread may fill and one at a time empties."""

    def __init__(self, sinks: Callable[[], tuple[Sink, ...]]) -> None:
        self._sinks = sinks
        self._queue: collections.deque[Staged] = collections.deque()
        self._lock = threading.RLock()
        self._is_writing = False

    def add(self, staged: Staged) -> None:
        """Queues a finished jaxpr."""
        self._queue.append(staged)

    def write(self) -> None:
        """Writes all that is queued."""
        with self._lock, self._alone() as alone:
            while alone and self._queue:
                staged = self._queue.popleft()
                found = staged.found + constants.inside(staged.jaxpr)
                for sink in self._sinks():
                    if sink.hears(staged.run):
                        sink.write(staged, found)

    def write_part(self, run: int, part: Part, found: list[constants.Found]) -> None:
        """Writes what a trace that failed or goes on has staged so far, if it can be done now.

        The thread that writes may have been interrupted by a handler whose trace fails, or may run a `__del__` of the
        program's that waits for this one: then the trace goes without its picture.
        """
        if not self._lock.acquire(timeout=_LONGEST_WAIT):
            return
        try:
            with self._alone() as alone:
                for sink in self._sinks() if alone else ():
                    if sink.hears(run):
                        sink.write_part(run, part, found)
        finally:
            self._lock.release()

    @contextmanager
    def _alone(self) -> Generator[bool]:
        """Whether this thread, which has the lock, is not in the middle of writing already."""
        if self._is_writing:
            yield False
            return
        try:
            self._is_writing = True
            yield True
        finally:
            self._is_writing = False
