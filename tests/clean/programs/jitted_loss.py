"""A jitted loss that is called, differentiated and mapped."""

import jax
import jax.numpy as jnp


@jax.jit
def loss(w):
    return jnp.sum(w**2)


w = jnp.ones(3)
for _ in range(4):
    w = w - 0.1 * jax.grad(loss)(w)
    value = loss(w)
batch = jax.vmap(loss)(jnp.ones((5, 3)))
jax.jvp(loss, (w,), (w,))
