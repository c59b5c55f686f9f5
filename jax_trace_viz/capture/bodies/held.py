"""What JAX's tracing cache holds already."""

from __future__ import annotations

import gc
from typing import Any

from jax._src.interpreters import partial_eval


def is_held(fun: Any) -> bool:
    """Whether JAX has traced this callable and kept a jaxpr; False before JAX 0.8, whose cache tells no keys."""
    cache = getattr(partial_eval, "trace_to_jaxpr", None)
    return cache is not None and any(key[0]() is fun for key in _keys(cache))


def _keys(cache: Any) -> list[Any]:
    """The keys of a cache; a collection that takes one away while JAX 0.9 lists them crashes the process."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return cache.cache_keys()
    finally:
        if collects:
            gc.enable()
