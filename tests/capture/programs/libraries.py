"""Functions of a library that call the user's: several, or one several times, inside one trace."""

from __future__ import annotations

import sysconfig
from types import SimpleNamespace
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
from jax.experimental.ode import odeint
from jax.scipy.optimize import minimize

if TYPE_CHECKING:
    from tests.capture.counting import Ran

_SOURCE = """
import jax
import jax.numpy as jnp

def both(a, b, x):
    return jax.value_and_grad(lambda x: a(x) + b(x))(x)

def both_in_a_scan(a, b, x):
    @jax.jit
    def run(x):
        def step(carry, _):
            value, slope = jax.value_and_grad(lambda x: a(x) + b(x))(carry)
            return carry - 0.1 * slope, value
        return jax.lax.scan(step, x, None, length=3)
    return run(x)

def often(f, x):
    @jax.jit
    def run(x):
        for _ in range(3):
            x = jnp.tanh(call(f, x)) * 2.0
        return x
    return run(x)

def call(f, x):
    return f(x)
"""


def _library() -> SimpleNamespace:
    names: dict[str, object] = {}
    exec(compile(_SOURCE, f"{sysconfig.get_paths()['purelib']}/a_library.py", "exec"), names)
    return SimpleNamespace(**names)


_LIBRARY = _library()


def two_functions_in_one_gradient(ran: Ran) -> object:
    def a(x):
        ran("a")
        return jnp.sin(x)

    def b(x):
        ran("b")
        return x * 2.0

    return [_LIBRARY.both(a, b, 1.0), _LIBRARY.both_in_a_scan(a, b, 1.0)]


def one_function_often(ran: Ran) -> object:
    def f(x):
        ran("f")
        y = jnp.sin(x)
        return y + g(y)

    def g(y):
        return jnp.cos(y)

    return _LIBRARY.often(f, jnp.ones(3))


def a_function_with_a_jit_inside(ran: Ran) -> object:
    @jax.jit
    def inner(x):
        ran("inner")
        return x + 1.0

    def f(x):
        ran("f")
        return inner(jnp.sin(x))

    return _LIBRARY.often(f, 1.0)


def an_ode(ran: Ran) -> object:
    def slope(y, t):
        ran("slope")
        return -y * t

    return odeint(slope, jnp.ones(2), jnp.linspace(0.0, 1.0, 3))


def a_minimum(ran: Ran) -> object:
    def loss(x):
        ran("loss")
        return jnp.sum((x - 1.0) ** 2)

    return minimize(loss, jnp.zeros(2), method="BFGS").x
