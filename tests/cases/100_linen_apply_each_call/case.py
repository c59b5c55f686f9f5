import flax.linen as nn, jax, jax.numpy as jnp

class MLP(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        h = nn.Dense(self.width)(x)
        h = nn.relu(h)
        return nn.Dense(1)(h)

x = jnp.ones((4, 2))
params = MLP(8).init(jax.random.key(0), x)
for _ in range(3):
    jax.jit(MLP(8).apply)(params, x)

@jax.jit
def predict(p, x):
    return MLP(8).apply(p, x)

predict(params, x)
predict(params, x)
