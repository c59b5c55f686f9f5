"""numpyro: NUTS on a hierarchical regression (effect handlers at trace time, tree doubling in a while loop)."""

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS
from reporting import report


def model(group, x, y=None):
    mean = numpyro.sample("mean", dist.Normal(0, 1))
    spread = numpyro.sample("spread", dist.HalfNormal(1))
    with numpyro.plate("groups", 4):
        slope = numpyro.sample("slope", dist.Normal(mean, spread))
    noise = numpyro.sample("noise", dist.Exponential(1.0))
    with numpyro.plate("observations", x.shape[0]):
        numpyro.sample("y", dist.Normal(slope[group] * x, noise), obs=y)


def main():
    group = jnp.arange(40) % 4
    x = jax.random.normal(jax.random.key(0), (40,))
    y = (1.0 + group) * x
    sampler = MCMC(NUTS(model), num_warmup=50, num_samples=50, progress_bar=False)
    sampler.run(jax.random.key(1), group, x, y)
    slopes = sampler.get_samples()["slope"].mean(0)
    assert slopes.shape == (4,)
    return slopes.mean(), {"slopes": [round(float(slope), 2) for slope in slopes]}


if __name__ == "__main__":
    report(main)
