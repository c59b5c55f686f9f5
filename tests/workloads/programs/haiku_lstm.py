"""haiku: an unrolled LSTM (scan) with batch norm, a jitted loss with a static `is_training` under `value_and_grad`."""

import functools

import haiku as hk
import jax
import jax.numpy as jnp
import optax
from reporting import report


def network(x, is_training):
    core = hk.LSTM(24)
    outputs, _ = hk.dynamic_unroll(core, x, core.initial_state(x.shape[1]))
    hidden = hk.BatchNorm(create_scale=True, create_offset=True, decay_rate=0.9)(outputs[-1], is_training)
    return hk.Linear(1)(jax.nn.relu(hidden))[:, 0]


def main():
    net = hk.transform_with_state(network)
    x = jax.random.normal(jax.random.key(0), (9, 16, 3))
    y = x.sum((0, 2))
    params, state = net.init(jax.random.key(1), x, True)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))
    opt_state = optimizer.init(params)

    @functools.partial(jax.jit, static_argnames="is_training")
    def loss(params, state, x, y, is_training):
        out, state = net.apply(params, state, None, x, is_training)
        return jnp.mean((out - y) ** 2), state

    losses = []
    for _ in range(6):
        (value, state), gradient = jax.value_and_grad(loss, has_aux=True)(params, state, x, y, is_training=True)
        updates, opt_state = optimizer.update(gradient, opt_state)
        params = optax.apply_updates(params, updates)
        losses.append(float(value))
    evaluated, _ = loss(params, state, x, y, is_training=False)
    assert losses[-1] < losses[0]
    return evaluated, {"last": losses[-1]}


if __name__ == "__main__":
    report(main)
