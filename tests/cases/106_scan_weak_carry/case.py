import jax, jax.numpy as jnp

def running(total, x):
    total = total + x
    mean = total / 2
    return total, mean

total, means = jax.lax.scan(running, 0, jnp.arange(4.0))
total2, _ = jax.lax.scan(running, 0.0, jnp.arange(4.0))
print(float(total))
