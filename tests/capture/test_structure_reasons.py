"""What is told of pytrees whose structure changes from call to call."""

from __future__ import annotations

import dataclasses
import functools
import re

import jax
import jax.numpy as jnp
import pytest

from tests.capture.told import recorded


def test_a_list_that_grows_is_one_cause() -> None:
    @jax.jit
    def update(xs):
        return sum(xs)

    with recorded() as told:
        history: list[float] = []
        for number in range(6):
            history.append(float(number))
            update(history)
    (finding,) = told.document.findings
    assert finding.kind == "growing_pytree"
    assert finding.text == (
        "`update` was traced 5 more times because xs changed its length "
        "list of 1 → list of 2 → list of 3 → … (2 more) → list of 6."
    )
    assert finding.fix is not None
    assert "one array that has room for all of it" in finding.fix


def test_a_list_that_became_a_tuple_did_not_only_change_its_length() -> None:
    @jax.jit
    def update(xs):
        return sum(xs)

    with recorded() as told:
        for given in ([1.0], [1.0, 2.0], (1.0, 2.0, 3.0)):
            update(given)
    (finding,) = told.document.findings
    assert "xs changed its pytree structure list of 1 → list of 2; [*, *] → (*, *, *)" in finding.text
    assert "the same containers" in (finding.fix or "")


def test_what_else_changed_with_a_leaf_is_not_hidden() -> None:
    @jax.jit
    def f(d):
        return d[0] + d[1]

    x = jnp.ones(2)
    with recorded() as told:
        f({0: x, 1: x, 2: x})
        f([x, x])
    (reason,) = told.traces("f")[1].reasons
    assert (reason.path, reason.before, reason.after) == ("d", "{0: *, 1: *, 2: *}", "[*, *]")


def test_the_static_fields_of_a_registered_dataclass_have_their_names() -> None:
    @functools.partial(jax.tree_util.register_dataclass, data_fields=["x"], meta_fields=["scale", "name"])
    @dataclasses.dataclass
    class Variable:
        x: jax.Array
        name: str
        scale: float

    @jax.jit
    def double(v):
        return v.x * v.scale * 2

    with recorded() as told:
        double(Variable(jnp.ones(3), "v", 1.0))
        double(Variable(jnp.ones(3), "v", 2.0))
    (reason,) = told.traces("double")[1].reasons
    assert (reason.path, reason.before, reason.after) == (
        "v",
        f"{Variable.__qualname__}[scale=1.0, name='v'](*)",
        f"{Variable.__qualname__}[scale=2.0, name='v'](*)",
    )


def test_functions_in_a_structure_are_to_be_made_once() -> None:
    @jax.tree_util.register_pytree_node_class
    class Layer:
        def __init__(self, w, act):
            self.w, self.act = w, act

        def tree_flatten(self):
            return (self.w,), (self.act,)

        @classmethod
        def tree_unflatten(cls, auxiliary, children):
            return cls(*children, *auxiliary)

    @jax.jit
    def forward(layer):
        return layer.act(layer.w)

    with recorded() as told:
        for _ in range(3):
            forward(Layer(jnp.ones(3), lambda v: v))
    (finding,) = told.document.findings
    assert re.search(r"<lambda> #\d+\]\(\*\) → ", finding.text)
    assert "Make it once" in (finding.fix or "")


def test_a_list_of_a_librarys_that_grows_is_one_cause() -> None:
    nnx = pytest.importorskip("flax.nnx")
    if not hasattr(nnx, "List"):
        pytest.skip("this Flax keeps plain lists")

    class Stack(nnx.Module):
        def __init__(self):
            self.layers = nnx.List([])

        def grow(self):
            self.layers.append(nnx.Linear(2, 2, rngs=nnx.Rngs(0)))

    @nnx.jit
    def run(model, x):
        for layer in model.layers:
            x = layer(x)
        return x

    model = Stack()
    with recorded() as told:
        for _ in range(3):
            model.grow()
            run(model, jnp.ones((1, 2)))
    reasons = [trace.reasons for trace in told.traces("run")[1:]]
    assert [[(r.path, r.before, r.after) for r in each] for each in reasons] == [
        [("model.layers", "list of 1", "list of 2")],
        [("model.layers", "list of 2", "list of 3")],
    ]


def test_settings_of_a_module_that_came_are_told_by_name() -> None:
    nnx = pytest.importorskip("flax.nnx")
    model = nnx.Linear(2, 2, rngs=nnx.Rngs(0))

    @nnx.jit
    def run(model, x):
        return model(x)

    with recorded() as told:
        run(model, jnp.ones((1, 2)))
        model.note = "second"
        run(model, jnp.ones((1, 2)))
    (reason,) = told.traces("run")[1].reasons
    assert (reason.path, reason.before, reason.after) == ("model.note", "not there", "'second'")


def test_a_setting_that_changed_together_with_a_leaf_is_not_hidden() -> None:
    eqx = pytest.importorskip("equinox")

    class Net(eqx.Module):
        w: jax.Array
        bias: jax.Array | None
        scale: float = eqx.field(static=True)

    @eqx.filter_jit
    def run(net):
        return net.w * net.scale

    with recorded() as told:
        run(Net(jnp.ones(2), None, 1.0))
        run(Net(jnp.ones(2), jnp.ones(2), 2.0))
    (reason,) = told.traces("run")[1].reasons
    assert reason.path == "net"
    assert "scale=1.0" in (reason.before or "")
    assert "scale=2.0" in (reason.after or "")


def test_one_more_state_made_of_new_functions_is_a_finding() -> None:
    optax, train_state = pytest.importorskip("optax"), pytest.importorskip("flax.training.train_state")

    def apply(params, x):
        return params["w"] * x

    @jax.jit
    def step(state, x):
        return state.apply_fn(state.params, x)

    with recorded() as told:
        for _ in range(2):
            made = {"apply_fn": apply, "params": {"w": jnp.ones(2)}, "tx": optax.sgd(0.1)}
            step(train_state.TrainState.create(**made), jnp.ones(2))
    (finding,) = told.document.findings
    assert finding.kind == "growing_pytree"
    assert "compared by identity" in (finding.fix or "")


def test_the_nearest_of_two_structures_is_the_one_with_fewer_differences() -> None:
    @jax.jit
    def norm(params):
        return sum(jnp.sum(leaf) for leaf in jax.tree.leaves(params))

    with recorded() as told:
        norm({"w": jnp.ones(2), "b": jnp.ones(2)})
        norm((jnp.ones(2),))
        norm({"w": jnp.ones(2)})
    third = told.traces("norm")[2]
    assert third.compared_with == told.traces("norm")[0].id
    (reason,) = third.reasons
    assert (reason.path, reason.before, reason.after) == ("params['b']", "f32[2]", "not there")


def test_a_module_that_changed_in_several_places_is_told_by_its_settings_and_leaves() -> None:
    nnx = pytest.importorskip("flax.nnx")

    class Net(nnx.Module):
        def __init__(self, *, use_bias: bool) -> None:
            self.first = nnx.Linear(2, 3, use_bias=use_bias, rngs=nnx.Rngs(0))

    @nnx.jit
    def run(model, x):
        return model.first(x)

    with recorded() as told:
        run(Net(use_bias=True), jnp.ones((1, 2)))
        run(Net(use_bias=False), jnp.ones((1, 2)))
    (reason,) = told.traces("run")[1].reasons
    assert reason.path == "model"
    assert (reason.before or "").startswith("first.use_bias=True, first.bias")
    assert reason.after == "first.use_bias=False"
