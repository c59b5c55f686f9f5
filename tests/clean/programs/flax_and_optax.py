"""A flax module trained with optax, and an nnx one with its own optimizer."""
# needs: flax optax

import jax
import jax.numpy as jnp
import optax
from flax import linen, nnx


class Dense(linen.Module):
    @linen.compact
    def __call__(self, x, *, train):
        x = linen.Dense(4)(x)
        return linen.Dropout(0.5, deterministic=not train)(x)


module = Dense()
params = module.init(jax.random.key(0), jnp.ones((2, 3)), train=False)
optimizer = optax.sgd(0.1)
state = optimizer.init(params)


@jax.jit
def step(params, state, x, key):
    loss = lambda p: jnp.mean(module.apply(p, x, train=True, rngs={"dropout": key}) ** 2)
    updates, state = optimizer.update(jax.grad(loss)(params), state)
    return optax.apply_updates(params, updates), state


for number in range(4):
    params, state = step(params, state, jnp.ones((2, 3)), jax.random.key(number))

model = nnx.Linear(3, 2, rngs=nnx.Rngs(0))
nnx_optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)


@nnx.jit
def train(model, optimizer, x):
    gradients = nnx.grad(lambda m: jnp.mean(m(x) ** 2))(model)
    optimizer.update(model, gradients)


for _ in range(4):
    train(model, nnx_optimizer, jnp.ones((2, 3)))
