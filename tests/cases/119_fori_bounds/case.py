import jax, jax.numpy as jnp

def body(i, x):
    y = x + i
    return y

def run(n):
    return jax.lax.fori_loop(0, n, body, jnp.zeros(2))

run(3)
run(3)
run(4)
jax.jit(run)(3)
jax.jit(run)(5)
jax.lax.fori_loop(jnp.int32(0), jnp.int32(3), body, jnp.zeros(2))
