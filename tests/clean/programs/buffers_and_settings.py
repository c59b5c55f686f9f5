"""Buffers and settings that change from step to step, of which the traced functions take only what stays the same."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

buffer = np.zeros(4, np.float32)
template = jnp.zeros(4)
parameters = {"w": jnp.ones(4), "b": jnp.zeros(4)}
settings = {"rate": 0.1, "epoch": 0}
noise = 0.0
key = "rate"


@jax.jit
def scaled(x):
    return x * len(buffer) + buffer.shape[0]


@jax.jit
def shifted(x):
    return x + jnp.zeros_like(template)


@jax.jit
def update(values):
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    return jax.tree.map(lambda value, zero: value - 0.1 + zero, values, zeros)


def descend(x, given):
    return x - given["rate"] * x


@jax.jit
def train(x):
    return descend(x, settings) * settings[key]


@functools.partial(jax.jit, static_argnames="noisy")
def evaluate(x, noisy):
    if noisy:
        spread = noise
        return x + spread
    return x


x = jnp.ones(4)
evaluate(x, noisy=True)
evaluate(x, noisy=False)
for epoch in range(6):
    buffer[:] = epoch
    template = jnp.full(4, float(epoch))
    settings["epoch"] = epoch
    noise = 0.5 * epoch
    scaled(x)
    scaled(buffer)
    shifted(x)
    parameters = update(parameters)
    train(x)
    evaluate(x, noisy=False)
