"""Seam `dispatch`: every call of a jitted function that reaches Python, with its real arguments.

`pjit._infer_params(fun, ji, args, kwargs)` is entered on a call that misses the C++ fast path, and by `.lower`,
`.trace`, `eval_shape` and `make_jaxpr`. If a body runs inside it, the tracing cache missed; if none does, it hit.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from jax._src import core, pjit

from jax_trace_viz.capture.keys.settings import context_values
from jax_trace_viz.capture.patching import Patch
from jax_trace_viz.capture.state import Dispatch
from jax_trace_viz.capture.tracebacks import leave_us_out
from jax_trace_viz.contract.events import CachesCleared, CallsCounted

if TYPE_CHECKING:
    from types import FrameType

    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.capture.seams.eager import EagerOperations
    from jax_trace_viz.capture.state import Noted, ThreadState


class Dispatching:
    """Wraps `_infer_params`."""

    name = "dispatch"

    def __init__(self, context: Context, eager: EagerOperations) -> None:
        self._context = context
        self._eager = eager
        self._guard = context.faults.guard(self.name)
        self._clearing = context.faults.guard("cache_clearing")
        self._patch = Patch(pjit, "_infer_params", self._wrap, parameters=("fun", "ji", "args", "kwargs"))

    def install(self) -> None:
        """Puts the hooks in."""
        self._patch.install()

    def remove(self) -> None:
        """Takes the hooks out."""
        self._patch.remove()

    def _wrap(self, original: Any) -> Any:
        guard, context, state = self._guard, self._context, self._context.state

        def _infer_params(fun: Any, ji: Any, args: Any, kwargs: Any) -> Any:
            if state.busy or guard.off:
                return original(fun, ji, args, kwargs)
            began = context.clock()
            call: Dispatch | Noted | None = None
            caller = sys._getframe(1)
            with guard:
                call = self._begin(state, fun, ji, args, kwargs, caller)
            context.hook_seconds += context.clock() - began
            result: Any = None
            try:
                result = original(fun, ji, args, kwargs)
            except BaseException as error:
                leave_us_out(error)
                raise
            else:
                return result
            finally:
                if type(call) is tuple and state.dispatches and state.dispatches[-1] is call:
                    state.dispatches.pop()
                    state.last = None
                elif call is not None:
                    began = context.clock()
                    with guard:
                        self._end(state, call, fun, caller, result=result)
                    context.hook_seconds += context.clock() - began
                del call, caller

        return _infer_params

    def _begin(
        self, state: ThreadState, fun: Any, info: Any, args: Any, kwargs: Any, caller: FrameType
    ) -> Dispatch | Noted:
        if not self._clearing.off:
            with self._clearing:
                self._look_for_clearing()
        calls = self._context.calls
        call: Dispatch | Noted = (fun, info, args, kwargs, caller, context_values())
        # While a function is staged, operations become part of its jaxpr, and none is compiled by itself.
        if not (state.stages and calls.callables.is_plain(fun) and not core.trace_state_clean()):
            call = calls.open(*call)
            if call.library is not None and _is_of_same_call(state, call):
                call.library = None
        state.dispatches.append(call)
        return call

    def _look_for_clearing(self) -> None:
        """`jax.clear_caches()` and `f.clear_cache()` both empty this cache, whose count of misses starts again."""
        misses = pjit._infer_params_cached.cache_info().misses
        if misses < self._context.misses:
            self._context.emit(CachesCleared(function=None, at=self._context.clock()))
        self._context.misses = misses

    def _end(self, state: ThreadState, call: Dispatch | Noted, fun: Any, caller: FrameType, *, result: Any) -> None:
        dispatch = _taken(state, call)
        if dispatch is None:
            return
        bodies = self._context.bodies
        if dispatch.run is not None:
            bodies.learn(fun, dispatch.run.code)
            self._context.calls.callables.runs_user_code(fun)
        code = bodies.code(fun) or (dispatch.library.code if dispatch.library is not None else None)
        if dispatch.is_call and code is not None:
            missed = int(dispatch.run is not None or result is None)
            function = self._context.functions.of_code(code, dispatch.alias)
            self._context.lives.call(self._context.object_numbers.of(fun))
            self._context.emit(CallsCounted(function=function, calls=1, missed=missed))
        dispatch.code = code
        if code is not None:
            state.newest_calls[id(code)] = dispatch.number
        if dispatch.run is not None and result is not None:
            self._context.stale.keep(fun, dispatch, result[0].params["jaxpr"])
        elif dispatch.is_call and result is not None:
            self._context.stale.look(fun, dispatch.args, dispatch.kwargs)
        dispatch.close()
        if dispatch.run is not None:
            state.remember(dispatch)
        state.last = dispatch
        if dispatch.operation is not None and dispatch.is_call and code is None:
            self._eager.note(dispatch.operation, caller)


def _is_of_same_call(state: ThreadState, call: Dispatch) -> bool:
    """Whether a library's function that is jitted by itself is called by a jit around it: that one is told."""
    outer = state.dispatches[-1] if state.dispatches else None
    return isinstance(outer, Dispatch) and outer.library is not None and outer.user_frame == call.user_frame


def _taken(state: ThreadState, call: Dispatch | Noted) -> Dispatch | None:
    """Takes a call, and what was left inside it, off the calls in progress."""
    while state.dispatches:
        one = state.dispatches.pop()
        if not isinstance(one, tuple) and (one is call or one.noted is call):
            return one
    return None
