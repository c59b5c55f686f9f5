import jax, jax.numpy as jnp

def cell(h, x):
    h = jnp.tanh(h + x)
    return h, h

for n in (3, 4, 3):
    jax.lax.scan(cell, jnp.zeros(2), jnp.ones((n, 2)))
jax.lax.scan(cell, jnp.zeros(3), jnp.ones((4, 3)))
jax.lax.scan(cell, jnp.zeros(2), jnp.ones((3, 2)), reverse=True)
jax.vmap(lambda x: jax.lax.scan(cell, jnp.zeros(2), x)[0])(jnp.ones((5, 3, 2)))
jax.jit(lambda x: jax.lax.scan(cell, jnp.zeros(2), x)[0])(jnp.ones((3, 2)))
