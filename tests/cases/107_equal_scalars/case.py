import jax, jax.numpy as jnp

def power(x, n):
    y = x
    for _ in range(int(n) - 1):
        y = y * x
    return y

jpower = jax.jit(power, static_argnums=1)
jpower(jnp.ones(2), 1)
jpower(jnp.ones(2), True)
jpower(jnp.ones(2), 1.0)
jpower(jnp.ones(2), 2)
jpower(jnp.ones(2), 2.0)
jpower(jnp.ones(2), None or 3)
