"""Which user function a jitted callable stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.code.functions import code_of
from jax_trace_viz.capture.faults import when_gone
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    import weakref
    from types import CodeType


class Bodies:
    """Callable → the code of the user's function it runs, without keeping the callable alive.

    For a library's own wrapper (`filter_jit`, `nnx.jit`) this is learned from the body it was seen to run; a wrapper
    that ran several functions stands for none of them.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Any] | None, CodeType | None]] = {}
        self._shared: set[int] = set()

    def code(self, fun: Any) -> CodeType | None:
        """The user's code behind `fun`, or None if there is none or it is not known."""
        known = self._known.get(id(fun))
        if known is not None and known[0] is not None and known[0]() is fun:
            return known[1]
        code = own_code(fun)
        self._keep(fun, code)
        return code

    def learn(self, fun: Any, code: CodeType) -> None:
        """A call of `fun` was seen to run the user's `code`."""
        known = self.code(fun)
        if known is None and id(fun) not in self._shared:
            self._keep(fun, code)
        elif known is not None and known != code and not is_own(fun):
            self._shared.add(id(fun))
            self._keep(fun, None)

    def _keep(self, fun: Any, code: CodeType | None) -> None:
        address = id(fun)
        try:
            self._known[address] = (when_gone(fun, lambda: self._forget(address)), code)
        except TypeError:
            self._known.pop(address, None)

    def _forget(self, address: int) -> None:
        self._known.pop(address, None)
        self._shared.discard(address)


def is_own(fun: Any) -> bool:
    """Whether a jitted callable is the user's own function, maybe behind partials, methods and wrappers that say so."""
    return own_code(fun) is not None


def own_code(fun: Any) -> CodeType | None:
    """The code of the user's function behind a jitted callable, or None if it is a library's own."""
    code = code_of(fun)
    return code if code is not None and origin(code.co_filename) == "user" else None
