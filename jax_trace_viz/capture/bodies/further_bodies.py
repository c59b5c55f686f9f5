"""Bodies that no profiler looks for (Python 3.11): all but the first of a bracket, and those it has no time for.

A library's function may call several functions of the user's, or one of them several times, inside one trace. To go on
profiling after the first would make that trace twice as slow. But JAX asks for the current source line whenever it
stages an equation: if by then the first body has returned and another user function stands on the stack, that is the
next body. It is told from its first equation on; a body that stages nothing is not seen.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from jax._src import source_info_util

from jax_trace_viz.capture.patching import Patch
from jax_trace_viz.capture.state import Watched
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

    from jax_trace_viz.capture.code.functions import UserFunctions
    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.capture.state import ThreadState

_ONE_BODY = (
    "/api.py",
    "/api_util.py",
    "/linear_util.py",
    "/core.py",
    "/pjit.py",
    "/ad_checkpoint.py",
    "/custom_derivatives.py",
    "/custom_batching.py",
    "/shard_map.py",
    "/interpreters/",
    "/control_flow/",
)
"""Files of JAX whose functions run one body per bracket."""


class FurtherBodies:
    """Looks for them at each equation, in the brackets that may have some."""

    def __init__(
        self,
        context: Context,
        brackets: frozenset[str],
        is_user: UserFunctions,
        begin: Callable[[ThreadState, FrameType], object],
    ) -> None:
        """Probes for the hook.

        Args:
            context: The capture's.
            brackets: Names of JAX's functions that run what is traced.
            is_user: Whether code is the body of a user function.
            begin: Ends the runs before, begins the one of this body and keeps its frame.

        Raises:
            MissingSeamError: This JAX has no such hook point.
        """
        self._context = context
        self._brackets = brackets
        self._is_user = is_user
        self._begin = begin
        self._guard = context.faults.guard("bodies")
        self._patch = Patch(source_info_util, "current", self._wrap)

    def install(self) -> None:
        """Puts the hook in."""
        self._patch.install()

    def remove(self) -> None:
        """Takes the hook out."""
        self._patch.remove()

    def after(self, state: ThreadState, body: FrameType) -> None:
        """A look has found `body`: watches for more if what called it may call others."""
        frame, several = body.f_back, False
        while frame is not None and not self._is_bracket(frame.f_code):
            file = frame.f_code.co_filename.replace("\\", "/")
            several = several or not (origin(file) == "jax" and any(part in file for part in _ONE_BODY))
            frame = frame.f_back
        if several and frame is not None:
            state.watched.append(Watched(body, frame))

    def watch(self, state: ThreadState, bracket: FrameType) -> None:
        """Nothing looks for the bodies in a bracket, or not to its end: watches for them."""
        state.watched.append(Watched(None, bracket))

    def _is_bracket(self, code: CodeType) -> bool:
        return code.co_name in self._brackets and origin(code.co_filename) == "jax"

    def _wrap(self, original: Any) -> Any:
        context, guard = self._context, self._guard

        def current() -> Any:
            state = context.state
            if state.watched and not state.busy:
                with guard:
                    self._look(state.watched[-1], state, sys._getframe(1))
            return original()

        return current

    def _look(self, watched: Watched, state: ThreadState, caller: FrameType) -> None:
        outermost, frame, others = None, caller, self._is_user.others
        while frame is not None and frame is not watched.bracket:
            code = frame.f_code
            if id(code) not in others and self._is_user(code):
                if frame is watched.body or id(frame) in state.runs:
                    return
                outermost = frame
            frame = frame.f_back
        if frame is not None and outermost is not None:
            watched.body = outermost
            self._begin(state, outermost)
