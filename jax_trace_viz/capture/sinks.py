"""Who listens: each recording is a sink of the one capture of this process.

A recording may begin while another goes on and may outlive it. Each hears what begins after it joined, on its own
clock, with functions and jaxprs explained to it alone.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.capture.code.functions import is_user_function
from jax_trace_viz.capture.jaxprs import constants
from jax_trace_viz.capture.jaxprs.captures import name_of
from jax_trace_viz.capture.jaxprs.writer import JaxprWriter, Part
from jax_trace_viz.contract.events import (
    AnyEvent,
    CallsCounted,
    Compiled,
    Lowered,
    RunAdvanced,
    RunBegan,
    RunEnded,
    RunFailed,
    RunStaged,
    StaleSeen,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.capture.code.functions import FunctionNumbers
    from jax_trace_viz.capture.jaxprs.staged import Staged


class Sink:
    """One listener.

    Args:
        emit: Takes each event, on the thread that flushes: hooks only note them.
        began: When its session began, on the clock of the capture.
        functions: Describes the functions that events name by number.
    """

    def __init__(self, emit: Callable[[AnyEvent], None], began: float, functions: FunctionNumbers) -> None:
        self._emit = emit
        self._began = began
        self._functions = functions
        self._lock = threading.RLock()
        self._noted: deque[AnyEvent | int] = deque()
        """Events not passed on yet, and numbers of functions to be described."""
        self._explained: set[int] = set()
        self._runs: set[int] = set()
        self._parts: dict[int, str] = {}
        self._writer = JaxprWriter()

    def hears(self, run: int) -> bool:
        """Whether this run began after the sink joined."""
        return run in self._runs

    def tell(self, event: AnyEvent) -> None:
        """Notes an event for the next `pass_on`, if it concerns something that began after the sink joined."""
        if isinstance(event, RunBegan):
            self._runs.add(event.run)
        elif isinstance(event, (RunAdvanced, RunEnded, RunFailed)) and event.run not in self._runs:
            return
        self._noted.append(event)

    def mention(self, function: int) -> None:
        """Notes that a function is to be described, unless that was done before."""
        self._noted.append(function)

    def pass_on(self) -> None:
        """Passes on what was noted, in that order: what names a function comes after what explains it."""
        noted = self._noted
        with self._lock:
            while noted:
                event = noted.popleft()
                if isinstance(event, int):
                    self._explain(event)
                    continue
                if isinstance(event, (RunBegan, Lowered, Compiled)):
                    event = replace(event, at=event.at - self._began)
                if isinstance(event, (RunBegan, CallsCounted, Lowered, Compiled, StaleSeen)):
                    self._explain(event.function)
                self._emit(event)

    def write(self, staged: Staged, found: list[constants.Found]) -> None:
        """Writes the jaxpr of a run that has ended."""
        run, jaxpr, names = staged.run, staged.jaxpr, staged.names
        count = self._writer.count(jaxpr)
        labels = [(name_of(identity, names) or ("",))[0] for identity in staged.constants]
        replaces = self._parts.pop(run, None)
        name, events = self._writer.write(jaxpr, constants=labels, names=names, inputs=staged.inputs, replaces=replaces)
        self._mention_helpers()
        self._noted += events
        self._noted.append(RunStaged(run=run, jaxpr=name, equations=count, constants=constants.named(found, names)))

    def write_part(self, run: int, part: Part, found: list[constants.Found]) -> None:
        """Writes what a run that failed or goes on has staged so far, in place of what was written of it before."""
        count = self._writer.count(part)
        name, events = self._writer.write_part(part, replaces=self._parts.get(run))
        self._parts[run] = name
        self._noted += events
        self._noted.append(RunStaged(run=run, jaxpr=name, equations=count, constants=constants.named(found, {})))

    def _mention_helpers(self) -> None:
        """Plain Python may have called functions whose own runs nobody saw (before Python 3.12)."""
        for code in self._writer.take_codes():
            function = self._functions.of_helper(code) if is_user_function(code) else None
            if function is not None:
                self.mention(function)

    def _explain(self, function: int) -> None:
        if function not in self._explained:
            self._explained.add(function)
            self._emit(self._functions.seen(function))
