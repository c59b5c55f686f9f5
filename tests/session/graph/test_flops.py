"""Flops by shapes are those that XLA counts for a program of nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import pytest

import jax_trace_viz
from jax_trace_viz.session.graph import GraphOptions, build_graph

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.contract.picture import Box


def boxes_and_cost(function: Callable[..., Any], *arguments: Any) -> tuple[list[Box], float]:
    with jax_trace_viz.trace() as session:
        compiled = jax.jit(function).lower(*arguments).compile()
    analysis: Any = compiled.cost_analysis()
    costs = analysis[0] if isinstance(analysis, list) else analysis
    return build_graph(session, session.traces[0].id, GraphOptions(depth=0)).boxes, costs.get("flops", 0.0)


def matrices(x: jax.Array, y: jax.Array) -> jax.Array:
    return jnp.einsum("bij,bjk->bik", x, y)


def images(x: jax.Array, y: jax.Array) -> jax.Array:
    return jax.lax.conv(x, y, (1, 1), "VALID")


@pytest.mark.parametrize(
    ("function", "shapes"),
    [(matrices, ((5, 3, 7), (5, 7, 2))), (images, ((2, 3, 9, 8), (4, 3, 3, 2)))],
)
def test_products_are_counted_as_by_xla(function: Callable[..., Any], shapes: tuple[tuple[int, ...], ...]) -> None:
    boxes, cost = boxes_and_cost(function, *(jnp.ones(shape) for shape in shapes))
    assert sum(box.flops or 0 for box in boxes) == cost


def test_rounds_of_a_scan_count_and_those_of_a_while_are_not_known() -> None:
    x = jnp.ones((4, 4))

    def scanned(x: jax.Array) -> jax.Array:
        return jax.lax.scan(lambda c, _: (c @ c, None), x, length=5)[0]

    def looped(x: jax.Array) -> jax.Array:
        return jax.lax.while_loop(lambda c: c.sum() < 9, lambda c: c @ c, x)

    def elementwise(x: jax.Array) -> jax.Array:
        return jnp.tanh(x)

    for function, flops in ((scanned, 5 * 2 * 4**3), (looped, None), (elementwise, None)):
        boxes, _ = boxes_and_cost(function, x)
        assert [box.flops for box in boxes if box.kind in ("group", "operation")] == [flops]
