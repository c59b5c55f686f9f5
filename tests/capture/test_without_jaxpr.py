"""Bodies that JAX runs without staging them: their picture says why it is bare, and nothing of what they use."""

from __future__ import annotations

import jax
import jax.numpy as jnp

import jax_trace_viz
from jax_trace_viz.session.graph import build_graph

X = jnp.ones(3)


def loss(w, x):
    return jnp.sum((w * x) ** 2)


def picture_of_loss(program):
    with jax_trace_viz.trace() as session:
        program(X, X)
    document = session.document()
    number = next(one.id for one in document.functions if one.name == "loss")
    graph = build_graph(document, next(trace.id for trace in document.traces if trace.function == number))
    assert [box.notes for box in graph.boxes if box.kind == "argument"] == [(), ()]
    return graph


def test_outside_jit_the_operations_run_one_by_one():
    note = picture_of_loss(jax.value_and_grad(loss)).note
    assert note == "It has no jaxpr: outside jit, value_and_grad runs the body's operations one by one."


def test_inside_jit_the_equations_are_in_the_trace_around_it():
    note = picture_of_loss(jax.jit(lambda w, x: jax.grad(loss)(w, 2 * x))).note
    assert note == "It has no jaxpr of its own: its equations are in the trace around it."
