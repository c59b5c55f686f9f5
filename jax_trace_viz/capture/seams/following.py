"""Follows one of JAX's configuration states: whoever changes it, we hear of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.capture.faults import Guard

    Update = Callable[[Any], None]


class Followed:
    """A configuration state whose update functions, if it has any, are followed by ours.

    Args:
        state: The state, as in `jax._src.config`.
        guard: Keeps our own errors from whoever changes it.
        after_global: Is given each new value for the process.
        after_local: Is given each new value for a thread; JAX's own mark where the thread's value is taken back.
    """

    def __init__(self, state: Any, guard: Guard, after_global: Update, after_local: Update) -> None:
        self._state = state
        self._originals: tuple[Any, Any] = (state._update_global_hook, state._update_thread_local_hook)
        self._ours = (_then(self._originals[0], guard, after_global), _then(self._originals[1], guard, after_local))

    @property
    def is_followed_by_jax(self) -> bool:
        """Whether JAX itself does something when the state changes."""
        return all(callable(original) for original in self._originals)

    def install(self) -> None:
        """Puts ours in."""
        self._state._update_global_hook, self._state._update_thread_local_hook = self._ours

    def remove(self) -> None:
        """Puts JAX's own back."""
        if self._state._update_global_hook is self._ours[0]:
            self._state._update_global_hook = self._originals[0]
        if self._state._update_thread_local_hook is self._ours[1]:
            self._state._update_thread_local_hook = self._originals[1]


def _then(first: Any, guard: Guard, after: Update) -> Update:
    def update(value: Any) -> None:
        if first is not None:
            first(value)
        with guard:
            after(value)

    return update
