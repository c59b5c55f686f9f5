"""Loops and branches inside one jitted function, and a scan outside of any."""

import jax
import jax.numpy as jnp


def square(x):
    return x * x


@jax.jit
def run(xs):
    def body(total, x):
        total = jax.lax.cond(x > 0, lambda: total + square(x), lambda: total)
        return total, total

    total, history = jax.lax.scan(body, 0.0, xs)
    return jax.lax.while_loop(lambda v: v < 100, lambda v: v * 2, total), history


def add(total, x):
    return total + x, total


for _ in range(3):
    run(jnp.arange(4.0))
    jax.lax.scan(add, 0.0, jnp.arange(4.0))
    jax.lax.scan(add, 0.0, jnp.arange(4.0))
