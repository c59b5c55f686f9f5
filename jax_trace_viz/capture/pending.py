"""Finished jaxprs waiting to be written. Tracing only queues them; they are formatted when the program waits for XLA."""

from __future__ import annotations

import collections
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jax_trace_viz.capture import constants
from jax_trace_viz.capture.jaxprs import JaxprWriter
from jax_trace_viz.contract.document import EquationCount
from jax_trace_viz.contract.events import AnyEvent, RunStaged


@dataclass(slots=True)
class Staged:
    """What one run left behind. `jaxpr` is let go of as soon as it is written."""

    run: int
    jaxpr: Any
    consts: list[constants.Found]
    captured: constants.Names


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
        name, events = self._writer.write(staged.jaxpr)
        found = constants.named(staged.consts + constants.inside(staged.jaxpr), staged.captured)
        for event in events:
            self._emit(event)
        self._emit(RunStaged(run=staged.run, jaxpr=name, equations=count, constants=found))

    def write_part(
        self, run: int, inputs: list[Any], consts: list[Any], equations: list[Any], found: list[constants.Found]
    ) -> None:
        """Writes what a trace that failed had staged."""
        with self._lock:
            name, events = self._writer.write_part(inputs, consts, equations)
            for event in events:
                self._emit(event)
            count = EquationCount(distinct=len(equations), expanded=len(equations))
            self._emit(RunStaged(run=run, jaxpr=name, equations=count, constants=constants.named(found, {})))
