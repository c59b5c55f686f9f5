"""What tells a NumPy array from others after JAX has copied it: shape, type and a sample of its elements.

JAX turns 64-bit arrays of NumPy into 32-bit ones when it takes them in, so a baked-in constant is another object than
the user's. Nothing is copied from a device: arrays of JAX are known by their identity.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
from jax import dtypes

if TYPE_CHECKING:
    from collections.abc import Hashable

_SMALL = 1_024
_SAMPLES = 256


def host_array(value: Any) -> np.ndarray[Any, Any] | None:
    """The NumPy array that a constant is; newer JAX wraps it (`TypedNdArray.val`)."""
    inner = getattr(value, "val", value)
    return inner if isinstance(inner, np.ndarray) else None


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
