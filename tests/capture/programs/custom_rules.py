"""Functions with rules of their own, rematerialization, and callbacks to the host."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from tests.capture.counting import Ran


def a_custom_jvp_under_jit(ran: Ran) -> object:
    @jax.custom_jvp
    def safe_log(x):
        ran("safe_log")
        return jnp.log(x)

    @safe_log.defjvp
    def rule(primals, tangents):
        ran("rule")
        return safe_log(primals[0]), tangents[0] / (primals[0] + 1.0)

    @jax.jit
    def value(x):
        ran("value")
        return safe_log(x) * 2

    return value(2.0)


def a_custom_jvp_under_grad_under_jit(ran: Ran) -> object:
    @jax.custom_jvp
    def safe_log(x):
        ran("safe_log")
        return jnp.log(x)

    @safe_log.defjvp
    def rule(primals, tangents):
        ran("rule")
        return safe_log(primals[0]), tangents[0] / (primals[0] + 1.0)

    def loss(x):
        ran("loss")
        return safe_log(x) * 2

    return jax.jit(jax.grad(loss))(2.0)


def a_custom_vjp_under_jit(ran: Ran) -> object:
    @jax.custom_vjp
    def clipped(x):
        ran("clipped")
        return x * 1.0

    def forward(x):
        ran("forward")
        return clipped(x), x

    def backward(x, g):
        ran("backward")
        return (jnp.clip(g, -1, 1) + 0 * x,)

    clipped.defvjp(forward, backward)

    @jax.jit
    def value(x):
        ran("value")
        return clipped(x) * 5

    return value(2.0)


def a_custom_vjp_under_grad_under_jit(ran: Ran) -> object:
    @jax.custom_vjp
    def clipped(x):
        ran("clipped")
        return x * 1.0

    def forward(x):
        ran("forward")
        return x * 1.0, x

    def backward(x, g):
        ran("backward")
        return (jnp.clip(g, -1, 1) + 0 * x,)

    clipped.defvjp(forward, backward)

    def loss(x):
        ran("loss")
        return clipped(x) * 5

    return jax.jit(jax.grad(loss))(2.0)


def a_custom_vmap_under_jit(ran: Ran) -> object:
    @jax.custom_batching.custom_vmap
    def double(x):
        ran("double")
        return x * 2

    @double.def_vmap
    def rule(_size, in_batched, xs):
        ran("rule")
        return xs * 2, in_batched[0]

    @jax.jit
    def run(xs):
        ran("run")
        return jax.vmap(double)(xs)

    return run(jnp.arange(3.0))


def a_remat(ran: Ran) -> object:
    @jax.checkpoint
    def layer(x):
        ran("layer")
        return jnp.sin(jnp.sin(x))

    return layer(2.0)


def a_remat_under_grad(ran: Ran) -> object:
    @jax.checkpoint
    def layer(x):
        ran("layer")
        return jnp.sin(jnp.sin(x))

    def loss(x):
        ran("loss")
        return layer(layer(x))

    return jax.grad(loss)(2.0)


def a_remat_with_a_static_argument_under_jit(ran: Ran) -> object:
    @functools.partial(jax.checkpoint, static_argnums=(1,))
    def layer(x, depth):
        ran("layer")
        for _ in range(depth):
            x = jnp.sin(x)
        return x

    @jax.jit
    def run(x):
        ran("run")
        return layer(x, 2) + layer(x, 3)

    return run(2.0)


def callbacks_to_the_host(ran: Ran) -> object:
    """What runs on the host at run time is no trace."""

    def on_host(x):
        return x * 2

    def look(x):
        assert x is not None

    @jax.jit
    def run(x):
        ran("run")
        jax.debug.callback(look, x)
        return jax.pure_callback(on_host, jax.ShapeDtypeStruct((), "float32"), x)

    values = [run(jnp.float32(2)), run(jnp.float32(3))]
    jax.effects_barrier()
    return values
