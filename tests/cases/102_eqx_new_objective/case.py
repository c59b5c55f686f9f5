import equinox as eqx, jax, jax.numpy as jnp

def fit(scale):
    @eqx.filter_jit
    def objective(p, data):
        r = p * scale - data
        return (r ** 2).sum()
    return objective(jnp.ones(3), jnp.zeros(3))

for s in (1.0, 2.0):
    fit(s)

@eqx.filter_jit
def apply(fn, x):
    return fn(x)

apply(jnp.sin, jnp.ones(2))
apply(jnp.cos, jnp.ones(2))
for _ in range(2):
    apply(lambda v: v + 1, jnp.ones(2))
