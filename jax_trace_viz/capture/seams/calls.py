"""Calls of jitted functions in progress, the innermost last.

Inside a staging trace most calls are of JAX's own operations and hit its tracing cache: thousands in each trace, of
which nothing is told. Those are only noted, and opened when a body of the user's turns out to run inside.
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.code import stack
from jax_trace_viz.capture.seams.callables import Callables, JittedCallable
from jax_trace_viz.capture.state import UNNAMED, Dispatch, LibraryCall, ThreadState

if TYPE_CHECKING:
    from types import FrameType


class Calls:
    """Opens calls."""

    def __init__(self) -> None:
        self.callables = Callables()
        self._numbers = itertools.count(1)

    def open(
        self, fun: Any, info: Any, args: tuple[Any, ...], kwargs: dict[str, Any], caller: FrameType, context: Any
    ) -> Dispatch:
        """Looks at a call that is in progress.

        Args:
            fun: The jitted callable.
            info: JAX's `PjitInfo`, or what it is called before 0.8.
            args: The call's arguments.
            kwargs: Those passed by keyword.
            caller: The frame that called JAX's `_infer_params`.
            context: JAX's trace context around the call.
        """
        user, entered = stack.begin_of(caller)
        what = self.callables.of(fun)
        library = _library_call(what, caller)
        return Dispatch(
            number=next(self._numbers),
            fun=fun,
            info=info,
            args=args,
            kwargs=kwargs,
            name=name_of(fun),
            user_frame=id(user),
            is_call=not entered and caller.f_code.co_name in stack.CALLS,
            own_code=what.own_code,
            context=context,
            alias=what.alias,
            operation=what.operation if library is None else None,
            library=library,
        )

    def newest(self, state: ThreadState) -> Dispatch | None:
        """The innermost call in progress on a thread."""
        if not state.dispatches:
            return None
        newest = state.dispatches[-1]
        if isinstance(newest, tuple):
            noted, newest = newest, self.open(*newest)
            newest.noted = noted
            state.dispatches[-1] = newest
        return newest


def _library_call(what: JittedCallable, caller: FrameType) -> LibraryCall | None:
    """What is told of a library's function where the user's line calls it; None where a library does."""
    code = what.library_code
    if code is None or not stack.is_called_by_user(caller, directly=what.operation is not None):
        return None
    cause = stack.cause(caller)
    return LibraryCall(code, cause.entry, cause.place)


def name_of(fun: Any) -> str:
    """The name that JAX gives to the program of a jitted callable (`jax._src.util.fun_name`)."""
    name = getattr(fun, "__name__", None)
    if name is not None:
        return str(name)
    return name_of(fun.func) if isinstance(fun, functools.partial) else UNNAMED
