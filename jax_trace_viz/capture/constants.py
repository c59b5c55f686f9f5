"""Arrays baked into a jaxpr: found among its constants and literals, named as the user's body reads them."""

from __future__ import annotations

from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from jax import Array
from jax._src import core
from jax.core import Tracer

from jax_trace_viz.capture.parameters import inner_jaxprs
from jax_trace_viz.capture.types import type_text
from jax_trace_viz.capture.values import array_type
from jax_trace_viz.contract.document import Constant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Source = Literal["closure", "global", "unknown"]
Names = dict[int, tuple[str, Source]]
"""Address of an array → what the user's body calls it, and where the name lives."""

_CLOSED = getattr(core, "ClosedJaxpr", core.Jaxpr)
_MAX_NAMES = 200
_MAX_PARTS = 200
_MAX_DEPTH = 3


class Found(NamedTuple):
    """One baked-in array: its address while it lived, type and size."""

    address: int
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
    return Found(_address(value), kind, size)


def _address(value: Any) -> int:
    """The user's own array: newer JAX wraps NumPy arrays (`TypedNdArray.val`), and that may be a view."""
    inner = getattr(value, "val", value)
    while isinstance(inner, np.ndarray) and isinstance(inner.base, np.ndarray):
        inner = inner.base
    return id(inner)


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
    once = {one.address: one for one in all_found}
    out: list[Constant] = []
    for one in sorted(once.values(), key=lambda one: -one.bytes):
        name, source = names.get(one.address, (None, "unknown"))
        out.append(Constant(name=name, source=source, type=one.type, bytes=one.bytes))
    return out


def captured(frame: FrameType) -> Names:
    """Addresses of the arrays a body can read from outside, with the user's names: `w`, `cfg['w']`, `self.w`."""
    out: Names = {}
    code, values = frame.f_code, frame.f_locals
    own = {*code.co_varnames}
    for name in code.co_freevars:
        if name in values:
            _collect(name, "closure", values[name], _MAX_DEPTH, out)
    for name in list(values)[:_MAX_NAMES]:
        if name in own:  # a parameter such as `self` that holds arrays
            _collect(name, "unknown", values[name], _MAX_DEPTH, out)
    for name in _global_names(code):
        if name in frame.f_globals:
            _collect(name, "global", frame.f_globals[name], _MAX_DEPTH, out)
    return out


def _global_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _global_names(inner)


def _collect(name: str, source: Source, value: Any, depth: int, out: Names) -> None:
    if isinstance(value, Tracer) or len(out) > _MAX_PARTS:
        return
    if isinstance(value, (Array, np.ndarray)):
        out.setdefault(_address(value), (name, source))
    elif depth and type(value) is dict:
        for key, part in list(value.items())[:_MAX_PARTS]:
            _collect(f"{name}[{key!r}]" if type(key) in (str, int) else f"{name}[…]", source, part, depth - 1, out)
    elif depth and type(value) in (list, tuple):
        for i, part in enumerate(value[:_MAX_PARTS]):
            _collect(f"{name}[{i}]", source, part, depth - 1, out)
    elif depth and _is_plain_object(value):
        for attribute, part in list(vars(value).items())[:_MAX_PARTS]:
            _collect(f"{name}.{attribute}", source, part, depth - 1, out)


def _is_plain_object(value: Any) -> bool:
    """An instance of a class written in Python, whose attributes can be read without running anybody's code."""
    return type(getattr(value, "__dict__", None)) is dict and not callable(value)
