"""Arrays baked into a jaxpr: found among its constants and literals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from jax import Array
from jax._src import core
from jax.core import Tracer

from jax_trace_viz.capture.jaxprs.captures import identity_of, name_of
from jax_trace_viz.capture.jaxprs.parameters import inner_jaxprs
from jax_trace_viz.capture.values.kinds import array_type
from jax_trace_viz.capture.values.types import type_text
from jax_trace_viz.contract.document import Constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jax_trace_viz.capture.jaxprs.captures import Identity, Names

_CLOSED = getattr(core, "ClosedJaxpr", core.Jaxpr)


class Found(NamedTuple):
    """One baked-in array: its address while it lived and its content, type and size."""

    identity: Identity
    type: str
    bytes: int


def found(values: Iterable[Any]) -> list[Found]:
    """Describes the arrays among a jaxpr's constants. Outer tracers, which a nested body closes over, are none."""
    return [one for value in values if (one := _found(value)) is not None]


def _found(value: Any) -> Found | None:
    value = getattr(value, "original", value)  # jax 0.8 keeps (canonical, original)
    if isinstance(value, Tracer) or not hasattr(value, "dtype"):
        return None
    shape, dtype = tuple(value.shape), value.dtype
    kind = type_text(value.aval) if isinstance(value, Array) else array_type(shape, dtype)
    size = int(np.prod(shape, dtype=np.int64)) * int(getattr(dtype, "itemsize", 0))
    return Found(identity_of(value), kind, size)


def inside(jaxpr: Any) -> list[Found]:
    """Arrays that stand as literals or constants anywhere inside a jaxpr."""
    out: list[Found] = []
    seen: set[int] = set()
    left = [getattr(jaxpr, "jaxpr", jaxpr)]
    while left:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        out += found(getattr(one, "consts", ()))
        for equation in one.eqns:
            out += found(
                [x.val for x in equation.invars if isinstance(x, core.Literal) and getattr(x.aval, "shape", ())]
            )
            if equation.params:
                out += found(_inner_consts(equation.params))
                left += [inner for _, inner in inner_jaxprs(equation.params)]
    return out


def _inner_consts(parameters: dict[str, Any]) -> Iterator[Any]:
    """Constants of the closed jaxprs among an equation's parameters (before 0.12 they are not on the jaxpr itself)."""
    for value in parameters.values():
        for part in value if type(value) is tuple else (value,):
            if isinstance(part, _CLOSED):
                yield from part.consts


def named(all_found: list[Found], names: Names) -> list[Constant]:
    """Each array once, the largest first, named where the user's body names it."""
    once = {one.identity[0]: one for one in all_found}
    out: list[Constant] = []
    for one in sorted(once.values(), key=lambda one: -one.bytes):
        name, source = name_of(one.identity, names) or (None, "unknown")
        out.append(Constant(name=name, source=source, type=one.type, bytes=one.bytes))
    return out
