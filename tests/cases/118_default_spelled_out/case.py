import equinox as eqx
import jax, jax.numpy as jnp

@eqx.filter_jit
def power(x, n=2, *, scale=1.0):
    y = x * scale
    for _ in range(n - 1):
        y = y * x
    return y

x = jnp.ones(3)
power(x)
power(x, 2)
power(x, n=2)
power(x, 2)
power(x, 2, scale=1.0)
power(jnp.ones(4))
