"""All that can be given to a transformation, and all that Python allows around it."""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from tests.capture.counting import Ran


def jits_in_jits(ran: Ran) -> object:
    @jax.jit
    def inner(x):
        ran("inner")
        return x * 2

    @jax.jit
    def middle(x):
        ran("middle")
        return inner(x) + inner(x)

    @jax.jit
    def outer(x):
        ran("outer")
        return middle(x) + inner(x) + inner(x[:1])

    return [outer(jnp.ones(3)), outer(jnp.ones(3)), inner(jnp.ones(3))]


def an_inlined_jit(ran: Ran) -> object:
    @functools.partial(jax.jit, inline=True)
    def inner(x):
        ran("inner")
        return x * 2

    @jax.jit
    def outer(x):
        ran("outer")
        return inner(inner(x))

    return outer(1.0)


def partials(ran: Ran) -> object:
    def scale(factor, x):
        ran("scale")
        return factor * x

    twice = jax.jit(functools.partial(scale, 2.0))
    return [twice(1.0), twice(2.0), jax.jit(functools.partial(scale, 3.0))(1.0)]


def lambdas(ran: Ran) -> object:
    double = jax.jit(lambda x: (ran("<lambda>"), x * 2)[1])
    return [double(1.0), double(2.0), jax.jit(lambda x: (ran("<lambda>"), x * 3)[1])(1.0)]


def a_function_defined_anew_in_each_step(ran: Ran) -> object:
    def step(x):
        @jax.jit
        def update(x):
            ran("update")
            return x + 1

        return update(x)

    return step(step(step(0)))


def static_arguments(ran: Ran) -> object:
    @functools.partial(jax.jit, static_argnums=1, static_argnames="mode")
    def power(x, n, mode="up"):
        ran("power")
        return x**n if mode == "up" else x**-n

    return [power(2.0, 2), power(3.0, 2), power(2.0, 3), power(2.0, 2, mode="down"), power(2.0, n=2)]


def keyword_arguments(ran: Ran) -> object:
    @jax.jit
    def mix(x, *, y=1.0, **more):
        ran("mix")
        return x + y + sum(more.values())

    return [mix(1.0), mix(1.0, y=2.0), mix(1.0, z=3.0, y=2.0), mix(1.0, y=2.0, z=3.0)]


def donated_arguments(ran: Ran) -> object:
    @functools.partial(jax.jit, donate_argnums=0)
    def step(state, x):
        ran("step")
        return state + x

    state = jnp.zeros(3)
    for _ in range(3):
        state = step(state, jnp.ones(3))
    return state


def a_function_decorated_by_the_user(ran: Ran) -> object:
    """The wrapper says whom it stands for (`functools.wraps`): the run is the run of that function."""

    def noted(function):
        @functools.wraps(function)
        def wrapper(*args):
            return function(*args)

        return wrapper

    @jax.jit
    @noted
    @noted
    def step(x):
        ran("step")
        return x + 1

    return step(1.0), step(2.0)


def a_function_hidden_by_a_decorator_of_the_user(ran: Ran) -> object:
    """The wrapper is all that JAX is given; what it calls in plain Python is a helper."""

    def scaled(function):
        def wrapper(x):
            ran("wrapper")
            return function(x) * 2

        return wrapper

    @jax.jit
    @scaled
    def step(x):
        return x + 1

    return step(1.0)


def a_wrapper_around_a_jitted_function(ran: Ran) -> object:
    """JAX runs both: the wrapper under vmap, the jitted function in it."""

    def noted(function):
        @functools.wraps(function)
        def wrapper(*args):
            ran("wrapper")
            return function(*args)

        return wrapper

    @noted
    @jax.jit
    def step(x):
        ran("step")
        return x + 1

    return jax.vmap(step)(jnp.arange(2.0))


def recursion_through_jit(ran: Ran) -> object:
    @functools.partial(jax.jit, static_argnums=1)
    def tower(x, height):
        ran("tower")
        return x if height == 0 else tower(x * 2, height - 1)

    return tower(1.0, 3), tower(1.0, 2)


def recursion_in_plain_python(ran: Ran) -> object:
    def nested(x, depth):
        return x if depth == 0 else nested(jnp.sin(x), depth - 1)

    @jax.jit
    def run(x):
        ran("run")
        return nested(x, 4)

    return run(1.0)


def helpers_of_every_kind(ran: Ran) -> object:
    """Generators, comprehensions, context managers and lambdas that a body calls are not run by JAX."""

    def layers(n):
        for i in range(n):
            yield lambda x, i=i: x * (i + 1)

    @contextlib.contextmanager
    def scope(name):
        with jax.named_scope(name):
            yield

    @jax.jit
    def run(x):
        ran("run")
        with scope("stack"):
            for layer in layers(3):
                x = layer(x)
        return jax.tree.map(lambda leaf: leaf + 1, {"a": x, "b": [y * 2 for y in (x, x)]})

    return run(1.0)


def a_generator_that_calls_a_jitted_function(ran: Ran) -> object:
    @jax.jit
    def step(x):
        ran("step")
        return x + 1

    def steps(x):
        while True:
            x = step(x)
            yield x

    states = steps(0)
    return [next(states) for _ in range(3)]


def transformations_in_a_row(ran: Ran) -> object:
    def loss(w, x):
        ran("loss")
        return jnp.tanh(w @ x)

    run = jax.jit(jax.vmap(jax.value_and_grad(loss), in_axes=(None, 0)))
    return run(jnp.ones(2), jnp.ones((3, 2)))


def bodies_that_jax_comes_to_only_after_thousands_of_calls_of_its_own(ran: Ran) -> object:
    def total(params):
        ran("total")
        return params["p0"] + params["p1"]

    params = {f"p{i}": jnp.float32(i) for i in range(3_000)}
    batch = jax.tree.map(lambda x: x[None], params)
    shapes = jax.eval_shape(total, params), jax.eval_shape(jax.vmap(total), batch)
    return str(shapes), jax.jvp(total, (params,), (params,))
