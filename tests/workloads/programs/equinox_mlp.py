"""equinox: a `filter_jit` train step on an MLP whose pytree holds a static activation; the last batch is short."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from reporting import report


def main():
    model = eqx.nn.MLP(4, 1, 32, 3, activation=jax.nn.gelu, key=jax.random.key(0))
    optimizer = optax.adamw(1e-2)
    state = optimizer.init(eqx.filter(model, eqx.is_inexact_array))
    inputs = jax.random.normal(jax.random.key(1), (70, 4))
    targets = jnp.sin(inputs).sum(1, keepdims=True)

    @eqx.filter_jit
    def step(model, state, x, y):
        loss, gradient = eqx.filter_value_and_grad(lambda m: jnp.mean((jax.vmap(m)(x) - y) ** 2))(model)
        updates, state = optimizer.update(gradient, state, eqx.filter(model, eqx.is_inexact_array))
        return eqx.apply_updates(model, updates), state, loss

    losses = []
    for _ in range(3):
        for start in range(0, 70, 32):
            batch = slice(start, start + 32)
            model, state, loss = step(model, state, inputs[batch], targets[batch])
            losses.append(float(loss))
    assert losses[-1] < losses[0]
    return losses[-1], {"first": losses[0]}


if __name__ == "__main__":
    report(main)
