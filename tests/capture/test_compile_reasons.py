"""Why a program was compiled, told of real programs: JAX makes several of one trace."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import pytest

from tests.capture.told import recorded

if TYPE_CHECKING:
    from pathlib import Path

    from tests.capture.told import Told


W = jnp.ones(3)
PROGRAMS_MADE = {
    "grad": (lambda loss: jax.grad(loss)(W), ["forward pass of grad", "backward pass of grad"]),
    "value_and_grad": (
        lambda loss: jax.value_and_grad(loss)(W),
        ["forward pass of value_and_grad", "backward pass of value_and_grad"],
    ),
    "grad of what calls it": (
        lambda loss: jax.grad(lambda w: 2 * loss(w))(W),
        ["forward pass of grad", "backward pass of grad"],
    ),
    "vmap": (lambda loss: jax.vmap(loss)(jnp.ones((5, 3))), ["vmap"]),
    "vmap of grad": (
        lambda loss: jax.vmap(jax.grad(loss))(jnp.ones((5, 3))),
        ["forward pass of grad, mapped by vmap", "backward pass of grad, mapped by vmap"],
    ),
    "jvp": (lambda loss: jax.jvp(loss, (W,), (W,)), ["jvp"]),
    "vjp": (lambda loss: jax.vjp(loss, W)[1](1.0), ["forward pass of vjp", "backward pass of vjp"]),
    "jacfwd": (lambda loss: jax.jacfwd(loss)(W), ["jacfwd"]),
    "jacrev": (lambda loss: jax.jacrev(loss)(W), ["forward pass of jacrev", "backward pass of jacrev"]),
    "hessian": (
        lambda loss: jax.hessian(loss)(W),
        ["forward pass of jacrev under jacfwd", "backward pass of jacrev under jacfwd"],
    ),
}
"""What the program does with the jitted function, and which programs JAX must make of it on every version."""


@pytest.mark.parametrize("name", PROGRAMS_MADE)
def test_a_transformation_around_a_jitted_function_compiles_programs_of_its_own(name: str, tmp_path: Path) -> None:
    run, made = PROGRAMS_MADE[name]
    written = "def loss(w):\n    return (w**2).sum()\n"  # in a file of its own, so that no other test has run it
    namespace: dict[str, Any] = {}
    exec(compile(written, tmp_path / "own.py", "exec"), namespace)
    loss = jax.jit(namespace["loss"])
    with recorded() as told:
        loss(W)
        for _ in range(2):
            run(loss)
    function = told.function("loss")
    assert function.traces == 1
    first, *others = [c for c in told.document.compilations if c.function == function.id]
    assert [reason.kind for reason in first.reasons] == ["first_call"]
    assert [reason.kind for c in others for reason in c.reasons] == ["new_transform_context"] * len(others)
    assert [c.reasons[0].after for c in others if not (c.reasons[0].after or "").startswith("forward")] == [
        text for text in made if not text.startswith("forward")
    ]
    assert {c.reasons[0].after for c in others} <= set(made), "JAX may need no forward pass of its own"


def test_a_plain_call_after_a_gradient_is_another_program() -> None:
    @jax.jit
    def loss(w):
        return jnp.sum(w**3)

    with recorded() as told:
        jax.grad(loss)(W)
        jax.grad(loss)(jnp.ones(4))
        loss(W)
    compiled = [c for c in told.document.compilations if c.function == told.function("loss").id]
    reasons = [(c.reasons[0].kind, c.reasons[0].path, c.reasons[0].after) for c in compiled]
    assert reasons == [
        ("first_call", None, None),
        ("new_transform_context", None, "backward pass of grad"),
        ("new_shape", "w", "f32[4]"),
        ("new_shape", "w", "f32[4]"),
        ("new_transform_context", None, "no transformation"),
    ]


def compilations_of(told: Told, name: str) -> list[list[tuple[str, str | None, str | None, str | None]]]:
    compiled = [c for c in told.document.compilations if c.function == told.function(name).id]
    return [[(r.kind, r.path, r.before, r.after) for r in c.reasons] for c in compiled]


def test_the_same_arrays_mapped_over_other_axes_are_another_program() -> None:
    @jax.jit
    def dot(a, b):
        return (a * b).sum()

    square = jnp.ones((3, 3))
    with recorded() as told:
        for axes in (0, (1, 0), 0):
            jax.vmap(dot, in_axes=axes)(square, square)
        jax.vmap(dot, in_axes=(1, None))(square, W)
    other = "new_transform_context"
    assert compilations_of(told, "dot") == [
        [("first_call", None, None, None)],
        [(other, None, "vmap over axis 0", "vmap over axes 1, 0")],
        [(other, None, "vmap over axes 1, 0", "vmap over axes 1, None"), ("new_shape", "b", "f32[3,3]", "f32[3]")],
    ]


def test_passes_with_respect_to_another_argument_are_other_programs() -> None:
    @jax.jit
    def loss(w, b):
        return jnp.sum(jnp.sin(w) * b)

    with recorded() as told:
        jax.grad(loss)(W, 2.0)
        jax.grad(loss, argnums=1)(W, 2.0)
    w, b = (f"pass of grad with respect to {name}" for name in "wb")
    assert compilations_of(told, "loss")[2:] == [
        [("new_transform_context", None, f"forward {w}", f"forward {b}")],
        [("new_transform_context", None, f"backward {w}", f"backward {b}")],
    ]


def test_a_backward_pass_after_a_hit_is_told_by_the_static_value_of_its_call() -> None:
    @functools.partial(jax.jit, static_argnums=1)
    def loss(w, n):
        return jnp.sum(jnp.sin(w) * n)

    with recorded() as told:
        for n in (2, 3):
            loss(W, n)
        for n in (2, 3):
            jax.grad(loss)(W, n)
    assert compilations_of(told, "loss")[4:] == [[("new_static_value", "n", "2", "3")]] * 2


def test_programs_compiled_just_before_the_caches_were_cleared() -> None:
    @jax.jit
    def inner(x):
        return x + 1

    @jax.jit
    def outer(x):
        return inner(x) * 2

    with recorded() as told:
        inner(W)
        jax.clear_caches()
        outer(W)
        inner(W)
    assert compilations_of(told, "inner") == [
        [("first_call", None, None, None)],
        [("cache_cleared", None, None, None)],
    ]
