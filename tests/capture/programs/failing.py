"""Programs in which a trace does not come to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import pytest

if TYPE_CHECKING:
    from tests.capture.counting import Ran


def an_exception_in_a_jitted_body(ran: Ran) -> object:
    @jax.jit
    def fails(x):
        ran("fails")
        raise KeyError(x.shape)

    for _ in range(2):
        with pytest.raises(KeyError):
            fails(1.0)
    return "caught"


def an_exception_in_a_scan_body(ran: Ran) -> object:
    def body(total, x):
        ran("body")
        return total, x["missing"]

    @jax.jit
    def run(xs):
        ran("run")
        return jax.lax.scan(body, 0.0, xs)

    with pytest.raises(KeyError):
        run({"present": jnp.ones(3)})
    return "caught"


def an_exception_caught_by_the_traced_caller(ran: Ran) -> object:
    @jax.jit
    def inner(x):
        ran("inner")
        raise ValueError

    @jax.jit
    def outer(x):
        ran("outer")
        try:
            return inner(x)
        except ValueError:
            return x * 2

    return outer(1.0)


def a_branch_on_a_traced_value(ran: Ran) -> object:
    @jax.jit
    def sign(x):
        ran("sign")
        return 1 if x > 0 else -1

    with pytest.raises(jax.errors.TracerBoolConversionError):
        sign(1.0)
    return "caught"


def an_exception_under_vmap(ran: Ran) -> object:
    def fails(x):
        ran("fails")
        return jnp.zeros(x)

    with pytest.raises(TypeError):
        jax.vmap(fails)(jnp.arange(3))
    return "caught"


def a_call_that_works_after_one_that_failed(ran: Ran) -> object:
    @jax.jit
    def first_row(x):
        ran("first_row")
        return x[0, 0]

    with pytest.raises(IndexError):
        first_row(jnp.ones(3))
    return first_row(jnp.ones((2, 2)))
