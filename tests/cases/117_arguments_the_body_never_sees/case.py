import flax.linen as nn
import jax, jax.numpy as jnp

class MLP(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x)

m = MLP()
x = jnp.ones((2, 3))
v = m.init(jax.random.key(0), x)
apply = jax.jit(m.apply)
apply(v, x)
half = jax.tree.map(lambda a: a.astype(jnp.bfloat16), v)
apply(half, x)
apply(half, x)
apply({**v, "extra": {}}, x)
apply(v, x=x)
