"""What a jitted callable is: one of JAX's own operations, or what runs the user's code.

A trace calls JAX's operations thousands of times (`jnp.where`, `jnp.mean`), so what they are is looked up once. What a
user's callable is may change (`__wrapped__`, `__code__`), and is looked up each time.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.code.functions import alias_of, code_of
from jax_trace_viz.capture.faults import when_gone
from jax_trace_viz.capture.keys.transformed import transformations_of
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    import weakref
    from types import CodeType


@dataclass(slots=True, frozen=True)
class JittedCallable:
    """What was found."""

    own_code: CodeType | None
    """The code of the user's function behind it; None where it is a library's own."""
    alias: str | None
    """The name that the user's wrapper took over from what it wraps."""
    operation: str | None
    """Its name, if it is one of JAX's own: an operation to whoever calls it."""
    library_code: CodeType | None = None
    """The code of a library's function, but for what JAX itself has jitted: where the program calls it, that is a call
    of a jitted function like any other (`jax.jit(optimizer.update)`).
    """


class Callables:
    """Looks callables up, without keeping any alive."""

    def __init__(self) -> None:
        self._operations: dict[int, tuple[weakref.ref[Any], JittedCallable]] = {}
        self._running: set[int] = set()

    def of(self, fun: Any) -> JittedCallable:
        """What `fun` is."""
        known = self._operations.get(id(fun))
        if known is not None and known[0]() is fun:
            return known[1]
        found = _look(fun)
        if found.operation is not None:
            self._keep(fun, found)
        return found

    def is_plain(self, fun: Any) -> bool:
        """Whether `fun` is known to be an operation of JAX's, and was never seen to run the user's code."""
        known = self._operations.get(id(fun))
        return known is not None and known[0]() is fun and id(fun) not in self._running

    def runs_user_code(self, fun: Any) -> None:
        """A call of `fun` was seen to run the user's code."""
        self._running.add(id(fun))

    def _keep(self, fun: Any, found: JittedCallable) -> None:
        address = id(fun)

        def forget() -> None:
            self._operations.pop(address, None)
            self._running.discard(address)

        try:
            self._operations[address] = (when_gone(fun, forget), found)
        except TypeError:
            self._operations.pop(address, None)


def _look(fun: Any) -> JittedCallable:
    code = code_of(fun)
    owner = None if code is None else origin(code.co_filename)
    by_program = owner == "library" or (owner == "jax" and _is_jitted_by_program(fun))
    return JittedCallable(
        own_code=code if owner == "user" else None,
        alias=alias_of(fun),
        operation=str(getattr(fun, "__name__", code.co_name)).lstrip("_") if code and owner == "jax" else None,
        library_code=code if by_program else None,
    )


def _is_jitted_by_program(fun: Any) -> bool:
    """Whether what JAX was given to jit is no function that a module of JAX's has under its name jitted (`jnp.dot`)."""
    if type(fun) is not FunctionType or "<locals>" in fun.__qualname__ or transformations_of(fun):
        return True
    found: Any = sys.modules.get(fun.__module__)
    for name in fun.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is fun
