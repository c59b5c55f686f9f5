"""Runs of a library's function that the program itself jitted, or calls jitted: `jax.jit(optimizer.update)`.

Watchers see the user's bodies only, for libraries' code is switched off. A staging trace in which no body of the user's
took the call is the run of such a function: it begins with the trace and ends with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.capture.bodies.run_keys import RunKeys
from jax_trace_viz.capture.keys.transformed import transformations_of
from jax_trace_viz.capture.state import Dispatch
from jax_trace_viz.contract.events import RunEnded

if TYPE_CHECKING:
    from jax_trace_viz.capture.bodies.run_events import RunEvents
    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.capture.state import Stage, ThreadState
    from jax_trace_viz.contract.document import TraceError


class LibraryBodies:
    """Begins and ends these runs."""

    def __init__(self, context: Context, events: RunEvents) -> None:
        self._context = context
        self._events = events
        self._keys = RunKeys(context)

    def call_of_stage(self, state: ThreadState) -> Dispatch | None:
        """The call of a library's function that the staging trace which begins now is made for."""
        newest = state.dispatches[-1] if state.dispatches else None
        if not isinstance(newest, Dispatch) or newest.library is None or newest.library.staged:
            return None
        newest.library.staged = True
        return newest

    def begin_around(self, state: ThreadState) -> None:
        """A body of the user's begins that is not the one that was called: it is a part of what was."""
        for stage in state.stages:
            self.begin(state, stage)

    def begin(self, state: ThreadState, stage: Stage) -> None:
        """Begins the run of a stage's call, unless a body of the user's is what was called."""
        call = stage.call
        if call is None or call.library is None or call.run is not None or stage.run is not None:
            return
        events, parent, library = self._events, state.current_run(), call.library
        run = events.new(library.code, self._context.functions.of_code(library.code), "jit", parent)
        run.started, run.of_library = stage.began, True
        call.run = stage.run = state.runs[id(stage)] = run
        began = events.began(run, None, parent, library.entry, library.place)
        events.tell_caused(began, run, call, lambda: self._keys.of_call(call, transformations_of(call.fun)))

    def end(self, state: ThreadState, stage: Stage, error: TraceError | None) -> None:
        """Ends the run of a stage's call."""
        run = state.runs.pop(id(stage), None)
        if run is None:
            return
        seconds = self._context.clock() - run.started
        self._context.emit(RunEnded(run=run.number, seconds=seconds, error=error, marks=[]))
        self._events.tell_of_helpers(run)
