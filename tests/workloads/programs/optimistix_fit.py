"""optimistix and lineax: a curve fit differentiated implicitly, and a linear solve with an operator."""

import jax
import jax.numpy as jnp
import lineax
import optimistix
from reporting import report


def main():
    x = jnp.linspace(0, 2, 25)
    y = 1.7 * jnp.exp(-0.8 * x) + 0.1

    def fit(y):
        def residuals(p, _args):
            return p[0] * jnp.exp(-p[1] * x) + p[2] - y

        solver = optimistix.LevenbergMarquardt(rtol=1e-5, atol=1e-5)
        return optimistix.least_squares(residuals, solver, jnp.array([1.0, 0.5, 0.0]), max_steps=64).value

    fitted = jax.jit(fit)(y)
    jacobian = jax.jit(jax.jacrev(fit))(y)
    matrix = jacobian.T @ jacobian + jnp.eye(25)
    operator = lineax.MatrixLinearOperator(matrix, lineax.positive_semidefinite_tag)
    solved = lineax.linear_solve(operator, y, lineax.CG(1e-4, 1e-4)).value
    assert abs(float(fitted[0]) - 1.7) < 1e-2
    assert jacobian.shape == (3, 25)
    return solved.sum(), {"fitted": [round(float(p), 3) for p in fitted]}


if __name__ == "__main__":
    report(main)
