"""Body runs: what begins when JAX runs a user function's Python body, and what is left when it ends.

The two watchers (`watch_monitoring`, `watch_profile`) find the frames; here they become events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.bodies import marks
from jax_trace_viz.capture.bodies.entry import input_names
from jax_trace_viz.capture.bodies.library_bodies import LibraryBodies
from jax_trace_viz.capture.bodies.run_events import RunEvents
from jax_trace_viz.capture.bodies.run_keys import RunKeys
from jax_trace_viz.capture.code import stack
from jax_trace_viz.capture.code.functions import is_user_function, unwrapped
from jax_trace_viz.capture.code.outer import is_wrapper, way_to, wrapped_by_library
from jax_trace_viz.capture.jaxprs import captures
from jax_trace_viz.capture.outside import readings
from jax_trace_viz.capture.state import Dispatch, Run, Stage, ThreadState
from jax_trace_viz.contract.document import TraceError
from jax_trace_viz.contract.events import RunEnded
from jax_trace_viz.outcome import innermost, innermost_user, message_of

if TYPE_CHECKING:
    from types import FrameType, TracebackType

    from jax_trace_viz.capture.context import Context

_MAX_MESSAGE = 1_000
_MOST_CALLS = 500
"""Calls of one helper inside an outermost run that are told one by one: Python may compute a table with it."""


class Runs:
    """Begins and ends runs on the thread that calls."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._events = RunEvents(context)
        self._guard = context.faults.guard("descriptions")
        self._keys = RunKeys(context)
        self.library = LibraryBodies(context, self._events)

    def begin(self, state: ThreadState, frame: FrameType) -> Run | None:
        """Called at the begin of a user function's body while JAX traces; None if the body is none of JAX's doing."""
        context = self._context
        began = context.clock()
        try:
            return self._begin(state, frame)
        finally:
            context.hook_seconds += context.clock() - began

    def begin_further(self, state: ThreadState, frame: FrameType) -> Run | None:
        """Begins a call of a helper that is not told any more, if it is one: there may be millions."""
        caller = frame.f_back
        parent = state.runs.get(id(caller)) or (state.current_run() if caller and stack.is_user(caller) else None)
        further = parent.helpers.further.get(id(frame.f_code)) if parent is not None else None
        return _begin_further(state, frame, further) if further is not None else None

    def _begin(self, state: ThreadState, frame: FrameType) -> Run | None:
        caller = frame.f_back
        if caller is not None and (stack.is_user(caller) or stack.handles_trees(caller)):
            return self._begin_helper(state, frame, caller)
        cause = stack.cause(caller)
        newest = self._context.calls.newest(state)
        dispatch = _owner(newest, cause, frame)
        if dispatch is None:
            self.library.begin_around(state)
        if dispatch is None and cause.kind is None and (not cause.machinery or _is_in_library(state)):
            return self._begin_helper(state, frame, caller)
        return self._begin_caused(state, frame, cause, dispatch)

    def _begin_helper(self, state: ThreadState, frame: FrameType, caller: FrameType | None) -> Run | None:
        """Plain Python called the function: inside a body, it is told with it."""
        parent = state.current_run()
        if parent is None:
            return None
        context, code, helpers = self._context, frame.f_code, parent.helpers
        further = helpers.further.get(id(code))
        if further is not None:
            return _begin_further(state, frame, further)
        run = self._events.new(code, context.functions.of_code(code), "call", parent)
        calls = helpers.calls[id(code)] = helpers.calls.get(id(code), 0) + 1
        if calls == _MOST_CALLS:
            helpers.last[id(code)] = run
            further = Run(run.number, code, run.function, run.started, "call", helpers, lines=run.lines, ended=True)
            helpers.further[id(code)] = further
        state.runs[id(frame)] = run
        context.emit(self._events.began(run, None, parent, "call", stack.place(caller)))
        self._look_at_entry(run, frame, marks.parameters(frame))
        return run

    def _begin_caused(self, state: ThreadState, frame: FrameType, cause: stack.Cause, dispatch: Dispatch | None) -> Run:
        """JAX runs the body."""
        context, code = self._context, frame.f_code
        alias = dispatch.alias if dispatch else None
        stage = _free_stage(state) if dispatch is not None or cause.kind not in stack.UNSTAGED else None
        parent = state.current_run()
        run = self._events.new(code, context.functions.of_code(code, alias), _kind(cause, dispatch, stage), parent)
        if stage is not None:
            stage.run = run
        state.runs[id(frame)] = run
        parameters = marks.parameters(frame)
        began = self._events.began(run, alias, parent, cause.entry, cause.place)
        key = self._events.tell_caused(began, run, dispatch, lambda: self._keys.of(frame, parameters, cause, dispatch))
        if parent is None:
            with self._guard:
                run.watched = context.stale.watch()
        if stage is not None:
            with self._guard:
                run.inputs = input_names(stage, dispatch, parameters, key)
        self._look_at_entry(run, frame, parameters)
        return run

    def _look_at_entry(self, run: Run, frame: FrameType, parameters: dict[str, Any]) -> None:
        """What stands, when a body begins, outside of it and in its parameters."""
        if run.kind != "call" or id(run.code) not in run.helpers.looked_at:
            with self._guard:
                run.outside = readings.at_begin(run.code, frame)
        with self._guard:
            run.marks = marks.of_parameters(run.code, parameters)
            run.at_entry = {name: id(value) for name, value in parameters.items()}

    def end(self, state: ThreadState, frame: FrameType, run: Run, error: TraceError | None) -> None:
        """Called when the body has returned or raised; `frame` still holds its locals."""
        context = self._context
        began = context.clock()
        try:
            self._end(state, frame, run, error)
        finally:
            context.hook_seconds += context.clock() - began

    def _end(self, state: ThreadState, frame: FrameType, run: Run, error: TraceError | None) -> None:
        state.runs.pop(id(frame), None)
        if run.ended:
            return
        run.ended = True
        found, lines = list(run.marks), run.lines if run.all_lines else None
        with self._guard:
            found += marks.of_locals(run, frame)
        if run.kind != "call":
            with self._guard:
                run.captured |= captures.captured(frame)
        outer = state.current_run()
        if outer is not None:  # what an inner body reads may end up among the outer jaxpr's constants
            outer.captured |= run.captured
        if run.watched:
            with self._guard:
                self._context.stale.settle(run.watched)
                run.watched = []
        if error is None:
            with self._guard:
                self._keep_reads(state, frame, run)
        ended = RunEnded(
            run=run.number,
            seconds=self._context.clock() - run.started,
            error=error,
            marks=found,
            lines=lines,
            outside=[] if run.kind == "call" else readings.values_read(run.reads),
        )
        if run.helpers.last.get(id(run.code)) is run:
            run.helpers.ends.append(ended)
        else:
            self._context.emit(ended)
        self._events.tell_of_helpers(run)

    def _keep_reads(self, state: ThreadState, frame: FrameType, run: Run) -> None:
        """What the body read from outside is read by the bodies around it as well."""
        if run.kind != "call" or id(run.code) not in run.helpers.looked_at:  # a helper is called again and again
            run.helpers.looked_at.add(id(run.code))
            dispatch = self._context.calls.newest(state)
            function = unwrapped(dispatch.fun) if dispatch is not None and dispatch.run is run else None
            run.reads += readings.read_by(run, frame, function)
        outer = state.current_run()
        if outer is not None and run.reads:
            outer.reads += run.reads


