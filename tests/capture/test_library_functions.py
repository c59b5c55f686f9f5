"""Functions of libraries that the program itself jits: `jax.jit(optimizer.update)`, `jax.jit(jnp.dot)`.

The libraries are JAX's own `example_libraries`, its public functions, and the standard library.
"""

from __future__ import annotations

import colorsys
import contextlib
import functools
import operator
import sys

import jax
import jax.numpy as jnp
import pytest
from jax.example_libraries import optimizers, stax

from tests.capture.told import line_of, recorded


def test_an_update_of_an_optimizer_is_told_as_any_jitted_function() -> None:
    init, update, _ = optimizers.adam(1e-3)
    state, gradient = init(jnp.ones(3)), jnp.ones(3)
    with recorded() as told:
        jitted = jax.jit(update)
        for step in range(3):
            state = jitted(step, gradient, state)  # in the loop
        jitted(jnp.int32(3), gradient, state)
    function = told.function("update")
    assert (function.calls, function.traces, function.cache_hits, function.compiles) == (4, 2, 2, 2)
    first, again = told.traces("update")
    assert [(r.kind, r.path, r.before, r.after) for r in again.reasons] == [("weak_type", "i", "i32[]~", "i32[]")]
    assert first.jaxpr is not None
    assert first.call_site is not None
    assert first.call_site.line == line_of(__file__, "in the loop")
    assert {c.trace for c in told.document.compilations if c.function == function.id} == {first.id, again.id}


@pytest.mark.parametrize(
    ("make", "name", "calls", "kind", "path"),
    [
        (lambda: jax.jit(jnp.dot), "dot", [(jnp.ones(3), jnp.ones(3)), (jnp.ones(4), jnp.ones(4))], "new_shape", "a"),
        (
            lambda: jax.jit(jax.nn.softmax, static_argnums=1),
            "softmax",
            [(jnp.ones((2, 2)), 0), (jnp.ones((2, 2)), 1)],
            "new_static_value",
            "axis",
        ),
        (
            lambda: jax.jit(functools.partial(jnp.clip, max=1.0)),
            "clip",
            [(jnp.ones(3),), (jnp.ones(3, int),)],
            "new_dtype",
            "arr",
        ),
        (lambda: jax.jit(jax.grad(jnp.linalg.norm)), "norm", [(jnp.ones(3),), (jnp.ones(4),)], "new_shape", "x"),
    ],
    ids=["jitted twice", "with a static argument", "partial", "grad"],
)
def test_a_public_function_of_jax_that_is_jitted_is_a_function(make, name, calls, kind, path) -> None:
    with recorded() as told:
        jitted = make()
        for arguments in calls:
            jitted(*arguments)
    assert told.kinds(name)[1][0] == kind
    assert told.traces(name)[1].reasons[0].path == path


UNARY = [
    *(operator.neg, operator.pos, operator.abs, operator.inv, sum, list),
    *(getattr(jnp, name) for name in dir(jnp) if not name.startswith("_")),
    *(getattr(jax.nn, name) for name in dir(jax.nn) if not name.startswith("_")),
    *(getattr(jax.lax, name) for name in dir(jax.lax) if not name.startswith("_")),
]
BINARY = [
    *(operator.add, operator.matmul, operator.pow, operator.mod, operator.lt, operator.eq, operator.and_),
    *(jnp.dot, jnp.where, jnp.convolve, jnp.cross, jnp.atan2, jax.lax.add, jax.lax.dot),
]


@pytest.mark.filterwarnings("ignore")
def test_what_jax_has_jitted_itself_stays_an_operation() -> None:
    with recorded() as told:
        for operation in UNARY:
            with contextlib.suppress(Exception):
                operation(jnp.arange(3))
        for operation in BINARY:
            with contextlib.suppress(Exception):
                operation(jnp.arange(3), jnp.arange(3))
        jax.random.normal(jax.random.key(0), (7,))
        jnp.linalg.norm(jnp.ones(5))
        jnp.ones(3).at[1].set(2.0)
        jnp.ones(3).mean()
    assert [function.name for function in told.document.functions if function.origin == "user"] == []


def test_what_a_library_function_runs_of_the_users_is_inside_it() -> None:
    def body(x):
        return jnp.sin(x)

    with recorded() as told:
        jax.jit(functools.partial(jax.lax.map, body))(jnp.ones(3))
    assert told.runs() == {"map": 1, "body": 1}
    assert told.parent(told.trace("body")) == "map"


def test_a_transformation_of_the_users_function_goes_by_its_name() -> None:
    def loss(x):
        return (x * x).sum()

    with recorded() as told:
        jax.jit(jax.value_and_grad(loss))(jnp.ones(3))
    assert told.runs() == {"loss": 1}


