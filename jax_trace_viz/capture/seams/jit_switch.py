"""Seam `jit_switch`: notices `jax.disable_jit`. JAX then calls functions as plain Python, and nobody hears of it.

What cannot be seen is named, so that no count of it is taken for zero.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from jax._src import config

from jax_trace_viz.capture.code import stack
from jax_trace_viz.capture.seams.following import Followed
from jax_trace_viz.contract.events import CallsUnseen

if TYPE_CHECKING:
    from jax_trace_viz.capture.context import Context


class JitSwitch:
    """Follows the setting `jax_disable_jit`."""

    name = "jit_switch"

    def __init__(self, context: Context) -> None:
        self._context = context
        self._guard = context.faults.guard(self.name)
        self._is_off = config.disable_jit.get_global
        self._followed = Followed(config.disable_jit, self._guard, self._changed, self._changed)
        self._told = False

    def install(self) -> None:
        """Puts the hooks in."""
        self._followed.install()

    def remove(self) -> None:
        """Takes the hooks out."""
        self._followed.remove()

    def flush(self) -> None:
        """Tells once where the program runs without jit from the start."""
        if not self._told and self._is_off():
            self._told = True
            self._context.emit(CallsUnseen(what="disable_jit", place=None))

    def _changed(self, value: Any) -> None:
        if value is True:
            self._told = True
            self._context.emit(CallsUnseen(what="disable_jit", place=stack.place(sys._getframe(1))))
