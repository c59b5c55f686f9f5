"""The key of a run: from the call of the jitted function that runs a body, or from the body's parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from jax_trace_viz.capture.code import stack
from jax_trace_viz.capture.code.functions import made_by
from jax_trace_viz.capture.code.given import callable_of
from jax_trace_viz.capture.code.outer import outer_call, run_by_library, way_to, wrapped_by_library
from jax_trace_viz.contract.key import Key

if TYPE_CHECKING:
    from types import FrameType

    from jax_trace_viz.capture.code.outer import Way
    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.capture.state import Dispatch
    from jax_trace_viz.contract.document import Argument


NO_KEY = Key(callable=0, described=False)
"""Of a helper, which no cache is asked about, and of a run whose arguments could not be described."""


class RunKeys:
    """Makes the keys of runs as they begin."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def of(
        self, frame: FrameType, parameters: dict[str, Any], cause: stack.Cause, dispatch: Dispatch | None
    ) -> tuple[Key, list[Argument]]:
        """The key of a run, and its arguments as rows for people.

        Args:
            frame: That of the body.
            parameters: The body's parameters at entry.
            cause: What lies between the body and the user's line.
            dispatch: The call of a jitted function that runs it, if one does.
        """
        if dispatch is None:
            return self._key_of_body(frame, parameters, cause)
        wrappers = tuple(reversed(cause.kinds[: cause.inside_jit]))
        if dispatch.by_library:
            return self._key_in_library(frame, parameters, dispatch, wrappers)
        return self.of_call(dispatch, wrappers)

    def of_call(self, dispatch: Dispatch, wrappers: tuple[str, ...]) -> tuple[Key, list[Argument]]:
        """The key of a call of a jitted function, from what it was given.

        Args:
            dispatch: The call.
            wrappers: Transformations that the jitted function wraps, the outermost first.
        """
        given = (dispatch.fun, dispatch.info, dispatch.args, dispatch.kwargs)
        return self._context.keys.of_call(*given, wrappers, around=dispatch.context)

    def _key_of_body(
        self, frame: FrameType, parameters: dict[str, Any], cause: stack.Cause
    ) -> tuple[Key, list[Argument]]:
        """The key where no call of a jitted function runs the body, but a transformation."""
        # JAX wraps a rule anew each time it runs it: what is on the stack says nothing of the user's object.
        given = None if cause.kind in stack.RULES else callable_of(frame.f_back, frame.f_code)
        number = 0 if given is None else self._context.object_numbers.of(given)
        kinds = (f"{cause.kinds[0]} ({cause.form})", *cause.kinds[1:]) if cause.form else cause.kinds
        key, rows = self._context.keys.of_body(parameters, number, tuple(reversed(kinds)))
        return replace(key, made_by=made_by(given)), rows

    def _key_in_library(
        self, frame: FrameType, parameters: dict[str, Any], dispatch: Dispatch, wrappers: tuple[str, ...]
    ) -> tuple[Key, list[Argument]]:
        """The key where a library's own callable is jitted and runs the body."""
        keys, numbers, way = self._context.keys, self._context.object_numbers, way_to(frame)
        key, rows = keys.of_body(parameters, numbers.of(dispatch.fun), wrappers, around=dispatch.context)
        found = run_by_library(frame) or wrapped_by_library(way, frame.f_code)
        user_callable = 0 if found is None else numbers.of(found)
        return replace(key, user_callable=user_callable, outer=self._outer(way, frame, dispatch, wrappers)), rows

    def _outer(self, way: Way, frame: FrameType, dispatch: Dispatch, wrappers: tuple[str, ...]) -> Key | None:
        call = outer_call(way)
        if call.direct:
            return self.of_call(dispatch, ())[0]
        if call.positional is None:
            return None
        key = Key(callable=0, positional=len(call.positional), keywords=tuple(sorted(map(str, call.keywords))))
        if not wrappers:  # the body's parameters are what was passed
            return key
        # Of `vmap` the body never sees the size. What is no array may be traced or static: only the library knows.
        inside = self._context.keys.of_body(call.named(frame.f_code), 0, ())[0]
        return replace(key, structures=inside.structures, classes=inside.classes, leaves=inside.leaves)
