"""What tells a NumPy array from others after JAX has copied it: shape, type and a sample of its elements.

JAX turns 64-bit arrays of NumPy into 32-bit ones when it takes them in, so a baked-in constant is another object than
the user's. Nothing is copied from a device: arrays of JAX are known by their identity.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
from jax import dtypes

from jax_trace_viz.capture.values.real_types import is_a, plain_array

if TYPE_CHECKING:
    from collections.abc import Hashable

_SMALL = 1_024
_SAMPLES = 256
_DEEPEST = 3


def host_array(value: Any) -> np.ndarray[Any, Any] | None:
    """The NumPy array that a constant is, as one of NumPy's own class."""
    inner = unwrapped(value)
    return plain_array(inner) if is_a(inner, np.ndarray) else None


def unwrapped(value: Any) -> Any:
    """What newer JAX wraps (`TypedNdArray.val`); all else as it is, whatever its attributes are called."""
    return value.val if type(value).__module__.startswith("jax.") and hasattr(value, "val") else value


def content_of(value: Any) -> Hashable | None:
    """The content of a host array as it is in a program; None for others, and where all of it would be copied."""
    array = host_array(value)
    if array is None or array.dtype.kind not in "biufc" or not array.size:
        return None
    if array.size > _SMALL and not array.flags.c_contiguous:
        return None
    flat = array.reshape(-1)
    sample = flat if array.size <= _SMALL else flat[:: array.size // _SAMPLES]
    dtype = dtypes.canonicalize_dtype(array.dtype)
    with np.errstate(all="ignore"):
        return array.shape, str(dtype), zlib.crc32(np.ascontiguousarray(sample, dtype).tobytes())


def content_of_list(value: Any) -> Hashable | None:
    """The same of the array that `jnp.asarray` makes of a list of numbers; None for other lists. Runs nobody's code."""
    if type(value) not in (list, tuple) or not 0 < len(value) <= _SMALL or not _is_numbers(value):
        return None
    try:
        return content_of(np.asarray(value))
    except ValueError:  # its rows are of several lengths
        return None


def _is_numbers(value: Any, depth: int = _DEEPEST) -> bool:
    if type(value) in (list, tuple):
        return depth > 0 and len(value) <= _SMALL and all(_is_numbers(part, depth - 1) for part in value)
    return type(value) in (bool, int, float, complex)
