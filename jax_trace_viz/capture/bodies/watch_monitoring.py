"""Body runs through `sys.monitoring` (Python 3.12 and later): begin, return and unwinding of user functions.

Library code is switched off at its first call, place by place, so that it runs at full speed afterwards.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from jax._src import core

from jax_trace_viz.capture.bodies.runs import Runs, trace_error
from jax_trace_viz.capture.code.functions import USER_FUNCTIONS
from jax_trace_viz.capture.code.places import places_of
from jax_trace_viz.capture.patching import MissingSeamError

if TYPE_CHECKING:
    from types import CodeType, FrameType, TracebackType

    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.capture.state import Stage, ThreadState

_MONITORING: Any = getattr(sys, "monitoring", None)
_TOOL_NAME = "jax_trace_viz"
_TOOL_IDS = (4, 3)
"""Free for anybody; 0, 1, 2 and 5 are reserved for debuggers, coverage, profilers and optimizers."""


class MonitoringWatcher:
    """See the module's docstring."""

    name = "bodies"

    def __init__(self, context: Context, runs: Runs) -> None:
        if _MONITORING is None:
            raise MissingSeamError("sys.monitoring needs Python 3.12")
        self._context = context
        self._state = context.state
        self._runs = runs
        self._guard = context.faults.guard(self.name)
        self._tool = -1
        self._is_user = USER_FUNCTIONS
        self._others = USER_FUNCTIONS.others
        self._returning: dict[int, CodeType] = {}
        self._loops: dict[int, dict[int, int]] = {}
        self._lines: dict[int, dict[int, int]] = {}
        """Identity of each frame that runs a body, of any thread → its run's lines. Loops come here in each round."""

    def install(self) -> None:
        """Puts the hooks in."""
        monitoring = _MONITORING
        free = [tool for tool in _TOOL_IDS if monitoring.get_tool(tool) is None]
        if not free:
            raise MissingSeamError("other tools hold all free sys.monitoring ids")
        monitoring.use_tool_id(free[0], _TOOL_NAME)
        self._tool = free[0]
        events = monitoring.events
        monitoring.register_callback(self._tool, events.PY_START, self._started)
        monitoring.register_callback(self._tool, events.PY_RETURN, self._returned)
        monitoring.register_callback(self._tool, events.LINE, self._line)
        monitoring.register_callback(self._tool, events.JUMP, self._jumped)
        monitoring.register_callback(self._tool, events.PY_UNWIND, self._unwound)
        monitoring.set_events(self._tool, events.PY_START | events.PY_UNWIND)

    def remove(self) -> None:
        """Takes the hooks out."""
        if self._tool < 0:
            return
        monitoring = _MONITORING
        monitoring.set_events(self._tool, 0)
        for code in self._returning.values():
            monitoring.set_local_events(self._tool, code, 0)
        events = monitoring.events
        for event in (events.PY_START, events.PY_RETURN, events.PY_UNWIND, events.LINE, events.JUMP):
            monitoring.register_callback(self._tool, event, None)
        monitoring.free_tool_id(self._tool)
        self._lines.clear()
        monitoring.restart_events()  # else the next tool with this id would miss the places switched off here
        self._tool = -1

    def staging_begins(self, state: ThreadState, stage: Stage) -> None:
        """Nothing to do: the interpreter tells."""

    def staging_ends(
        self, state: ThreadState, stage: Stage, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Nothing to do: the interpreter tells."""

    def _started(self, code: CodeType, _offset: int) -> Any:
        if id(code) in self._others:  # each recording meets the code of JAX's once
            return _MONITORING.DISABLE
        # Deep in a recursion our few frames may be too many: the program then goes on to its own limit.
        with self._guard:
            if id(code) not in self._returning and not self._is_user(code):
                return _MONITORING.DISABLE
            state = self._state
            if not core.trace_state_clean() and not state.busy and not self._guard.off:
                frame = sys._getframe(1)
                further = self._runs.begin_further(state, frame)
                if further is None:
                    self._begin(state, frame)
                else:
                    self._lines[id(frame)] = further.lines
        return None

    def _begin(self, state: ThreadState, frame: FrameType) -> None:
        state.busy = True
        try:
            with self._guard:
                run = self._runs.begin(state, frame)
                code = frame.f_code
                if run is not None and id(code) not in self._returning:
                    self._returning[id(code)] = code
                    self._loops[id(code)] = loops = places_of(code).one_line_loops
                    events = _MONITORING.events
                    wanted = events.PY_RETURN | events.LINE | (events.JUMP if loops else 0)
                    _MONITORING.set_local_events(self._tool, code, wanted)
                if run is not None:
                    run.all_lines = True
                    self._lines[id(frame)] = run.lines
        finally:
            state.busy = False

    def _line(self, _code: CodeType, line: int) -> Any:
        lines = self._lines.get(id(sys._getframe(1)))
        if lines is not None:
            lines[line] = lines.pop(line, 0) + 1

    def _jumped(self, code: CodeType, offset: int, _to: int) -> Any:
        """A round of a loop that stands on one line has ended."""
        line = self._loops.get(id(code), {}).get(offset)
        runs = self._state.runs
        run = runs.get(id(sys._getframe(1))) if line is not None and runs else None
        if run is not None and line is not None:
            run.rounds[line] = run.rounds.get(line, 0) + 1
            run.lines[line] = max(run.lines.get(line, 0), run.rounds[line])

    def _returned(self, _code: CodeType, _offset: int, _value: object) -> Any:
        runs = self._state.runs
        run = runs.get(id(sys._getframe(1))) if runs else None
        if run is None:
            return
        if run.ended:  # a call that is not told: there is nothing to look at
            frame = id(sys._getframe(1))
            runs.pop(frame)
            self._lines.pop(frame, None)
            return
        with self._guard:
            self._ended(None)

    def _unwound(self, code: CodeType, _offset: int, error: BaseException) -> Any:
        # This event cannot be had for single functions, and JAX raises and catches thousands of exceptions.
        if id(code) in self._returning:
            with self._guard:
                self._ended(error)

    def _ended(self, error: BaseException | None) -> None:
        state = self._state
        if state.busy or not state.runs:
            return
        frame = sys._getframe(2)
        self._lines.pop(id(frame), None)
        run = state.runs.get(id(frame))
        if run is None:
            return
        state.busy = True
        try:
            with self._guard:
                self._runs.end(
                    state, frame, run, trace_error(self._context, error, error.__traceback__) if error else None
                )
        finally:
            state.busy = False
