"""What JAX's tracing cache held already when a recording began to look."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from jax._src.interpreters import partial_eval

if TYPE_CHECKING:
    import weakref


class Held:
    """The callables that JAX had traced before the first trace of a recording, and kept a jaxpr of.

    Listed once for each recording: JAX's cache tells all its keys or none.
    """

    def __init__(self) -> None:
        self._callables: dict[int, weakref.ref[Any]] | None = None

    def has(self, fun: Any) -> bool:
        """Whether this callable is among them; False before JAX 0.8, whose cache tells no keys."""
        if self._callables is None:
            self._callables = {id(one): reference for reference in _references() if (one := reference()) is not None}
        reference = self._callables.get(id(fun))
        return reference is not None and reference() is fun


def _references() -> list[weakref.ref[Any]]:
    cache = getattr(partial_eval, "trace_to_jaxpr", None)
    return [] if cache is None else [key[0] for key in _keys(cache)]


def _keys(cache: Any) -> list[Any]:
    """The keys of a cache; a collection that takes one away while JAX 0.9 lists them crashes the process."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return cache.cache_keys()
    finally:
        if collects:
            gc.enable()
