"""Where JAX sets the trace for a body that it runs next: `with core.set_current_trace(trace):`.

It does so thousands of times in a trace, mostly for its own rules; which function does it tells them apart.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.code import stack

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

    from jax_trace_viz.capture.faults import Guard

EAGER = {
    "_batch_inner",
    "jvp",
    "jvpfun",
    "jvp_subtrace",
    "jvp_subtrace_2",
    "vjp",
    "linearize",
    "linearize_jaxpr",
    "_linearize_jaxpr",
    "linearize_subtrace",
    "linearize_subtrace_2",
    "direct_linearize",
    "_run_shmap",
}
"""JAX functions that run a body under `core.set_current_trace` without staging it."""
EVALUATING = {"linearize_jaxpr", "_linearize_jaxpr"}
"""Those of them that run what was traced before: bodies come there by custom rules alone."""
FUNCTIONS = frozenset(EAGER | stack.MACHINERY)
"""Those, and what stages a body."""


def watched(
    original: Any,
    guard: Guard,
    enters: Callable[[FrameType], Any],
    leaves: Callable[[Any, Any, Any], None],
) -> Any:
    """JAX's class, watched where one of `FUNCTIONS` uses it.

    Args:
        original: `core.set_current_trace`.
        guard: Of the seam that watches.
        enters: Told the frame of the function, before the trace is set.
        leaves: Told what `enters` returned, unless that is None, and the exception with its traceback, before the
            trace is taken back.
    """
    enter, leave = original.__enter__, original.__exit__

    class SetCurrentTrace(original):
        __slots__ = ("_bracket",)

        def __enter__(self) -> Any:
            self._bracket: Any = None
            frame = sys._getframe(1)
            if frame.f_code.co_name in FUNCTIONS:
                with guard:
                    self._bracket = enters(frame)
            del frame
            return enter(self)

        def __exit__(self, kind: Any, error: Any, traceback: Any) -> Any:
            if self._bracket is not None:
                with guard:
                    leaves(self._bracket, error, traceback)
            return leave(self, kind, error, traceback)

    return SetCurrentTrace


def sets_trace(code: CodeType | None) -> bool:
    """Whether a function that runs bodies sets the trace for them itself."""
    return code is not None and code.co_name in FUNCTIONS and "set_current_trace" in code.co_names


def transformation_sets_trace(transformation: Any) -> bool:
    """The same of one of a `WrappedFun`'s transformations, a function and its arguments."""
    return sets_trace(getattr(transformation[0], "__code__", None))
