"""JAX's trace context: the settings and surroundings of a call on which its caches depend."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from jax._src import config as jax_config

from jax_trace_viz.capture.values.shardings import PMAP_AXIS

if TYPE_CHECKING:
    from collections.abc import Callable

_OLD_CONTEXT = (
    "axis_env_state",
    "mesh_context_manager",
    "abstract_mesh_context_manager",
    "xla_metadata_context_manager",
    "compute_on_context_manager",
    "enable_x64",
    "numpy_rank_promotion",
    "default_matmul_precision",
    "numpy_dtype_promotion",
    "default_device",
    "random_seed_offset",
    "threefry_partitionable",
    "softmax_custom_jvp",
    "disable_jit",
    "debug_key_reuse",
)
"""Parts of the trace context where JAX does not name them (before 0.10), by their names in its configuration module."""
_OLD_NAMES = tuple(name if name.endswith(("_state", "_manager")) else f"jax_{name}" for name in _OLD_CONTEXT)
_CONTEXT_WORDS = {
    "mesh_context_manager": "mesh of the `with` block",
    "abstract_mesh_context_manager": "mesh in jax.set_mesh",
    "axis_env_state": "named axes",
}
"""Parts of the trace context by the names that users know; settings have their own."""
_CONTEXT_NAMES: Callable[[], tuple[str, ...]] = getattr(jax_config, "trace_context_names", tuple)
_OLD_STATES = [getattr(jax_config, name, None) for name in _OLD_CONTEXT]
_IS_NAMED = len(_CONTEXT_NAMES()) == len(getattr(jax_config, "trace_context", tuple)())
"""Whether JAX names the parts of its trace context, which is asked for at every call."""


def context_values() -> tuple[Any, ...]:
    """JAX's trace context at this moment."""
    if _IS_NAMED:
        return jax_config.trace_context()
    return tuple([getattr(state, "value", None) for state in _OLD_STATES])


def context(values: tuple[Any, ...] | None = None) -> dict[str, str]:
    """The named parts of JAX's trace context that are set; of the present one if no values are given."""
    values = context_values() if values is None else values
    texts = {n: _context_text(v) for n, v in zip(_context_names(len(values)), values, strict=True)}
    return {name: text for name, text in texts.items() if text}


@functools.cache
def _context_names(number: int) -> tuple[str, ...]:
    """What so many parts are called; JAX makes these texts anew whenever it is asked, and every key holds them."""
    names = _CONTEXT_NAMES()
    names = names if len(names) == number else _OLD_NAMES
    return tuple(_CONTEXT_WORDS.get(name, name) for name in names)


def _context_text(value: Any) -> str:
    """JAX's own configuration values; empty for those that are not set."""
    if value is None or value == ():
        return ""
    if isinstance(value, tuple):
        return _tuple_text(value)[:200]
    # Of a mesh the axes; of the axis environment, whose `repr` is an address, the sizes by name.
    sizes = getattr(value, "shape", None) if "Mesh" in type(value).__name__ else getattr(value, "axis_sizes", None)
    items = getattr(sizes, "items", None)
    if sizes is None or items is None:
        return str(value)[:200]
    if PMAP_AXIS in sizes:
        return "" if "Mesh" in type(value).__name__ else f"pmap={sizes[PMAP_AXIS]}"
    bare = [str(name) for part in ("spmd_axis_names", "explicit_mesh_axis_names") for name in getattr(value, part, ())]
    return ", ".join([*(f"{name}={size}" for name, size in items()), *sorted(bare)])


def _tuple_text(value: tuple[Any, ...]) -> str:
    """Before JAX 0.7 a named axis is a pair of its name and its size."""
    if len(value) == 2 and type(value[0]) is str and type(value[1]) is int:
        return f"{value[0]}={value[1]}"
    return ", ".join(filter(None, map(_context_text, value)))
