import functools
import jax, jax.numpy as jnp

@functools.partial(jax.jit, static_argnames="n")
def f(x, n=2):
    return (x ** n).sum()

x = jnp.ones(3)
jax.grad(f)(x)
jax.grad(f)(x, n=3)
jax.grad(f)(x, n=3)
m = jnp.ones((3, 3))
jax.vmap(functools.partial(f, n=2))(m)
jax.vmap(functools.partial(f, n=3))(m)
jax.vmap(jax.vmap(f))(m)
