"""The profiler that looks for the next body (Python 3.11)."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from jax._src import core

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from jax_trace_viz.capture.code.functions import UserFunctions
    from jax_trace_viz.capture.faults import Guard


class Look:
    """Looks through the calls of one thread for the next body.

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
        self._left: int | None = None
        self._called = self._on_event

    def arm(self, most: int | None) -> bool:
        """Starts looking, and returns whether it is the caller who ends that: not if somebody looks already.

        Args:
            most: How many calls to look through; None for all.
        """
        running = sys.getprofile()
        if running is None:
            self._left = most
            sys.setprofile(self._called)
            return True
        if running is not self._called:
            self._hindered()
        elif self._left is not None:
            self._left = most and max(self._left, most)
        return False

    def disarm(self) -> None:
        """Stops looking."""
        if sys.getprofile() is self._called:
            sys.setprofile(None)

    def _on_event(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call":
            return
        # JAX makes thousands of calls before it comes to the body.
        known = id(frame.f_code) in self._others
        if known and self._left is None:
            return
        with self._guard:
            if not known and self._is_user(frame.f_code) and not core.trace_state_clean():
                if self._begin(frame):
                    self.disarm()
            elif self._left is not None:
                self._left -= 1
                if self._left <= 0:
                    self.disarm()
