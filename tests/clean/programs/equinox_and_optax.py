"""An equinox model trained with optax."""
# needs: equinox optax

import equinox as eqx
import jax
import jax.numpy as jnp
import optax

model = eqx.nn.MLP(3, 1, 8, 2, key=jax.random.key(0))
optimizer = optax.adam(1e-2)
state = optimizer.init(eqx.filter(model, eqx.is_array))


@eqx.filter_jit
def step(model, state, x):
    loss, gradients = eqx.filter_value_and_grad(lambda m: jnp.mean(jax.vmap(m)(x) ** 2))(model)
    updates, state = optimizer.update(gradients, state)
    return eqx.apply_updates(model, updates), state, loss


for _ in range(4):
    model, state, loss = step(model, state, jnp.ones((5, 3)))


@eqx.filter_jit
def evaluate(model, x):
    return jax.vmap(model)(x)


for _ in range(2):
    evaluate(model, jnp.ones((7, 3)))
