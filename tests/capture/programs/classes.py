"""Methods, callable objects and pytrees of the user's own classes."""

from __future__ import annotations

import dataclasses
import functools
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from tests.capture.counting import Ran


def bound_methods(ran: Ran) -> object:
    class Model:
        def __init__(self, weight):
            self.weight = weight

        def predict(self, x):
            ran("predict")
            return self.weight * x

    models = [Model(2.0), Model(3.0)]
    return [jax.jit(model.predict)(1.0) for model in models for _ in range(2)]


def a_jitted_method_with_a_static_self(ran: Ran) -> object:
    @dataclasses.dataclass(frozen=True)
    class Model:
        depth: int

        @functools.partial(jax.jit, static_argnums=0)
        def predict(self, x):
            ran("predict")
            return x * self.depth

    return [Model(depth).predict(1.0) for depth in (1, 2, 2)]


def static_and_class_methods(ran: Ran) -> object:
    class Model:
        @staticmethod
        @jax.jit
        def double(x):
            ran("double")
            return x * 2

        @classmethod
        def triple(cls, x):
            ran("triple")
            return x * 3

    return Model.double(1.0), Model().double(2.0), jax.jit(Model.triple)(1.0)


def a_callable_object(ran: Ran) -> object:
    class Layer:
        def __call__(self, x):
            ran("__call__")
            return x * 2

    return jax.jit(Layer())(1.0), jax.vmap(Layer())(jnp.ones(3))


def pytrees(ran: Ran) -> object:
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class Params:
        weight: jax.Array
        bias: jax.Array | None

    @jax.jit
    def apply(params, x):
        ran("apply")
        out = params.weight * x
        return out if params.bias is None else out + params.bias

    weight = jnp.ones(2)
    return [apply(Params(weight, bias), 2.0) for bias in (None, jnp.ones(2), jnp.zeros(2))]


def a_pytree_class_of_the_user(ran: Ran) -> object:
    """JAX calls its methods to take arguments apart and to put them together, in the middle of traces too."""

    @jax.tree_util.register_pytree_node_class
    class Pair:
        def __init__(self, a, b):
            self.a = a
            self.b = b

        def tree_flatten(self):
            return (self.a, self.b), None

        @classmethod
        def tree_unflatten(cls, _, values):
            return cls(*values)

    def swap(pair):
        ran("swap")
        return Pair(pair.b, pair.a * 2)

    pair = Pair(jnp.ones(2), jnp.zeros(2))
    return jax.jit(swap)(pair), jax.vmap(swap)(pair), jax.jvp(swap, (pair,), (pair,))


def methods_that_jax_asks_in_the_middle_of_a_trace(ran: Ran) -> object:
    class Mode:
        def __init__(self, factor):
            self.factor = factor

        def __hash__(self):
            return hash(self.factor)

        def __eq__(self, other):
            return self.factor == other.factor

    class Wrapped:
        def __init__(self, value):
            self.value = value

        def __jax_array__(self):
            return self.value * 1

    @functools.partial(jax.jit, static_argnums=1)
    def inner(x, mode):
        ran("inner")
        return x * mode.factor

    @jax.jit
    def outer(x):
        ran("outer")
        return inner(x, Mode(2)) + inner(x, Mode(2)) + inner(x, Mode(3)) + jnp.asarray(Wrapped(x))

    return outer(1.0)
