"""The ways into JAX's tracing that are no call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from tests.capture.counting import Ran


def a_make_jaxpr(ran: Ran) -> object:
    def f(x):
        ran("f")
        return jnp.sin(x) * 2

    return str(jax.make_jaxpr(f)(1.0))


def a_make_jaxpr_of_nested_jits(ran: Ran) -> object:
    @jax.jit
    def inner(x):
        ran("inner")
        return jnp.sin(x)

    @jax.jit
    def outer(x):
        ran("outer")
        return inner(x) + inner(x)

    return str(jax.make_jaxpr(outer)(1.0))


def an_eval_shape(ran: Ran) -> object:
    def f(x):
        ran("f")
        return x @ x

    return str(jax.eval_shape(f, jax.ShapeDtypeStruct((3, 3), "float32")))


def a_lowering(ran: Ran) -> object:
    @jax.jit
    def f(x):
        ran("f")
        return x * 2

    lowered = f.lower(jax.ShapeDtypeStruct((3,), "float32"))
    return lowered.as_text()


def a_call_of_what_was_compiled_ahead(ran: Ran) -> object:
    @jax.jit
    def f(x):
        ran("f")
        return x * 2

    compiled = f.lower(jax.ShapeDtypeStruct((3,), "float32")).compile()
    return compiled(jnp.ones(3)), f(jnp.ones(3))


def a_trace_before_the_call(ran: Ran) -> object:
    @jax.jit
    def f(x):
        ran("f")
        return x * 2

    return str(f.trace(1.0).jaxpr), f(1.0)


def a_call_after_the_caches_were_cleared(ran: Ran) -> object:
    @jax.jit
    def f(x):
        ran("f")
        return x * 2

    first = f(1.0)
    f.clear_cache()
    return first, f(1.0)


def a_call_with_jit_disabled_runs_no_trace(ran: Ran) -> object:
    @jax.jit
    def f(x):
        if isinstance(x, jax.core.Tracer):
            ran("f")
        return x * 2

    with jax.disable_jit():
        eager = f(jnp.float32(1))
    return eager, f(jnp.float32(1))
