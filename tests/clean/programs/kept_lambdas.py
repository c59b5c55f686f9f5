"""Lambdas in a dictionary, written and made on one line."""

import jax
import jax.numpy as jnp

activations = {
    name: jax.jit(lambda x, act=act: act(x)) for name, act in {"relu": jax.nn.relu, "tanh": jnp.tanh}.items()
}
pair = [jax.jit(lambda x: x + 1), jax.jit(lambda x: x * 2)]
for _ in range(3):
    for activate in activations.values():
        activate(1.0)
    for f in pair:
        f(1.0)
