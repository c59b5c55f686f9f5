"""What became of the equations of each box, against the comparison of the whole."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

import jax_trace_viz
from jax_trace_viz.session.front_end import view

X = jnp.ones((3, 4))


def test_the_boxes_of_both_traces_add_up_to_the_comparison() -> None:
    @jax.jit
    def branching(params: dict[str, Any], x: Any) -> Any:
        h = jnp.tanh(x @ params["w"])
        h = jnp.exp(-(h * params["scale"])) if "scale" in params else jnp.sin(h)
        return jax.lax.scan(lambda c, row: (c + row.sum(), row * 2.0), 0.0, h)

    with jax_trace_viz.trace() as session:
        branching({"w": jnp.ones((4, 4))}, X)
        branching({"w": jnp.ones((4, 4)), "scale": jnp.ones(4)}, X)
        branching({"w": jnp.ones((4, 5))}, X)
    function = next(one.id for one in session.functions if one.name == "branching")
    first, second, third = (one.id for one in session.traces if one.function == function)
    for before, after in ((first, second), (second, third), (first, third)):
        diff = view.compare(session, after, before)
        assert diff is not None
        for trace, other, only in ((before, after, diff.removed), (after, before, diff.added)):
            for opened in ([], ["-" + box.id for box in graph_of(session, trace).boxes if box.open]):
                graph = view.graph(session, trace, opened, other=other)
                assert graph is not None
                assert graph.changes is not None
                tops = [c for c, box in zip(graph.changes.boxes, graph.boxes, strict=True) if box.parent is None]
                assert sum(one.only for one in tops) == only
                # The comparison counts among the changed those that differ in types and sizes only.
                assert sum(one.changed + one.resized for one in tops) == diff.changed
                assert sum(one.resized for one in tops) == diff.resized
        assert diff.added + diff.removed + diff.changed > 0


def graph_of(session: Any, trace: str) -> Any:
    return view.graph(session, trace)
