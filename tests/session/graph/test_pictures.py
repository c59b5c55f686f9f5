"""Programs as people write them, and what must be seen in their pictures."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from msgspec.structs import replace

from jax_trace_viz.session.graph import build_graph
from tests.session.graph.checks import check_picture
from tests.session.graph.support import TRACE, arrows, box, traced

if TYPE_CHECKING:
    from jax_trace_viz.contract.picture import Graph

TABLE = np.ones((256, 256), np.float32)
PARAMETERS = [{"w": np.ones((256, 256), np.float32), "b": np.ones(256, np.float32)} for _ in range(4)]
X = np.ones((8, 256), np.float32)


def layer(p: dict[str, Any], x: Any) -> Any:
    h = x @ p["w"] + p["b"]
    mean = jnp.mean(h, axis=-1, keepdims=True)
    std = jnp.std(h, axis=-1, keepdims=True)
    return jax.nn.gelu((h - mean) / (std + 1e-5))


def predict(params: list[dict[str, Any]], x: Any) -> Any:
    h = x @ jnp.asarray(TABLE)
    for p in params:
        h = layer(p, h)
    return h


def train_step(params: list[dict[str, Any]], x: Any, y: Any) -> Any:
    def loss_fn(params: list[dict[str, Any]]) -> Any:
        pred = predict(params, x)
        err = pred - y
        return jnp.mean(err**2)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    new_params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return new_params, loss


def adversaries(g: Any, d: Any, z: Any) -> Any:
    def of_discriminator(d: Any) -> Any:
        return jnp.mean(jnp.tanh(jnp.tanh(z @ g) @ d) ** 2)

    def of_generator(g: Any) -> Any:
        return -jnp.mean(jnp.tanh(jnp.tanh(z @ g) @ d) ** 2)

    return jax.grad(of_discriminator)(d), jax.grad(of_generator)(g)


def simulate(x: Any) -> Any:
    for _ in range(3000):
        x = jnp.sin(x) * 1.01 + x
    return x


def newton(a: Any) -> Any:
    def body(state: Any) -> Any:
        x, i = state
        x_new = 0.5 * (x + a / x)
        return x_new, i + 1

    x, steps = jax.lax.while_loop(lambda s: (jnp.abs(s[0] * s[0] - a) > 1e-6) & (s[1] < 50), body, (a, 0))
    return x, steps


@pytest.fixture(scope="module")
def training() -> Graph:
    return build_graph(traced(train_step, PARAMETERS, X, X), TRACE)


def test_a_training_step_is_readable(training: Graph) -> None:
    check_picture(training)
    assert 20 <= sum(not one.open for one in training.boxes) <= 60
    assert training.equations > 300


def test_layers_are_one_plate_with_the_names_of_the_source(training: Graph) -> None:
    forward = box(training, "layer ×4")
    assert (forward.name, forward.repeat, forward.phase) == ("h", 4, "forward")
    names = {one.name: one.label for one in training.boxes if one.name}
    assert names["mean"] == "jnp.mean"
    assert names["err"] == "sub"
    assert names["new_params"] == "jax.tree.map ×8"
    assert not any(one.name for one in training.boxes if one.phase == "backward")


def test_arguments_are_followed_to_their_update(training: Graph) -> None:
    notes = {note for one in training.boxes for note in one.notes}
    assert {"← params[*]['w']", "← params[*]['b']"} <= notes
    assert {one.label for one in training.boxes if one.kind == "result"} == {"new_params", "loss"}


def test_a_baked_in_constant_is_seen(training: Graph) -> None:
    constants = [one for one in training.boxes if one.kind == "constant"]
    assert [one.detail for one in constants] == ["f32[256,256], 262 kB"]


def test_boxes_know_their_lines(training: Graph) -> None:
    source = train_step.__code__
    error = next(one for one in training.boxes if one.name == "err")
    assert [(place.file, place.line) for place in error.places] == [(source.co_filename, source.co_firstlineno + 3)]


def test_two_gradients_make_two_pairs() -> None:
    graph = build_graph(traced(adversaries, np.ones((3, 3)), np.ones((3, 1)), np.ones((4, 3))), TRACE)
    check_picture(graph)
    labels = {one.id: one.label for one in graph.boxes}
    saved = [(labels[edge.source], labels[edge.target]) for edge in graph.edges if edge.kind == "saved"]
    assert saved == [("jax.grad(of_discriminator)",) * 2, ("jax.grad(of_generator)",) * 2]


def test_an_unrolled_loop_is_one_copy_of_its_line() -> None:
    recording = traced(simulate, np.ones(3))
    started = time.process_time()
    graph = build_graph(recording, TRACE)
    assert time.process_time() - started < 2
    check_picture(graph)
    plate = next(one for one in graph.boxes if one.repeat > 1)
    assert (plate.repeat, plate.label) == (3000, "x = jnp.sin(x) * 1.01 + x ×3,000")
    assert len(graph.boxes) <= 10


def test_a_loop_with_its_ports() -> None:
    graph = build_graph(traced(newton, 2.0), TRACE)
    check_picture(graph)
    loop = next(one for one in graph.boxes if one.label == "while loop")
    assert loop.name == "x, steps"
    assert ("next carry", "x") in arrows(graph)
    assert ("add 1", "next carry") in arrows(graph)
    assert {"go on?", "carry: state"} <= {one.label for one in graph.boxes}


def choose(x: Any, which: Any) -> Any:
    y = jax.lax.cond(x > 0, lambda v: jnp.sin(v) * 2, lambda v: jnp.cos(v) * 3, x)
    return jax.lax.switch(which, [lambda v: jnp.tan(v) + 1, lambda v: jnp.exp(v) + 2], y)


def test_branches_of_a_cond_say_when_they_run() -> None:
    graph = build_graph(traced(choose, 1.0, 1), TRACE)
    check_picture(graph)
    labels = {one.id: one.label for one in graph.boxes}
    inside = {one.label: labels[one.parent] for one in graph.boxes if one.parent in labels}
    assert inside["sin"] == "branch 1: if True"
    assert inside["cos"] == "branch 0: if False"
    assert (inside["tan"], inside["exp"]) == ("branch 0", "branch 1")


def test_nothing_but_what_can_be_opened_looks_so() -> None:
    graph = build_graph(traced(lambda x: jax.lax.cond(x > 0, jnp.sin, lambda v: v, x), 1.0), TRACE)
    idle = next(one for one in graph.boxes if one.detail == "passes its inputs on")
    assert idle.kind == "operation"


def test_ids_do_not_depend_on_the_source_which_not_every_thread_can_read() -> None:
    for recording in (traced(train_step, PARAMETERS, X, X), traced(newton, 2.0), traced(choose, 1.0, 1)):
        with_source = build_graph(recording, TRACE)
        recording.functions = [replace(function, source=None) for function in recording.functions]
        assert [one.id for one in build_graph(recording, TRACE).boxes] == [one.id for one in with_source.boxes]
