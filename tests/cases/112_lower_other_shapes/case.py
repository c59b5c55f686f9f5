import jax, jax.numpy as jnp

@jax.jit
def f(x):
    y = x * 2
    return y

lowered = f.lower(jax.ShapeDtypeStruct((4,), jnp.float32))
exe = lowered.compile()
exe(jnp.ones(4))
f(jnp.ones(4))
f(jnp.ones(5))
f.trace(jnp.ones(6))
f(jnp.ones(6))
exe(jnp.ones(5))
