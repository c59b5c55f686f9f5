"""When a function object is another one, told of real programs."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import pytest

from tests.capture.told import recorded


def test_a_rule_is_no_new_object_where_the_program_around_it_is_traced_again() -> None:
    @jax.custom_vjp
    def double(x):
        return 2 * x

    def forward(x):
        return double(x), None

    def backward(_, g):
        return (2 * g,)

    double.defvjp(forward, backward)
    step = jax.jit(jax.grad(lambda x: (double(x) * double(x)).sum()))
    with recorded() as told:
        step(jnp.ones(2))
        step(jnp.ones(3))
    assert told.kinds("forward") == [["first_call"], ["uncached_transform"], ["new_shape"], ["uncached_transform"]]
    assert not told.document.findings


def test_a_bound_method_of_a_library_is_a_new_object_each_time() -> None:
    nn = pytest.importorskip("flax.linen")

    class Net(nn.Module):
        width: int

        @nn.compact
        def __call__(self, x):
            return nn.Dense(self.width)(x)

    x = jnp.ones((2, 3))
    weights = Net(4).init(jax.random.key(0), x)
    stable = jax.jit(Net(4).apply)
    with recorded() as told:
        for _ in range(2):
            jax.jit(Net(4).apply)(weights, x)
        for rows in (2, 5):
            stable(weights, jnp.ones((rows, 3)))
    first, again, kept, wider = told.kinds("__call__")
    assert (first, again, wider) == (["first_call"], ["new_function_object"], ["new_shape"])
    assert kept == ["new_function_object"]


def test_what_a_librarys_jit_runs_may_be_another_function_of_the_same_name() -> None:
    equinox = pytest.importorskip("equinox")

    def fit(scale):
        @equinox.filter_jit
        def objective(x):
            return scale * x

        return objective(jnp.ones(3))

    with recorded() as told:
        for scale in (1.0, 2.0):
            fit(scale)
    assert told.kinds("objective") == [["first_call"], ["new_function_object"]]


def test_what_is_new_is_the_transformation_of_a_function_that_stays() -> None:
    def loss(x):
        return x * x

    with recorded() as told:
        for _ in range(3):
            jax.jit(jax.grad(loss))(1.0)
    assert [reason.after for trace in told.traces("loss")[1:] for reason in trace.reasons] == ["another grad"] * 2
    (finding,) = told.document.findings
    assert "a new `grad` of `loss` was made each time" in finding.text
    assert finding.fix is not None
    assert finding.fix.startswith("Make the `grad` of `loss` once")


def test_what_is_new_may_be_a_partial_or_a_bound_method_of_a_function_that_stays() -> None:
    def scale(factor, x):
        return factor * x

    class Model:
        def apply(self, x):
            return x + 1

    model = Model()
    with recorded() as told:
        for factor in range(3):
            jax.jit(functools.partial(scale, factor))(1.0)
            jax.jit(model.apply)(1.0)
    texts = {finding.text for finding in told.document.findings}
    why = "was made each time, and JAX keeps its traces by function object."
    assert texts == {
        f"`scale` was traced 2 more times because a new `functools.partial` of `scale` {why}",
        f"`apply` was traced 2 more times because a new bound method `apply` {why}",
    }
