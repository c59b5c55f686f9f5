"""One experiment after another: each makes its own step, uses it often, and is then gone."""

import jax
import jax.numpy as jnp


def experiment(rate):
    @jax.jit
    def step(w):
        return w - rate * w

    w = jnp.ones(3)
    for _ in range(20):
        w = step(w)
    return float(w[0])


results = [experiment(rate) for rate in (0.1, 0.2, 0.3)]
