"""The array leaves of a call's arguments: models have thousands, of few types, at few places."""

from __future__ import annotations

import functools
import re
from typing import Any

import jax
import numpy as np
from jax._src import core
from jax.core import ShapedArray, Tracer
from jax.sharding import SingleDeviceSharding

from jax_trace_viz.capture.values.real_types import is_a, plain_array
from jax_trace_viz.capture.values.shardings import aval_sharding_text, placement_text
from jax_trace_viz.capture.values.types import type_text
from jax_trace_viz.contract.key import Leaf

_typeof = getattr(jax, "typeof", None) or vars(core)["get_aval"]  # before JAX 0.8
_SHAPE = re.compile(r"\[[^\]]*\]")
_MOST_KNOWN = 10_000
_known_parts: dict[Any, tuple[tuple[int | str, ...], str, bool, str]] = {}
_placements: dict[Any, str] = {}


def describe_leaf(path: str, value: Any) -> Leaf | None:
    """One leaf of an argument as JAX sees it; None if it is no array."""
    if type(value) in (str, bytes) or value is None or callable(value):
        return None
    value = plain_array(value) if is_a(value, np.ndarray) else value
    try:
        aval = value.aval if is_a(value, (Tracer, jax.Array)) else _typeof(value)
    except (AttributeError, TypeError):
        return None
    real = is_a(value, jax.Array) and not is_a(value, Tracer)
    shape, dtype, weak_type, aval_sharding = _parts(aval)
    return Leaf(
        path=path,
        shape=shape,
        dtype=dtype,
        weak_type=weak_type,
        aval_sharding=aval_sharding,
        placement=_placement(value.sharding) if real else None,
        committed=bool(getattr(value, "_committed", False)) if real else None,
        given="" if is_a(value, (jax.Array, Tracer)) else _given(value),
    )


def _given(value: Any) -> str:
    """The type that the program passed, before JAX made another one of it."""
    if type(value) is np.ndarray:
        return _dtype_name(value.dtype)
    return str(getattr(value, "dtype", type(value).__name__))


@functools.lru_cache(maxsize=256)
def _dtype_name(dtype: np.dtype[Any]) -> str:
    """NumPy makes the name anew whenever it is asked, which takes longer than all else that is told of a leaf."""
    return str(dtype)


def _parts(aval: Any) -> tuple[tuple[int | str, ...], str, bool, str]:
    """Shape, dtype, weak type and sharding of an abstract value; programs have few different ones."""
    known = _known_parts.get(aval) if type(aval) is ShapedArray else None
    if known is None:
        dtype, memory = _dtype_and_memory(aval)
        sharding = aval_sharding_text(getattr(aval, "sharding", None))
        known = (
            tuple([d if isinstance(d, int) else str(d) for d in getattr(aval, "shape", ())]),
            dtype,
            bool(getattr(aval, "weak_type", False)),
            ", ".join(part for part in (sharding, memory) if part),
        )
        if type(aval) is ShapedArray and len(_known_parts) < _MOST_KNOWN:
            _known_parts[aval] = known
    return known


def _dtype_and_memory(aval: Any) -> tuple[str, str]:
    """`f32` and `host memory`. JAX writes both as one type, `f32<host>`; in the device's memory it is `f32` alone."""
    text = type_text(aval)
    # A reference names the type that it refers to in braces: `Ref{f32[8]}`.
    text = _SHAPE.sub("", text) if "{" in text else text.partition("[")[0]
    space = getattr(getattr(aval, "memory_space", None), "name", "").lower()
    dtype = text.removesuffix(f"<{space}>")
    return dtype, "" if dtype == text else f"{space} memory"


def _placement(sharding: Any) -> str:
    """Where an array lies; thousands of parameters lie at one place."""
    if type(sharding) is not SingleDeviceSharding:
        return placement_text(sharding)
    known = _placements.get(sharding)
    if known is None:
        known = _placements[sharding] = placement_text(sharding)
    return known


def type_of_leaf(value: Any, leaf: Leaf) -> str:
    """The leaf's type as JAX sees it: a Python scalar is a weakly typed array."""
    if is_a(value, (Tracer, jax.Array)):
        return type_text(value.aval)
    return f"{leaf.dtype}[{','.join(map(str, leaf.shape))}]" + ("~" if leaf.weak_type else "")
