import jax, jax.numpy as jnp

@jax.custom_vjp
def clip_grad(x):
    return x

def fwd(x):
    return clip_grad(x), x

def bwd(res, g):
    limited = jnp.clip(g, -1.0, 1.0)
    return (limited,)

clip_grad.defvjp(fwd, bwd)

def loss(w):
    h = clip_grad(w) * 3.0
    return h.sum()

step = jax.jit(jax.value_and_grad(loss))
step(jnp.ones(2))
step(jnp.ones(2))
step(jnp.ones(4))
