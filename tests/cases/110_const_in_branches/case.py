import jax, jax.numpy as jnp, numpy as np

W = np.random.default_rng(0).normal(size=(8, 8)).astype(np.float32)
idx = np.array([0, 2, 4, 6])

@jax.jit
def f(x):
    def cond(s):
        i, h = s
        return i < 3
    def body(s):
        i, h = s
        return i + 1, jnp.tanh(W @ h)
    _, h = jax.lax.while_loop(cond, body, (0, x))
    def yes(v):
        return v[idx].sum()
    def no(v):
        return v.sum()
    return jax.lax.cond(h.sum() > 0, yes, no, h)

f(jnp.ones(8))
g = jax.jit(jax.grad(lambda x: jax.checkpoint(lambda v: jnp.sin(W @ v).sum())(x)))
g(jnp.ones(8))
