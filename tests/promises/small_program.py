"""Retraces, a gradient inside a loop, calls on the fast path, an operation outside of any jit, and a failed trace."""

import contextlib

import jax
import jax.numpy as jnp


def main():
    def loss(w, x):
        return jnp.sum(jnp.tanh(x @ w) ** 2)

    @jax.jit
    def step(w, x):
        def body(carry, _):
            return carry - 0.1 * jax.grad(loss)(carry, x), None

        return jax.lax.scan(body, w, None, length=3)[0]

    w = jnp.ones((3, 2))
    for rows in (4, 5, 5, 5, 6):
        w = step(w, jnp.arange(3.0 * rows).reshape(rows, 3) / 10)
    with contextlib.suppress(jax.errors.TracerBoolConversionError):
        jax.jit(lambda x: x if x > 0 else -x)(w[0, 0])
    return float(w.sum()), {}
