import jax, jax.numpy as jnp

@jax.jit
def f(x):
    y = jnp.log(x)
    return y + 1

x = jnp.ones(3)
f(x)
with jax.debug_nans(True):
    f(x)
with jax.numpy_rank_promotion("warn"):
    f(x)
with jax.log_compiles():
    f(x)
f(x)
with jax.numpy_dtype_promotion("strict"):
    f(x)
