"""Finished jaxprs waiting to be written. Tracing only queues them; they are formatted when the program waits for XLA."""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jax_trace_viz.capture import constants
from jax_trace_viz.capture.jaxprs import JaxprWriter, Part
from jax_trace_viz.contract.events import AnyEvent, JaxprSeen, RunStaged


@dataclass(slots=True)
class Staged:
    """What one run left behind. `jaxpr` is let go of as soon as it is written."""

    run: int
    jaxpr: Any
    leading_constants: int
    found: list[constants.Found]
    names: constants.Names
    part: str | None
    """The id under which a part of it is written already."""


class Pending:
    """A queue that any thread may fill and one at a time empties."""

    def __init__(self, emit: Callable[[AnyEvent], None]) -> None:
        self._emit = emit
        self._queue: collections.deque[Staged] = collections.deque()
        self._writer = JaxprWriter()
        self._lock = threading.Lock()

    def add(self, staged: Staged) -> None:
        """Queues a finished jaxpr."""
        self._queue.append(staged)

    def write(self) -> None:
        """Writes all that is queued."""
        with self._lock:
            while self._queue:
                self._write(self._queue.popleft())

    def _write(self, staged: Staged) -> None:
        count = self._writer.count(staged.jaxpr)
        name, events = self._writer.write(staged.jaxpr, constants=staged.leading_constants, replaces=staged.part)
        baked_in = constants.named(staged.found + constants.inside(staged.jaxpr), staged.names)
        self._tell(events, RunStaged(run=staged.run, jaxpr=name, equations=count, constants=baked_in))

    def write_part(self, run: int, part: Part, found: list[constants.Found], *, replaces: str | None) -> str:
        """Writes what a trace that failed or goes on has staged, and returns the id it has now."""
        with self._lock:
            count = self._writer.count(part)
            name, events = self._writer.write_part(part, replaces=replaces)
            baked_in = constants.named(found, {})
            self._tell(events, RunStaged(run=run, jaxpr=name, equations=count, constants=baked_in))
            return name

    def _tell(self, events: list[JaxprSeen], last: RunStaged) -> None:
        for event in events:
            self._emit(event)
        self._emit(last)
