"""How long a profiler looks for the body that a bracket of JAX's may run (Python 3.11).

A function of the user's own is sure to come. One of a library's or of JAX's may call the user's or not, and is traced
again and again: where none came in the first calls, none is looked for the next time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.capture.bodies import setting_trace
from jax_trace_viz.capture.bodies.looking import ALL
from jax_trace_viz.capture.code.given import code_given
from jax_trace_viz.origin import owner_of

if TYPE_CHECKING:
    from collections.abc import Hashable
    from types import CodeType, FrameType

    from jax_trace_viz.capture.state import Stage, ThreadState

_CALLS = 5_000
"""Calls to look through for a body that may come or not, where the program itself has JAX trace something."""
_CALLS_INSIDE = 500
"""The same inside a trace or a body, where libraries and JAX trace functions of theirs by the hundred."""


class WorthLooking:
    """Knows which functions came to no body of the user's."""

    def __init__(self) -> None:
        self._in_vain: set[Hashable] = set()

    def most(self, state: ThreadState, bracket: FrameType, stage: Stage | None) -> tuple[int, Hashable]:
        """How many calls to look through, and by what to `learn` of it.

        Args:
            state: That of this thread.
            bracket: The frame of JAX's that runs what is traced.
            stage: The trace, if it is staged.
        """
        if stage is not None and stage.owner == "user":
            return ALL, None
        given = code_given(bracket)
        if any(owner_of(code) == "user" for code in given):
            return ALL, None
        name = bracket.f_code.co_name
        if name in setting_trace.EVALUATING:
            return 0, None
        if not (state.runs or (state.stages and state.stages != [stage])):
            return _CALLS, None
        key = (name, stage.source if stage is not None else tuple(map(_source, given)))
        return 0 if key in self._in_vain else _CALLS_INSIDE, key

    def learn(self, key: Hashable, *, came: bool) -> None:
        """Such a bracket has ended, and a body came in it or not."""
        if key is not None:
            (self._in_vain.discard if came else self._in_vain.add)(key)


def _source(code: CodeType) -> tuple[str, int]:
    return code.co_filename, code.co_firstlineno


WORTH_LOOKING = WorthLooking()
"""The one of this process: libraries' functions stay what they are."""
