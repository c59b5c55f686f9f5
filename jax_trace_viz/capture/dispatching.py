"""Seam `dispatch`: every call of a jitted function that reaches Python, with its real arguments.

`pjit._infer_params(fun, ji, args, kwargs)` is entered on a call that misses the C++ fast path, and by `.lower`,
`.trace`, `eval_shape` and `make_jaxpr`. If a body runs inside it, the tracing cache missed; if none does, it hit.
"""

from __future__ import annotations

import functools
import itertools
import sys
from typing import TYPE_CHECKING, Any

from jax._src import pjit

from jax_trace_viz.capture import stack
from jax_trace_viz.capture.bodies import own_code
from jax_trace_viz.capture.eager import EagerOperations, operation
from jax_trace_viz.capture.functions import alias_of
from jax_trace_viz.capture.keys import context_values
from jax_trace_viz.capture.patching import Patch
from jax_trace_viz.capture.state import UNNAMED, Dispatch, ThreadState
from jax_trace_viz.contract.events import CachesCleared, CallsCounted

if TYPE_CHECKING:
    from types import FrameType

    from jax_trace_viz.capture.context import Context


class Dispatching:
    """Wraps `_infer_params`."""

    name = "dispatch"

    def __init__(self, context: Context, eager: EagerOperations) -> None:
        self._context = context
        self._eager = eager
        self._guard = context.faults.guard(self.name)
        self._numbers = itertools.count(1)
        self._patch = Patch(pjit, "_infer_params", self._wrap, parameters=("fun", "ji", "args", "kwargs"))

    def install(self) -> None:
        """Puts the hooks in."""
        self._patch.install()

    def remove(self) -> None:
        """Takes the hooks out."""
        self._patch.remove()

    def _wrap(self, original: Any) -> Any:
        guard, state = self._guard, self._context.state

        def _infer_params(fun: Any, ji: Any, args: Any, kwargs: Any) -> Any:
            if state.busy or guard.off:
                return original(fun, ji, args, kwargs)
            dispatch: Dispatch | None = None
            caller = sys._getframe(1)
            with guard:
                dispatch = self._begin(state, fun, ji, args, kwargs, caller)
            result: Any = None
            try:
                result = original(fun, ji, args, kwargs)
                return result
            finally:
                if dispatch is not None:
                    with guard:
                        self._end(state, dispatch, fun, result=result)
                        if dispatch.is_call and dispatch.code is None and (name := operation(fun)):
                            self._eager.note(name, caller)
                del caller

        return _infer_params

    def _begin(self, state: ThreadState, fun: Any, info: Any, args: Any, kwargs: Any, caller: FrameType) -> Dispatch:
        self._look_for_clearing()
        user, entered = stack.begin_of(caller)
        dispatch = Dispatch(
            number=next(self._numbers),
            fun=fun,
            info=info,
            args=args,
            kwargs=kwargs,
            name=name_of(fun),
            user_frame=id(user),
            is_call=not entered and caller.f_code.co_name in stack.CALLS,
            own_code=own_code(fun),
            context=context_values(),
            alias=alias_of(fun),
        )
        state.dispatches.append(dispatch)
        return dispatch

    def _look_for_clearing(self) -> None:
        """`jax.clear_caches()` and `f.clear_cache()` both empty this cache, whose count of misses starts again."""
        misses = pjit._infer_params_cached.cache_info().misses
        if misses < self._context.misses:
            self._context.emit(CachesCleared(function=None))
        self._context.misses = misses

    def _end(self, state: ThreadState, dispatch: Dispatch, fun: Any, *, result: Any) -> None:
        while state.dispatches and state.dispatches.pop() is not dispatch:
            pass
        bodies = self._context.bodies
        if dispatch.run is not None:
            bodies.learn(fun, dispatch.run.code)
        code = bodies.code(fun)
        if dispatch.is_call and code is not None:
            missed = int(dispatch.run is not None or result is None)
            function = self._context.functions.of_code(code, dispatch.alias)
            self._context.lives.call(self._context.callables.of(fun))
            self._context.emit(CallsCounted(function=function, calls=1, missed=missed))
        dispatch.code = code
        if dispatch.run is not None and result is not None:
            self._context.stale.keep(fun, dispatch, result[0].params["jaxpr"])
        elif dispatch.is_call and result is not None:
            self._context.stale.look(fun, dispatch.args, dispatch.kwargs)
        dispatch.close()
        if dispatch.run is not None:
            state.remember(dispatch)
        state.last = dispatch


def name_of(fun: Any) -> str:
    """The name that JAX gives to the program of a jitted callable (`jax._src.util.fun_name`)."""
    name = getattr(fun, "__name__", None)
    if name is not None:
        return str(name)
    return name_of(fun.func) if isinstance(fun, functools.partial) else UNNAMED
