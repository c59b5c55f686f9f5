"""Tables, lists and helpers that are read by `get`, `len`, loops and calls, and change only where nobody reads them."""

import collections
import functools
from typing import ClassVar

import jax
import jax.numpy as jnp
import numpy as np

settings = {"rate": 0.1, "verbose": False}
layers = [jnp.eye(3), jnp.eye(3)]
shapes = []
buffer = np.zeros(3)
losses = []
State = collections.namedtuple("State", "weights steps")


class Counts:
    """Bookkeeping of the traces and of the program."""

    seen: ClassVar = {}
    epoch = 0


def scaling(by):
    def scale(x, offset=0.0):
        return x * by + offset

    return scale


scaled = scaling(2.0)


@jax.jit
def descend(state, x):
    weights = state.weights - settings.get("rate") * scaled(x)
    return State(weights, state.steps + 1), (weights * x).sum()


@jax.jit
def forward(x):
    shapes.append(x.shape)
    Counts.seen[x.shape] = Counts.seen.get(x.shape, 0) + 1
    for weights in layers:
        x = weights @ x
    return x + 0 * len(shapes)


@jax.jit
def padded(x):
    return x + jnp.zeros(len(buffer)) + np.zeros_like(buffer) + jnp.zeros(np.shape(buffer))


@jax.jit
def shrink(x, by):
    return x * by


halve = functools.partial(shrink, by=0.5)
state = State(jnp.ones(3), 0)
for epoch in range(6):
    Counts.epoch = epoch
    settings["epoch"] = epoch
    buffer[:] = epoch
    state, loss = descend(state, jnp.ones(3))
    losses.append(float(loss))
    forward(jnp.ones(3))
    padded(jnp.ones(3))
    padded(buffer)
    halve(jnp.ones(3))
    halve = functools.partial(shrink, by=float(epoch))
    scaled = scaling(2.0)
