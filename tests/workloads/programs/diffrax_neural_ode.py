"""diffrax: the gradient of a neural ODE through an adaptive solve (bounded while loops, checkpoints, custom rules)."""

import diffrax
import equinox as eqx
import jax
import jax.numpy as jnp
from reporting import report


def main():
    field = eqx.nn.MLP(2, 2, 16, 2, activation=jax.nn.tanh, key=jax.random.key(0))
    times = jnp.linspace(0, 1, 12)

    @eqx.filter_jit
    def loss(field, start):
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(lambda _t, y, _args: field(y)),
            diffrax.Tsit5(),
            t0=0.0,
            t1=1.0,
            dt0=0.1,
            y0=start,
            saveat=diffrax.SaveAt(ts=times),
            stepsize_controller=diffrax.PIDController(rtol=1e-3, atol=1e-5),
        )
        return jnp.mean(solution.ys**2)

    value, gradient = eqx.filter_value_and_grad(loss)(field, jnp.array([1.0, 0.5]))
    size = sum(float(jnp.abs(leaf).sum()) for leaf in jax.tree.leaves(eqx.filter(gradient, eqx.is_array)))
    assert size > 0
    return value, {"gradient": size}


if __name__ == "__main__":
    report(main)
