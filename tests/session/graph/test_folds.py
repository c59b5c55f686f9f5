"""Every fold opens: groups, copies, bundles and what is saved; and what a fold says of its values is true."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jax_trace_viz.session.graph import GraphOptions, build_graph
from tests.session.graph.checks import check_picture
from tests.session.graph.gallery import PROGRAMS, recorded
from tests.session.graph.support import TRACE, traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.picture import Box, Edge, Graph

X = np.ones((8, 4), np.float32)


def around(graph: Graph, box: Box) -> Iterator[str]:
    """Ids of a box and of the groups that it lies in."""
    boxes = {one.id: one for one in graph.boxes}
    yield box.id
    while box.parent is not None:
        box = boxes[box.parent]
        yield box.id


def check_fold(graph: Graph, edge: Edge) -> None:
    """Its values go from within its one end to within the other, along the links that the boxes have."""
    links = {(link.source, link.target) for link in graph.links}
    assert edge.values
    assert [value.bytes for value in edge.values] == sorted((value.bytes for value in edge.values), reverse=True)
    for value in edge.values:
        assert value.targets
        assert edge.source in around(graph, graph.boxes[value.source])
        assert {(value.source, target) for target in value.targets} <= links
        assert all(edge.target in around(graph, graph.boxes[target]) for target in value.targets)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_fold_of_the_gallery_opens(name: str) -> None:
    document, trace = recorded(name)
    graph = build_graph(document, trace)
    for group in graph.boxes:
        if group.kind != "group" or group.part:  # a part of a loop is closed with it
            continue
        asked = [f"-{group.id}"] if group.open else [group.id, f"{group.id}#{group.repeat - 1}"]
        toggled = build_graph(document, trace, GraphOptions(open_boxes=asked))
        now = next(one for one in toggled.boxes if one.id == group.id)
        assert now.open != group.open, group.label
        assert any(one.parent == group.id for one in toggled.boxes) == now.open, f"{group.label} is empty"
        assert now.shown == (0 if group.open else group.repeat - 1)
        check_picture(toggled)
    for edge in graph.edges:
        assert (edge.kind == "value") == (not edge.values)
        if edge.values:
            check_fold(graph, edge)
        if edge.label:
            assert edge.label.startswith(f"{sum(value.count for value in edge.values)} value")


def test_what_is_saved_is_what_the_backward_pass_uses_of_the_forward_pass() -> None:
    """Counted in the jaxpr itself: what equations under `transpose` use, and equations before them make."""

    def loss(w: Any, x: Any) -> Any:
        h = jnp.tanh(x @ w)
        g = jnp.exp(h) * h
        return jnp.sum(g * x)

    program = jax.grad(loss)
    arguments = np.ones((4, 4), np.float32), X
    jaxpr = jax.make_jaxpr(program)(*arguments).jaxpr
    backward = [e for e in jaxpr.eqns if "transpose" in str(e.source_info.name_stack)]
    made = {id(v) for e in jaxpr.eqns if e not in backward for v in e.outvars}
    used = {id(v): v.aval for e in backward for v in e.invars if id(v) in made}
    graph = build_graph(traced(program, *arguments), TRACE)
    edge = next(edge for edge in graph.edges if edge.kind == "saved")
    told: Counter[str] = Counter()
    for value in edge.values:
        told[value.type] += value.count
    assert len(used) > 1
    assert told == Counter(f"f32[{','.join(map(str, aval.shape))}]" for aval in used.values())
    assert sum(value.bytes for value in edge.values) == sum(aval.size * 4 for aval in used.values())


def test_a_saved_value_has_the_name_that_the_source_gives_it() -> None:
    def block(w: Any, x: Any) -> Any:
        hidden = jnp.exp(x @ w)
        return hidden * jnp.sin(x)

    def loss(w: Any, x: Any) -> Any:
        return jnp.sum(block(w, x) ** 2)

    graph = build_graph(traced(jax.value_and_grad(loss), np.ones((4, 4), np.float32), X), TRACE, GraphOptions(depth=1))
    edge = next(edge for edge in graph.edges if edge.kind == "saved")
    rows = {value.name or value.operation: graph.boxes[value.source].label for value in edge.values}
    assert rows.get("hidden") == "block"


def test_key_paths_of_a_bundle_are_told_in_full() -> None:
    graph = build_graph(*recorded("transformer"))
    edges = [edge for edge in graph.edges if edge.kind == "bundle" and edge.source == "in/0"]
    told = {value.name: (value.type, value.count) for edge in edges for value in edge.values}
    assert told["params['Block_0…11']['Dense_0']['kernel']"] == ("f32[64,256]", 12)
    assert told["params['Embed_0']['embedding']"] == ("f32[100,64]", 1)
    assert all("]…" not in name for name in told)
