"""Seam `fast_path`: calls that JAX answers from C++ without entering Python.

JAX offers one hook after such calls, `post_hook`, which it uses for `jax_debug_nans`. It fires on fast-path hits only
and is no part of any cache key. JAX itself runs `with debug_nans(False)` here and there and leaves a thread-local
None behind, which masks the global hook; so the two `debug_*` states' update functions are followed by ours, which
put the hook back.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jax._src import api, config
from jax._src.lib import jax_jit

from jax_trace_viz.capture.code import stack
from jax_trace_viz.capture.code.functions import alias_of
from jax_trace_viz.capture.faults import when_gone
from jax_trace_viz.capture.patching import MissingSeamError
from jax_trace_viz.capture.seams.following import Followed
from jax_trace_viz.capture.tracebacks import leave_us_out, of_handler
from jax_trace_viz.contract.events import CallsCounted

if TYPE_CHECKING:
    import weakref
    from types import CodeType

    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.capture.seams.callables import JittedCallable
    from jax_trace_viz.capture.seams.eager import EagerOperations

Hook = Callable[[Any, Any, Any, Any], None]

ALL_LOOKED_AT = 8
"""As many hits look each for what has changed since the trace: short programs have no more."""


class FastPath:
    """Counts fast-path hits by function; the counts are told at each flush."""

    name = "fast_path"

    def __init__(self, context: Context, eager: EagerOperations) -> None:
        self._context = context
        self._eager = eager
        self._slot: _NewSlot | _OldSlot = _NewSlot() if hasattr(api, "_post_hook_state") else _OldSlot()
        self._counts: dict[int, _Count] = {}
        self._gone: list[_Count] = []
        self._previous: Hook | None = None
        self._followed: list[Followed] = []
        self._ours: Hook = self._hit
        self._looking = context.faults.guard("stale")
        self._is_off = False
        self._guard = context.faults.guard(self.name)

    def install(self) -> None:
        """Puts the hooks in."""
        slot = self._slot
        self._previous = slot.get_global()
        if slot.get_local() is None:
            slot.unset_local()
        for state in (config.debug_nans, config.debug_infs):
            followed = Followed(state, self._guard, self._after_global, self._after_local)
            if not followed.is_followed_by_jax:
                raise MissingSeamError(f"{state._name} tells nobody when it changes")
            followed.install()
            self._followed.append(followed)
        slot.set_global(self._ours)

    def remove(self) -> None:
        """Takes the hooks out."""
        for followed in self._followed:
            followed.remove()
        self._followed.clear()
        if self._slot.get_global() is self._ours:
            self._slot.set_global(self._previous)
        local = self._slot.get_local()
        if isinstance(local, _Chained):
            self._slot.set_local(local.first)

    def flush(self) -> None:
        """Tells the hits since the last flush."""
        counts = [*self._gone, *self._counts.values()]
        self._gone.clear()
        for count in counts:
            hits, count.hits, count.next = count.hits, 0, 1
            count.told += hits
            if hits and count.code is not None:
                function = self._context.functions.of_code(count.code, count.alias)
                self._context.emit(CallsCounted(function=function, calls=hits, fast=hits))

    def _hit(self, fun: Any, args: Any, kwargs: Any, outputs: Any) -> None:
        try:
            self._count(fun, args, kwargs)  # first: JAX's own hook raises where `jax_debug_nans` finds one
            if self._previous is not None:
                self._previous(fun, args, kwargs, outputs)
        except BaseException as error:
            leave_us_out(error)
            raise

    def _count(self, fun: Any, args: Any, kwargs: Any) -> None:
        """One hit of the jitted callable `fun`."""
        if self._is_off:
            return
        try:  # as a `Guard` does, without one around each call
            count = self._counts.get(id(fun)) or self._first(fun)
            count.hits += 1
            if count.hits >= count.next:
                self._look(count, fun, args, kwargs)
            if count.operation:
                self._eager.note(count.operation, sys._getframe(1))
        except Exception as error:
            if not isinstance(error, RecursionError) and of_handler(error.__traceback__) is not None:
                raise
            self._context.faults.caught(self.name, error)
            self._is_off = self._guard.off  # hits are many: no more of them raises

    def _look(self, count: _Count, fun: Any, args: Any, kwargs: Any) -> None:
        """Looks for what has changed since the trace: at the first hits, then less and less often until a flush."""
        body = getattr(fun, "_fun", fun)
        if self._looking.off or not self._context.stale.knows(body):
            count.next = sys.maxsize
            return
        count.next = count.hits + 1 if count.hits < ALL_LOOKED_AT else 2 * count.hits
        with self._looking:
            self._context.stale.look(body, args, kwargs)

    def _first(self, fun: Any) -> _Count:
        address = id(fun)
        body = getattr(fun, "_fun", fun)
        # Before JAX 0.8 `jax.pmap` has a fast path of its own; its first calls are seen by nobody, so none is counted.
        code = None if type(fun).__name__ == "PmapFunction" else self._context.bodies.code(body)
        count = _Count(code, alias_of(body), self._context.object_numbers.of(body))
        what = self._context.calls.callables.of(body)
        if code is None and what.library_code is not None and self._is_users(what):
            count.code = what.library_code
        elif code is None:
            count.operation = what.operation
        count.alive = when_gone(fun, lambda: self._end(address))
        self._counts[address] = count
        return count

    def _is_users(self, what: JittedCallable) -> bool:
        """Whether the call that was just answered is one of the user's own line."""
        return stack.is_called_by_user(sys._getframe(3), directly=what.operation is not None)

    def _end(self, address: int) -> None:
        """A jitted callable is gone; what it wraps may be gone with it, and its hits must be known before that."""
        count = self._counts.pop(address)
        self._context.lives.call(count.callable, count.told + count.hits)
        self._gone.append(count)

    def _after_global(self, _value: Any) -> None:
        current = self._slot.get_global()
        if current is not self._ours:
            self._previous = current
            self._slot.set_global(self._ours)

    def _after_local(self, _value: Any) -> None:
        current = self._slot.get_local()
        if current is None:
            self._slot.unset_local()
        elif self._slot.is_set(current) and not isinstance(current, _Chained):
            self._slot.set_local(_Chained(current, self._count))


