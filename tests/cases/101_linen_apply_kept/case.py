import flax.linen as nn, jax, jax.numpy as jnp

class MLP(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, scale=1.0):
        h = nn.Dense(self.width)(x)
        return nn.relu(h) * scale

model = MLP(4)
x = jnp.ones((4, 2))
params = model.init(jax.random.key(0), x)
apply = jax.jit(model.apply)
apply(params, x)
apply(params, x)
apply(params, jnp.ones((6, 2)))
apply(params, x, 2.0)
apply(params, x.astype(jnp.bfloat16))