def _begin_further(state: ThreadState, frame: FrameType, further: Run) -> Run:
    further.helpers.left_out += 1
    state.runs[id(frame)] = further
    return further


def _owner(newest: Dispatch | None, cause: stack.Cause, frame: FrameType) -> Dispatch | None:
    """The call of a jitted function that caused this run: from the same user frame, and without a run yet."""
    if cause.kind == "pmap":
        return None  # the jit around it is `pmap`'s own
    if newest is None or newest.run is not None or newest.user_frame != id(cause.user_frame):
        return None
    if newest.own_code is None:
        # What a library's jit runs under a transformation of its own is a part of its program, not the user's program;
        # but for what the user put under both, as by `@filter_jit @filter_value_and_grad`.
        if newest.library is not None and not is_wrapper(newest.fun, frame):
            return None
        inside = cause.kinds[: cause.inside_jit]
        return None if inside and wrapped_by_library(way_to(frame), frame.f_code) is None else newest
    # Other code of the user's may run first: the rule of a custom derivative, a library's callback.
    return newest if newest.own_code == frame.f_code else None


def _is_in_library(state: ThreadState) -> bool:
    """Whether the innermost run is a library's function: what it calls is told with it."""
    run = state.current_run()
    return run is not None and run.of_library


def _free_stage(state: ThreadState) -> Stage | None:
    """The innermost staging trace, if no body has run for it yet."""
    stage = state.stages[-1] if state.stages else None
    return stage if stage is not None and stage.run is None else None


def _kind(cause: stack.Cause, dispatch: Dispatch | None, stage: Stage | None) -> str:
    if dispatch is not None:
        return "jit"
    return cause.kind or (stage.traced_for if stage else "unknown")


def trace_error(context: Context, error: BaseException, traceback: TracebackType | None) -> TraceError:
    """An exception as plain data, with the user's expression that its traceback came through last.

    The function around that expression is told too, though it may be a helper that nobody traced.
    """
    user = innermost_user(traceback)
    if user is not None and is_user_function(code := user.tb_frame.f_code):
        context.mention(context.functions.of_code(code))
    kind, message, span = type(error).__name__, message_of(error)[:_MAX_MESSAGE], innermost(traceback)
    if span is None:
        return TraceError(type=kind, message=message)
    return TraceError(type=kind, message=message, **span._asdict())
