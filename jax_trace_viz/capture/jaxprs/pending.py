"""Finished jaxprs waiting to be written.

Tracing only queues them; they are formatted when the program waits for XLA.
"""

from __future__ import annotations

import collections
import threading
from typing import TYPE_CHECKING

from jax_trace_viz.capture.jaxprs import constants

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.capture.jaxprs.staged import Staged
    from jax_trace_viz.capture.jaxprs.writer import Part
    from jax_trace_viz.capture.sinks import Sink


class Pending:
    """A queue that any thread may fill and one at a time empties."""

    def __init__(self, sinks: Callable[[], tuple[Sink, ...]]) -> None:
        self._sinks = sinks
        self._queue: collections.deque[Staged] = collections.deque()
        self._lock = threading.Lock()

    def add(self, staged: Staged) -> None:
        """Queues a finished jaxpr."""
        self._queue.append(staged)

    def write(self) -> None:
        """Writes all that is queued."""
        with self._lock:
            while self._queue:
                staged = self._queue.popleft()
                found = staged.found + constants.inside(staged.jaxpr)
                for sink in self._sinks():
                    if sink.hears(staged.run):
                        sink.write(staged, found)

    def write_part(self, run: int, part: Part, found: list[constants.Found]) -> None:
        """Writes what a trace that failed or goes on has staged so far."""
        with self._lock:
            for sink in self._sinks():
                if sink.hears(run):
                    sink.write_part(run, part, found)
