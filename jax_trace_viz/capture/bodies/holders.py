"""What holds a traced value: JAX's transformations nest their tracers, the one that was applied last outermost.

A tracer of `vmap` holds the batch and which axis of it is mapped; those of forward and reverse mode hold the value that
is differentiated. Names and attributes are the same in JAX 0.6.2 to 0.12 but where noted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jax.core import Tracer

from jax_trace_viz.capture.values.real_types import is_a

if TYPE_CHECKING:
    from collections.abc import Iterable

_STAGED = "DynamicJaxprTracer"
_HOLDING_PRIMALS = {"JVPTracer": "jvp", "LinearizeTracer": "linearize"}  # before 0.7 `grad` has the first only
_DEEPEST = 10


def holders(leaves: Iterable[Any]) -> list[str]:
    """What holds the first traced value that is not merely staged: `['linearize', 'vmap, axis 0 of 8']`.

    Ends with `known` where the value itself is there. Empty if all traced values are staged by `jit` and its like.
    """
    for leaf in leaves:
        if is_a(leaf, Tracer) and type(leaf).__name__ != _STAGED:
            return _held_by(leaf)
    return []


def _held_by(value: Any) -> list[str]:
    found: list[str] = []
    while isinstance(value, Tracer) and len(found) < _DEEPEST:
        name = type(value).__name__
        if name in _HOLDING_PRIMALS:
            found.append(_HOLDING_PRIMALS[name])
            value = getattr(value, "primal", None)
        elif name == "BatchTracer":
            batch, axis = getattr(value, "val", None), getattr(value, "batch_dim", None)
            found.append(_mapped(batch, axis))
            value = batch
        else:
            return found
    return [*found, "known"] if value is not None and not isinstance(value, Tracer) else found


def _mapped(batch: Any, axis: Any) -> str:
    """Which axis of the batch is mapped; a value that is the same for all (`in_axes=None`) has none."""
    if not isinstance(axis, int):
        return "vmap"
    return f"vmap, axis {axis} of {getattr(batch, 'shape', ())[axis]}"
