"""`grad` and `vmap` of plain functions in a loop, and a jitted gradient that was made once."""

import jax
import jax.numpy as jnp


def loss(w, x):
    return jnp.mean((x @ w) ** 2)


w, x = jnp.ones(3), jnp.ones((4, 3))
for _ in range(3):
    w = w - 0.1 * jax.grad(loss)(w, x)

step = jax.jit(jax.value_and_grad(loss))
per_example = jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0)))
for _ in range(5):
    value, gradient = step(w, x)
    per_example(w, x[:, None])
    w = w - 0.1 * gradient
