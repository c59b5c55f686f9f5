import jax, jax.numpy as jnp
from functools import partial

@jax.jit
def loss(x, n=2):
    return (x ** n).sum()

x = jnp.ones(3)
loss(x)
jax.jit(jax.grad(loss))(x)
jax.jit(jax.grad(loss))(x)
jax.jit(partial(loss))(x)
jax.jit(partial(loss))(x)
v = jax.jit(jax.vmap(loss))
v(x)
v(jnp.ones(4))
vg = jax.jit(jax.vmap(jax.value_and_grad(loss)))
vg(x)
jax.jit(loss)(x)
jax.jit(loss, donate_argnums=0)(jnp.ones(3))
