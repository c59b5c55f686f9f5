"""Jaxprs that one writer told, and JAX's own, walked through as its documentation says."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from jax_trace_viz.capture.jaxprs.writer import JaxprWriter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jax_trace_viz.contract.events import JaxprSeen
    from jax_trace_viz.contract.jaxpr import Frame, Jaxpr


class Recording:
    """All jaxprs and frames that one writer told."""

    def __init__(self, **options: int) -> None:
        self.writer = JaxprWriter(**options)
        self.jaxprs: dict[str, Jaxpr] = {}
        self.frames: list[Frame] = []

    def write(self, jaxpr: Any) -> Jaxpr:
        """Writes one jaxpr and returns its record."""
        id, events = self.writer.write(jaxpr)
        self.add(events)
        return self.jaxprs[id]

    def add(self, events: list[JaxprSeen]) -> None:
        """Takes events in, checking that they come in the promised order."""
        for event in events:
            assert event.first_frame == len(self.frames)
            self.frames += event.frames
            for equation in event.jaxpr.equations:
                assert all(sub.jaxpr in self.jaxprs for sub in equation.jaxprs), "innermost first"
                assert equation.frame is None or equation.frame < len(self.frames)
            self.jaxprs[event.jaxpr.id] = event.jaxpr


def plain(jaxpr: Any) -> Any:
    """The `Jaxpr` inside a `ClosedJaxpr`, which newer JAX no longer tells apart."""
    return getattr(jaxpr, "jaxpr", jaxpr)


def inner(equation: Any) -> list[Any]:
    """The jaxprs in an equation's parameters, as JAX's documentation says to find them."""
    groups = (value if isinstance(value, (tuple, list)) else (value,) for value in equation.params.values())
    values = itertools.chain.from_iterable(groups)
    return [plain(value) for value in values if hasattr(plain(value), "eqns")]


def walk(jaxpr: Any) -> Iterator[str]:
    """Primitives of JAX's own jaxpr, recursively."""
    for equation in plain(jaxpr).eqns:
        yield equation.primitive.name
        for sub in inner(equation):
            yield from walk(sub)


def primitives(jaxprs: Mapping[str, Jaxpr], id_: str) -> Iterator[str]:
    """The same of a recorded jaxpr, by its id."""
    for equation in jaxprs[id_].equations:
        yield equation.primitive
        for sub in equation.jaxprs:
            yield from primitives(jaxprs, sub.jaxpr)


def loops(x: jax.Array, w: jax.Array) -> jax.Array:
    """Scan, while, cond and a nested jit."""

    @jax.jit
    def double(v: jax.Array) -> jax.Array:
        return v * 2

    def body(carry: jax.Array, step: jax.Array) -> tuple[jax.Array, jax.Array]:
        return jnp.tanh(carry @ w) + step, carry.sum()

    carry, sums = jax.lax.scan(body, x, jnp.arange(3.0))
    carry = jax.lax.while_loop(lambda c: c.sum() < 100.0, lambda c: double(c) + 1, carry)
    return jax.lax.cond(sums[0] > 0, double, jnp.negative, carry)
