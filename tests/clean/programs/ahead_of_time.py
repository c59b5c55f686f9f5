"""Traces that the program asks for by name: shapes, a jaxpr, a program compiled ahead of time."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    return x @ x


jax.eval_shape(f, jax.ShapeDtypeStruct((2, 2), jnp.float32))
jaxpr = jax.make_jaxpr(f)(jnp.ones((4, 4)))
compiled = f.lower(jnp.ones((3, 3))).compile()
for _ in range(3):
    compiled(jnp.ones((3, 3)))
    f(jnp.ones((3, 3)))
