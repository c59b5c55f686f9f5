import jax, jax.numpy as jnp, numpy as np

@jax.jit
def f(x, y):
    z = x + y
    return z

a = jnp.ones(4)
b = jax.device_put(np.ones(4, np.float32), jax.devices()[0])
f(a, a)
f(b, a)
f(b, b)
f(np.ones(4, np.float32), a)
f(a, b)
