"""Inputs of programs that a library's wrapper makes have the names of the user's own parameters and fields."""

from __future__ import annotations

import contextlib
import functools
import sysconfig
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import jax_trace_viz
from jax_trace_viz.session.graph import build_graph

equinox = pytest.importorskip("equinox")
linen = pytest.importorskip("flax.linen")


class Scaled(equinox.Module):
    """Two arrays of one type: only their identity tells them apart."""

    weight: Any
    bias: Any
    times: int

    def __call__(self, x: Any) -> Any:
        h = self.weight * x * self.times + self.bias
        return h if h.ndim else -h


class Failing(Scaled):
    """Python needs a value."""

    def __call__(self, x: Any) -> Any:
        h = self.weight * x
        if h.sum() > 0:
            return h
        return -h


class Net(linen.Module):
    """A method that `jit` is given bound."""

    @linen.compact
    def __call__(self, x: Any) -> Any:
        h = linen.Dense(2)(x)
        return jnp.where(h > 0, h, 0)


SWEEPS = """
import jax

def sweep(model, draws, *args):
    return jax.lax.map(lambda x: model(*args, x["scale"]), draws)
"""
"""A library that maps a function of its own, whose parameter has a common name, and calls the user's inside."""


def sweep(model: Any, draws: Any, *args: Any) -> Any:
    scope: dict[str, Any] = {}
    exec(compile(SWEEPS, str(Path(sysconfig.get_path("purelib")) / "sweeps.py"), "exec"), scope)
    return scope["sweep"](model, draws, *args)


def names(call: Any) -> list[list[str]]:
    with jax_trace_viz.trace() as session:
        call()
    document = session.document()
    assert document.faults == []
    traced = {trace.jaxpr for trace in document.traces if trace.kind == "jit"}
    return [jaxpr.input_names for jaxpr in document.jaxprs if jaxpr.id in traced]


def test_fields_of_a_module_are_named_by_their_paths() -> None:
    @equinox.filter_jit
    def step(model: Any, x: Any) -> Any:
        return model(x)

    model = Scaled(jnp.ones(3), jnp.zeros(3), 2)
    assert names(lambda: step(model, jnp.ones(3))) == [["model.weight", "model.bias", "x"]]


def test_results_are_named_as_the_user_returns_them() -> None:
    @equinox.filter_jit
    def step(model: Any, x: Any) -> Any:
        y = model(x)
        return y, {"model": model}

    model = Scaled(jnp.ones(3), jnp.zeros(3), 2)
    with jax_trace_viz.trace() as session:
        step(model, jnp.ones(3))
    (jaxpr,) = (one for one in session.document().jaxprs if one.input_names and one.input_names[-1] == "x")
    weight, bias = "result[1]['model'].weight", "result[1]['model'].bias"
    assert jaxpr.output_names == ["filter_jit", "result[0]", weight, bias]
    graph = build_graph(session.document(), next(t.id for t in session.traces if t.jaxpr == jaxpr.id))
    assert [box.label for box in graph.boxes if box.kind == "result"] == ["filter_jit: always 0", "y", "result[1]"]


def test_a_module_that_is_called_itself() -> None:
    model = Scaled(jnp.ones(3), jnp.zeros(3), 2)
    ((*found,),) = names(lambda: equinox.filter_jit(model)(jnp.ones(3)))
    assert sorted(found) == ["self.bias", "self.weight", "x"]


def test_a_bound_method_of_flax() -> None:
    net = Net()
    variables = net.init(jax.random.key(0), jnp.ones((1, 3)))
    (found,) = names(lambda: jax.jit(net.apply)(variables, jnp.ones((1, 3))))
    assert found[-1] == "x"


def test_variables_of_nnx_modules_in_the_order_in_which_jax_takes_them() -> None:
    nnx = pytest.importorskip("flax.nnx")

    class Layers(nnx.Module):
        def __init__(self) -> None:
            self.wide = nnx.Linear(2, 5, use_bias=False, rngs=nnx.Rngs(0))
            self.narrow = nnx.Linear(2, 3, rngs=nnx.Rngs(1))

    @nnx.jit
    def step(x: Any, *, second: Any, first: Any) -> Any:
        return first.wide(x), first.narrow(x), second.wide(x)

    with jax_trace_viz.trace() as session:
        step(jnp.ones((4, 2)), second=Layers(), first=Layers())
    document = session.document()
    (trace,) = (trace for trace in document.traces if trace.kind == "jit")
    (jaxpr,) = (jaxpr for jaxpr in document.jaxprs if jaxpr.id == trace.jaxpr)
    inputs = dict(zip(jaxpr.input_names, (jaxpr.types[number] for number in jaxpr.inputs), strict=True))
    shapes = {"narrow.bias": "f32[3]", "narrow.kernel": "f32[2,3]", "wide.kernel": "f32[2,5]"}
    layers = [(f"{name}.{path}", shape) for name in ("first", "second") for path, shape in shapes.items()]
    assert list(inputs.items()) == [("x", "f32[4,2]"), *layers]


def test_a_librarys_function_gives_the_users_parameters_no_name() -> None:
    """The user's `x` is an array that is baked in; the library's `x` is something else."""

    def model(x: Any, scale: Any) -> Any:
        return (x * scale).sum()

    with jax_trace_viz.trace() as session:
        sweep(model, {"scale": jnp.ones(5), "shift": jnp.ones(5)}, jnp.arange(3.0))
    (trace,) = (one for one in session.traces if one.jaxpr)
    assert trace.kind == "map"
    (jaxpr,) = (one for one in session.document().jaxprs if one.id == trace.jaxpr)
    assert jaxpr.input_names == ["scale", ""]
    graph = build_graph(session.document(), trace.id)
    told = {box.label: box.kind for box in graph.boxes if box.kind in ("argument", "constant")}
    assert told == {"x": "constant", "scale": "argument", "unnamed": "argument"}


def test_results_of_a_librarys_function_are_not_the_names_in_the_users_return() -> None:
    class Normed(linen.Module):
        @linen.compact
        def __call__(self, x: Any) -> Any:
            y = linen.BatchNorm(use_running_average=False)(x)
            z = y * 2
            return y, z

    net = Normed()
    variables = net.init(jax.random.key(0), jnp.ones((2, 3)))
    with jax_trace_viz.trace() as session:
        jax.jit(lambda *given: net.apply(*given, mutable=["batch_stats"]))(variables, jnp.ones((2, 3)))
        jax.jit(functools.partial(net.apply, mutable=["batch_stats"]))(variables, jnp.ones((2, 3)))
    for trace in session.traces:
        if trace.jaxpr:
            graph = build_graph(session.document(), trace.id)
            results = [box.label for box in graph.boxes if box.kind == "result"]
            assert results == ["result[0]", "result[1]"], trace.kind


def test_the_chain_of_an_error_ends_at_the_users_field() -> None:
    model = Failing(jnp.ones(3), jnp.zeros(3), 2)
    with contextlib.suppress(jax.errors.TracerBoolConversionError), jax_trace_viz.trace() as session:
        equinox.filter_jit(model)(jnp.ones(3))
    (finding,) = session.document().findings
    assert "`h` ← `self.weight * x` ← argument `self.weight` (f32[3]); `x` decides too" in finding.text