def test_a_call_that_fails_has_its_error_and_what_was_staged() -> None:
    with recorded() as told, pytest.raises(TypeError):
        jax.jit(jnp.dot)(jnp.ones(3), jnp.ones(4))
    trace = told.trace("dot")
    assert trace.error is not None
    assert trace.error.type == "TypeError"


def test_inside_a_jitted_function_it_is_told_inside_that() -> None:
    init, update, _ = optimizers.sgd(1e-3)
    jitted = jax.jit(update)

    @jax.jit
    def step(state, gradient):
        return jitted(0, gradient, state)

    with recorded() as told:
        step(init(jnp.ones(3)), jnp.ones(3))
    assert told.parent(told.trace("update")) == "step"


def test_calls_that_hit_count_though_the_trace_was_before_the_recording() -> None:
    jitted = jax.jit(jnp.dot)
    for _ in range(2):
        jitted(jnp.ones(3), jnp.ones(3))
    with recorded() as told:
        for _ in range(5):
            jitted(jnp.ones(3), jnp.ones(3))
    function = told.function("dot")
    assert (function.calls, function.cache_hits, function.traces) == (5, 5, 0)


def test_the_jaxpr_is_the_one_that_jax_makes() -> None:
    jitted = jax.jit(jax.nn.softmax, static_argnums=1)
    with recorded() as told:
        jitted(jnp.ones((2, 3)), 0)
    trace = told.trace("softmax")
    jaxpr = next(each for each in told.document.jaxprs if each.id == trace.jaxpr)
    expected = jitted.trace(jnp.ones((2, 3)), 0).jaxpr.jaxpr
    assert [one.primitive for one in jaxpr.equations] == [one.primitive.name for one in expected.eqns]


def test_of_optax_and_flax() -> None:
    nn, optax = pytest.importorskip("flax.linen"), pytest.importorskip("optax")
    model, optimizer = nn.Dense(2), optax.adam(1e-3)
    variables = model.init(jax.random.key(0), jnp.ones((1, 3)))
    with recorded() as told:
        apply, update = jax.jit(model.apply), jax.jit(optimizer.update)
        state = optimizer.init(variables)
        apply(variables, jnp.ones((1, 3)))
        apply(variables, jnp.ones((2, 3)))
        update(variables, state, variables)
        update(variables, state)
    assert told.kinds("apply") == [["first_call"], ["new_shape"]]
    assert told.kinds("update_fn") == [["first_call"], ["kwargs_signature"]]


def test_a_jit_around_a_jitted_function_of_a_library_is_one_call() -> None:
    twice = jax.jit(jax.jit(colorsys.rgb_to_yiq))
    with recorded() as told:
        twice(0.5, jnp.ones(4), 0.5)
        twice(0.5, jnp.ones(4), 0.5)
        twice(0.5, jnp.ones(3), 0.5)
    function = told.function("rgb_to_yiq")
    assert (function.calls, function.traces) == (3, 2)
    assert [(reason.kind, reason.path) for reason in told.traces("rgb_to_yiq")[1].reasons] == [("new_shape", "g")]


def _layer(function):
    return lambda _key, shape: (shape, ()), lambda _params, inputs, **_: function(inputs)


def test_what_a_librarys_program_calls_of_the_users_is_a_part_of_it() -> None:
    bodies = []

    def scale(x):
        bodies.append("scale")
        return x * 2

    _, apply = stax.serial(_layer(scale), _layer(scale))
    with recorded() as told:
        jitted = jax.jit(apply)
        for size in (3, 3, 4):
            jitted([(), ()], jnp.ones(size))
    assert bodies == ["scale"] * 4
    function = told.function("apply_fun")
    assert (function.calls, function.traces, function.compiles) == (3, 2, 2)
    assert [(r.kind, r.path) for r in told.traces("apply_fun")[1].reasons] == [("new_shape", "inputs")]
    assert (told.function("scale").traces, told.function("scale").compiles) == (0, 0)
    if sys.version_info < (3, 12):
        return  # helpers are not seen to run
    traces = {trace.id: trace for trace in told.document.traces}
    calls = [trace for trace in traces.values() if trace.function == told.function("scale").id]
    assert [trace.kind for trace in calls] == ["call"] * 4
    outermost = [traces[trace.parent or ""].parent for trace in calls]
    assert outermost == [trace.id for trace in told.traces("apply_fun") for _ in range(2)]


def test_a_librarys_wrapper_that_takes_anything_is_not_told_for_the_function_it_holds() -> None:
    @contextlib.contextmanager
    def nothing_around():
        yield

    def scale(x, by):
        return x * by

    wrapper = nothing_around()(scale)
    del wrapper.__wrapped__
    with recorded() as told:
        jitted = jax.jit(wrapper, static_argnums=1)
        for by in (2, 2, 3):
            jitted(jnp.ones(3), by)
    assert told.kinds("scale")[1] == ["new_static_value"]
    assert [f.name for f in told.document.functions] == ["scale"]
