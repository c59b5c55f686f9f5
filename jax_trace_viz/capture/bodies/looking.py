"""The profiler that looks for the next body (Python 3.11).

While it runs, CPython 3.11 runs all of the thread's code half as fast, whatever the profiler does: so each look has a
number of calls that it may take.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from jax._src import core

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from jax_trace_viz.capture.code.functions import UserFunctions
    from jax_trace_viz.capture.faults import Guard

ALL = sys.maxsize
"""Calls to look through for a body that is sure to come."""
_FOUND = -1
"""What is left of a look that has found it."""


class Look:
    """Looks through the calls of one thread for the next body; looks lie inside each other as brackets do.

    It lives as long as the thread does: CPython calls a profiler by a borrowed reference, so one that goes away while
    it takes itself out is not safe.
    """

    def __init__(
        self,
        is_user: UserFunctions,
        begin: Callable[[FrameType], bool],
        hindered: Callable[[], None],
        guard: Guard,
    ) -> None:
        """Does not look yet.

        Args:
            is_user: Whether code is the body of a user function.
            begin: Told each user function that is about to run; returns whether it is the one that is looked for.
            hindered: Told when somebody else profiles the program, so that nothing can be seen.
            guard: Keeps our own errors from the function that is called.
        """
        self._is_user = is_user
        self._others = is_user.others
        self._begin = begin
        self._hindered = hindered
        self._guard = guard
        self._left = 0
        """Calls that the innermost look may still take; none where it is over."""
        self._around: list[int] = []
        """The same of those around it, which wait meanwhile."""
        self._called = self._on_event

    def begin(self, most: int) -> bool:
        """Begins to look, and returns whether it does: then the caller ends that.

        Args:
            most: How many calls to look through.
        """
        running = sys.getprofile()
        if running is not None and running is not self._called:
            self._hindered()
            return False
        self._around.append(self._left)
        self._goes_on(most)
        return True

    def end(self) -> bool:
        """Ends the innermost look, and returns whether it found the body; if not, the look around it goes on."""
        found = self._left == _FOUND
        if self._around:
            left = self._around.pop()
            self._goes_on(_FOUND if found else left)
        return found

    def end_all(self) -> None:
        """Looks no more."""
        self._around.clear()
        self._goes_on(0)

    def _goes_on(self, left: int) -> None:
        self._left = left
        running = sys.getprofile()
        if left > 0 and running is None:
            sys.setprofile(self._called)
        elif left <= 0 and running is self._called:
            sys.setprofile(None)

    def _on_event(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call":
            return
        # JAX makes thousands of calls before it comes to the body.
        left = self._left = self._left - 1
        known = id(frame.f_code) in self._others
        if known and left > 0:
            return
        with self._guard:
            is_body = not known and self._is_user(frame.f_code) and not core.trace_state_clean() and self._begin(frame)
            if is_body or left <= 0:
                self._goes_on(_FOUND if is_body else 0)
