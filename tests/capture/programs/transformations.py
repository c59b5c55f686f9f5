"""vmap, grad and their kin: inside jit, around jit, and without any."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    from tests.capture.counting import Ran


def a_vmap(ran: Ran) -> object:
    def square(x):
        ran("square")
        return x * x

    return [jax.vmap(square)(jnp.arange(3.0)), jax.vmap(square)(jnp.arange(3.0))]


def a_vmap_of_a_vmap(ran: Ran) -> object:
    def pair(x, y):
        ran("pair")
        return x * y

    return jax.vmap(jax.vmap(pair, in_axes=(None, 0)), in_axes=(0, None))(jnp.arange(3.0), jnp.arange(2.0))


def a_vmap_inside_jit(ran: Ran) -> object:
    def square(x):
        ran("square")
        return x * x

    @jax.jit
    def squares(xs):
        ran("squares")
        return jax.vmap(square)(xs)

    return squares(jnp.arange(3.0))


def a_vmap_of_jit(ran: Ran) -> object:
    @jax.jit
    def square(x):
        ran("square")
        return x * x

    return [jax.vmap(square)(jnp.arange(3.0)), square(2.0)]


def a_jit_of_vmap(ran: Ran) -> object:
    def square(x):
        ran("square")
        return x * x

    return jax.jit(jax.vmap(square))(jnp.arange(3.0))


def a_vectorized_function(ran: Ran) -> object:
    def norm(x):
        ran("norm")
        return jnp.sqrt((x * x).sum())

    return jnp.vectorize(norm, signature="(n)->()")(jnp.ones((2, 3)))


def a_grad(ran: Ran) -> object:
    def loss(x):
        ran("loss")
        return jnp.sin(x) * x

    return [jax.grad(loss)(2.0), jax.grad(loss)(3.0)]


def a_grad_inside_jit(ran: Ran) -> object:
    def loss(w, x):
        ran("loss")
        return ((w * x) ** 2).sum()

    @jax.jit
    def step(w, x):
        ran("step")
        return w - 0.1 * jax.grad(loss)(w, x)

    return step(jnp.ones(3), jnp.arange(3.0))


def a_grad_of_jit(ran: Ran) -> object:
    @jax.jit
    def loss(x):
        ran("loss")
        return jnp.sin(x) * x

    return [jax.grad(loss)(2.0), loss(2.0)]


def a_jit_of_grad(ran: Ran) -> object:
    def loss(x):
        ran("loss")
        return jnp.sin(x) * x

    return jax.jit(jax.grad(loss))(2.0)


def a_grad_of_grad(ran: Ran) -> object:
    def cube(x):
        ran("cube")
        return x * x * x

    return jax.grad(jax.grad(cube))(2.0)


def a_value_and_grad_with_aux(ran: Ran) -> object:
    def loss(w, x):
        ran("loss")
        return (w * x).sum(), {"w": w}

    return jax.value_and_grad(loss, has_aux=True)(jnp.ones(2), jnp.arange(2.0))


def a_vmap_of_grad_inside_jit(ran: Ran) -> object:
    def loss(w, x):
        ran("loss")
        return jnp.tanh(w * x)

    @jax.jit
    def per_example(w, xs):
        ran("per_example")
        return jax.vmap(jax.grad(loss), in_axes=(None, 0))(w, xs)

    return per_example(2.0, jnp.arange(3.0))


def a_grad_of_scan_of_jit(ran: Ran) -> object:
    @jax.jit
    def cell(h, x):
        ran("cell")
        return jnp.tanh(h + x)

    def body(h, x):
        ran("body")
        return cell(h, x), None

    def loss(h, xs):
        ran("loss")
        return jax.lax.scan(body, h, xs)[0]

    return jax.grad(loss)(0.5, jnp.arange(3.0))


def a_jvp(ran: Ran) -> object:
    def f(x):
        ran("f")
        return jnp.sin(x) * 2

    return jax.jvp(f, (1.0,), (1.0,))


def a_vjp_pulled_back_twice(ran: Ran) -> object:
    def f(x):
        ran("f")
        return jnp.sin(x) * 2

    value, pull = jax.vjp(f, 1.0)
    return value, pull(1.0), pull(2.0)


def a_linearization(ran: Ran) -> object:
    def f(x):
        ran("f")
        return jnp.sin(x) * 2

    value, push = jax.linearize(f, 1.0)
    return value, push(1.0), push(2.0)


def a_linear_transpose(ran: Ran) -> object:
    def double(x):
        ran("double")
        return x * 2.0

    return jax.linear_transpose(double, 1.0)(3.0)


def a_hessian(ran: Ran) -> object:
    def energy(x):
        ran("energy")
        return (x**3).sum()

    return jax.hessian(energy)(jnp.arange(2.0))


def a_hessian_inside_jit(ran: Ran) -> object:
    def energy(x):
        ran("energy")
        return (x**3).sum()

    @jax.jit
    def curvature(x):
        ran("curvature")
        return jax.hessian(energy)(x)

    return curvature(jnp.arange(2.0))


def jacobians_forward_and_back(ran: Ran) -> object:
    def f(x):
        ran("f")
        return x * x.sum()

    return jax.jacfwd(f)(jnp.arange(2.0)), jax.jacrev(f)(jnp.arange(2.0))


def a_shard_map_over_one_device(ran: Ran) -> object:
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("x",))
    spec = jax.sharding.PartitionSpec("x")

    def block(x):
        ran("block")
        return x * 2

    @jax.jit
    def run(x):
        ran("run")
        return jax.shard_map(block, mesh=mesh, in_specs=spec, out_specs=spec)(x)

    return run(jnp.arange(4.0))
