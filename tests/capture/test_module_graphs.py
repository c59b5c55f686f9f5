"""What is told of Flax's NNX modules whose graph changes from call to call."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import pytest

from tests.capture.told import recorded

if TYPE_CHECKING:
    from tests.capture.told import Told

nnx = pytest.importorskip("flax.nnx")


@pytest.fixture
def pair() -> tuple[Any, Any]:
    """A function of two modules, and what makes them."""

    class Net(nnx.Module):
        def __init__(self) -> None:
            self.a, self.b, self.act = nnx.Param(jnp.ones(2)), nnx.Param(jnp.ones(3)), jnp.tanh

    @nnx.jit
    def run(first, second, x):
        return x

    return Net, run


def told_of(told: Told) -> list[list[tuple[str | None, str | None, str | None]]]:
    return [[(r.path, r.before, r.after) for r in trace.reasons] for trace in told.traces("run")[1:]]


def test_a_module_that_grew_is_told_of_that_one_and_not_of_those_that_follow(pair: tuple[Any, Any]) -> None:
    net, run = pair
    first, second = net(), net()
    with recorded() as told:
        run(first, second, 1.0)
        first.aa = nnx.Param(jnp.ones(4))
        run(first, second, 1.0)
        second.b = nnx.BatchStat(jnp.ones(3))
        run(first, second, 1.0)
    assert told_of(told) == [
        [("first.aa", "not there", "f32[4]")],
        [("second", "b.__class__=Param", "b.__class__=BatchStat")],
    ]


def test_a_module_passed_twice_is_told_as_that(pair: tuple[Any, Any]) -> None:
    net, run = pair
    first, second = net(), net()
    with recorded() as told:
        run(first, second, 1.0)
        run(first, first, 1.0)
        second.c = second.a
        run(first, second, 1.0)
    (twice,), (again,) = told_of(told)
    assert twice[0] == "second"
    assert (twice[1] or "").endswith("a: f32[2], b: f32[3]")
    assert twice[2] == "is the same as object 0 of those passed before it"
    assert again == ("second.c", "not there", "the same as a")


def test_a_variable_that_became_none_is_told_once_where_the_graph_is_static() -> None:

    class Net(nnx.Module):
        def __init__(self) -> None:
            self.a, self.b = nnx.Param(jnp.ones(2)), nnx.Param(jnp.ones(3))

    @functools.partial(jax.jit, static_argnums=0)
    def run(graph, state):
        return nnx.merge(graph, state).a[...]

    model = Net()
    with recorded() as told:
        run(*nnx.split(model))
        model.b = None
        run(*nnx.split(model))
    reasons = [reason for reason in told.traces("run")[1].reasons if reason.kind == "new_static_value"]
    assert [(r.path, r.before, r.after) for r in reasons] == [("graph.b.__class__", "Param", "NoneType")]
