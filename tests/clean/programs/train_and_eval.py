"""Two batch sizes and a flag with two values: each is meant, and is traced once."""

import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames="train")
def forward(params, batch, *, train):
    hidden = jnp.tanh(batch @ params["w"])
    return hidden * 0.5 if train else hidden


@jax.jit
def update(params, batch):
    return jax.tree.map(lambda p: p - 0.1 * jnp.mean(batch), params)


params = {"w": jnp.ones((3, 2))}
for _ in range(4):
    for _ in range(5):
        forward(params, jnp.ones((8, 3)), train=True)
        params = update(params, jnp.ones((8, 3)))
    forward(params, jnp.ones((5, 3)), train=False)
