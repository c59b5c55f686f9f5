"""Gradients as users write them: each pass is told apart, and has the names that the source gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from tests.session.graph.checks import picture

if TYPE_CHECKING:
    from jax_trace_viz.contract.picture import Box, Graph

X = np.ones((4, 4), np.float32)


def net(params: dict[str, Any], x: Any) -> Any:
    h = jax.nn.relu(x @ params["w1"] + params["b1"])
    return h @ params["w2"] + params["b2"]


def inner_loss(params: dict[str, Any], x: Any, y: Any) -> Any:
    return jnp.mean((net(params, x) - y) ** 2)


def maml_loss(params: dict[str, Any], support: Any, query: Any, lr: Any) -> Any:
    for _ in range(2):
        grads = jax.grad(inner_loss)(params, *support)
        params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return inner_loss(params, *query)


def meta_step(params: dict[str, Any], log_lr: Any, tasks: Any) -> Any:
    def batch_loss(params: dict[str, Any], log_lr: Any) -> Any:
        return jax.vmap(maml_loss, in_axes=(None, 0, 0, None))(params, *tasks, jnp.exp(log_lr)).mean()

    return jax.value_and_grad(batch_loss, argnums=(0, 1))(params, log_lr)


def test_a_bundle_said_in_words_is_said_in_the_boxes_that_use_it() -> None:
    """Gradients of gradients are large: what is too far to draw must stand in the boxes, also what came as a bundle."""
    params = {"w1": np.ones((1, 4)), "b1": np.ones(4), "w2": np.ones((4, 1)), "b2": np.ones(1)}
    task = np.ones((3, 5, 1)), np.ones((3, 5, 1))
    graph = picture(meta_step, params, -3.0, (task, task))
    assert any("← tasks[" in note for one in graph.boxes for note in one.notes)


def frame_of(graph: Graph, one: Box) -> str:
    """What the frame around a box is called."""
    around = next((other for other in graph.boxes if other.id == one.parent), None)
    return f"{around.name} = {around.label}" if around else ""


def test_a_gradient_in_a_forward_pass_stands_in_it() -> None:
    def loss(w: Any, x: Any) -> Any:
        h = jnp.tanh(x @ w)
        return jnp.sum(h**2)

    def penalised(w: Any, x: Any) -> Any:
        def total(w: Any) -> Any:
            value, slope = jax.value_and_grad(loss, argnums=1)(w, x)
            penalty = jnp.sum(slope**2)
            return value + 0.1 * penalty

        return jax.grad(total)(w)

    graph = picture(penalised, X, X)
    passes = [(one.label, frame_of(graph, one)) for one in graph.boxes if "backward pass" in one.label + one.detail]
    inner = "value, slope = jax.value_and_grad(loss, argnums=1)"
    assert sorted(passes) == [("backward pass", inner), ("jax.grad(total)", "")]
    assert [one.label for one in graph.boxes if one.name == "penalty"] == ["reduce_sum (0, 1)"]


def test_what_only_gives_a_gradient_has_no_name() -> None:
    """Inside, one statement is to be derived: both passes of it are one group, which gives the gradient."""

    def springs(x: Any, places: Any) -> Any:
        stretched = x - places
        return jnp.sum(stretched**2 * x)

    def slope(x: Any) -> Any:
        def energy(x: Any) -> Any:
            places = jnp.arange(4.0)
            value = springs(x, places)
            return value, places

        force, _ = jax.grad(energy, has_aux=True)(x)
        return jnp.sum(force**2)

    for opened in range(4):
        graph = picture(jax.grad(slope), X, depth=opened)
        named = {one.name: one.label for one in graph.boxes if one.name}
        assert set(named) <= {"force, _", "places", "stretched"}


def test_both_passes_of_a_gradient_that_is_carried_forward_are_told_apart() -> None:
    def curvature(w: Any, v: Any) -> Any:
        def loss(w: Any) -> Any:
            h = jnp.tanh(w @ w)
            return jnp.sum(h**2)

        return jax.jvp(jax.grad(loss), (w,), (v,))[1]

    graph = picture(curvature, X, X)
    assert [one.label for one in graph.boxes if one.open] == ["forward pass", "backward pass"]
    assert sum(edge.kind == "saved" for edge in graph.edges) == 1


def test_a_fold_of_a_backward_pass_is_no_assignment() -> None:
    def energy(x: Any) -> Any:
        for _ in range(5):
            x = jnp.sin(x) * jnp.cos(x + 1.0) + x
        return jnp.sum(x)

    folds = [(one.phase, one.label) for one in picture(jax.grad(energy), X).boxes if one.repeat > 1]
    line = "jnp.sin(x) * jnp.cos(x + 1.0) + x ×5"
    assert folds == [("forward", f"x = {line}"), ("backward", line)]
