"""Which transformations a callable consists of, where no body runs whose stack would tell."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.code import stack
from jax_trace_viz.capture.code.functions import layers
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Iterator


def transformations_of(fun: Any) -> tuple[str, ...]:
    """The transformations around a user's function, the outermost first: `vmap`, `grad` of `vmap(grad(f))`."""
    kinds = (stack.kind_of(one.__code__) for layer in layers(fun) for one in _functions_of_jax(layer))
    return tuple(kind for kind in kinds if kind)


def _functions_of_jax(layer: Any) -> Iterator[FunctionType]:
    """JAX hides what a transformation returns in the closure of the function that shortens tracebacks."""
    for one in (layer, *(cell.cell_contents for cell in getattr(layer, "__closure__", None) or () if _is_filled(cell))):
        if type(one) is FunctionType and origin(one.__code__.co_filename) == "jax":
            yield one


def _is_filled(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
