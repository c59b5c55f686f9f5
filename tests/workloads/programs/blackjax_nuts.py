"""blackjax: a NUTS kernel for four chains (vmap) in a scan."""

import blackjax
import jax
import jax.numpy as jnp
from reporting import report


def main():
    data = jnp.array([1.2, 0.8, 1.1, 0.9])

    def log_density(position):
        mean, log_scale = position["mean"], position["log_scale"]
        likelihood = -0.5 * jnp.sum((data - mean) ** 2 / jnp.exp(2 * log_scale)) - 4 * log_scale
        return likelihood - 0.5 * (mean**2 + log_scale**2)

    kernel = blackjax.nuts(log_density, step_size=0.3, inverse_mass_matrix=jnp.ones(2))
    states = jax.vmap(kernel.init)({"mean": jnp.zeros(4), "log_scale": jnp.zeros(4)})

    @jax.jit
    def sample(key, states):
        def one_step(states, key):
            states, info = jax.vmap(kernel.step)(jax.random.split(key, 4), states)
            return states, (states.position["mean"], info.acceptance_rate)

        return jax.lax.scan(one_step, states, jax.random.split(key, 60))

    _, (means, acceptance) = sample(jax.random.key(0), states)
    assert means.shape == (60, 4)
    return means.mean(), {"acceptance": round(float(acceptance.mean()), 3)}


if __name__ == "__main__":
    report(main)