class _Count:
    __slots__ = ("alias", "alive", "callable", "code", "hits", "next", "operation", "told")

    def __init__(self, code: CodeType | None, alias: str | None, callable: int) -> None:
        self.hits = self.told = 0
        self.next = 1
        """At how many hits to look next for what has changed since the trace."""
        self.code = code
        self.alias = alias
        self.operation: str | None = None
        self.callable = callable
        self.alive: weakref.ref[Any] | None = None


class _Chained:
    """Our hook, and after it JAX's own thread-local one, which may raise."""

    def __init__(self, first: Hook, count: Callable[[Any, Any, Any], None]) -> None:
        self.first = first
        self._count = count

    def __call__(self, fun: Any, args: Any, kwargs: Any, outputs: Any) -> None:
        try:
            self._count(fun, args, kwargs)
            self.first(fun, args, kwargs, outputs)
        except BaseException as error:
            leave_us_out(error)
            raise


class _NewSlot:
    """Where the hook lives since JAX 0.7: a configuration state with an explicit `unset`."""

    def __init__(self) -> None:
        self._state = api._post_hook_state
        self._unset = config.config_ext.unset
        self.get_global, self.set_global = self._state.get_global, self._state.set_global
        self.get_local, self.set_local = self._state.get_local, self._state.set_local

    def unset_local(self) -> None:
        self._state.set_local(self._unset)

    def is_set(self, value: Any) -> bool:
        return value is not self._unset


class _OldSlot:
    """Where the hook lives in JAX 0.6: attributes of the C++ jit's states, where None means unset."""

    def get_global(self) -> Any:
        return jax_jit.global_state().post_hook

    def set_global(self, hook: Any) -> None:
        jax_jit.global_state().post_hook = hook

    def get_local(self) -> Any:
        return jax_jit.thread_local_state().post_hook

    def set_local(self, hook: Any) -> None:
        jax_jit.thread_local_state().post_hook = hook

    def unset_local(self) -> None:
        jax_jit.thread_local_state().post_hook = None

    def is_set(self, value: Any) -> bool:
        return value is not None
