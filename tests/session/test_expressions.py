"""Expressions of the source with the equations they staged, on real jaxprs."""

from __future__ import annotations

import inspect

import jax
import jax.numpy as jnp
import pytest

import jax_trace_viz
from jax_trace_viz.session.front_end.view import update


def expressions(function, *arguments, name=None):
    """Text of each expression → what it is told to have staged in the newest trace of a function."""
    with jax_trace_viz.trace() as session:
        jax.jit(function)(*arguments)
    (fn,) = [f for f in session.functions if f.name == (name or function.__name__)]
    lines = inspect.getsource(inspect.getmodule(function)).encode().splitlines()
    (told,) = [e for e in update(session).expressions if e.trace.startswith(f"{fn.id}#")]
    found = {}
    for one in told.expressions:
        text = lines[one.line - 1 : one.end_line]
        text[-1] = text[-1][: one.end_column]
        text[0] = text[0][one.column :]
        found[" ".join(part.decode().strip() for part in text), one.phase] = one
    return found


def centre(image):
    height, width = image.shape
    middle, across = height // 2, width // 2
    return image[middle, across] * jnp.sin(2.0 + image[0, 0])


def test_an_expression_has_the_equations_of_its_own_columns():
    told = expressions(centre, jnp.ones((28, 30)))
    assert {text for text, _ in told} == {
        "image[middle, across]",
        "image[0, 0]",
        "2.0 + image[0, 0]",
        "jnp.sin(2.0 + image[0, 0])",
        "image[middle, across] * jnp.sin(2.0 + image[0, 0])",
    }
    assert next(iter(told))[0].startswith("image[middle, across] * jnp.sin")  # what holds others before them
    whole = told["image[middle, across] * jnp.sin(2.0 + image[0, 0])", ""]
    assert (whole.primitives, whole.equations, whole.types) == (["mul"], 1, ["f32[]"])
    assert told["image[middle, across]", ""].types == ["f32[]"]  # not the f32[1,1] on the way
    assert told["jnp.sin(2.0 + image[0, 0])", ""].primitives == ["sin"]


def helper(z):
    return jnp.tanh(z) * jnp.sum(
        z,
    )


def calls(x):
    é = helper(x)  # noqa: PLC2401
    return é + helper(é)


def test_a_call_has_the_equations_of_the_function_it_calls():
    told = expressions(calls, jnp.ones(3))
    both = [told["helper(x)", ""], told["helper(é)", ""]]
    assert [(one.primitives, one.equations, one.types) for one in both] == [
        (["tanh", "reduce_sum", "mul"], 3, ["f32[3]"])
    ] * 2
    assert told["jnp.sum( z, )", ""].equations == 2
    assert told["é + helper(é)", ""].primitives == ["add"]


def loss(w, x):
    return jnp.sum(jnp.tanh(x @ w))


def step(w, xs):
    return jax.vmap(jax.grad(loss), in_axes=(None, 0))(w, xs)


@pytest.mark.skipif(jax.version.__version_info__ < (0, 7), reason="JAX did not name these phases yet")
def test_the_passes_of_differentiation_and_the_batch_are_told_apart():
    told = expressions(step, jnp.ones(3), jnp.ones((5, 3)))
    forward, backward = told["x @ w", "forward"], told["x @ w", "backward"]
    assert (forward.types, backward.types) == (["f32[5]"], ["f32[5,3]"])
    assert list(told).index(("x @ w", "forward")) < list(told).index(("x @ w", "backward"))
    assert forward.mapped
    assert backward.mapped
    assert set(told["jax.vmap(jax.grad(loss), in_axes=(None, 0))(w, xs)", "forward"].primitives) >= {"tanh"}
