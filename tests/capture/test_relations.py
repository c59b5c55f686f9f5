"""What surrounds a run: who caused it, from which line, and how it ended."""

from __future__ import annotations

import concurrent.futures
import functools
import threading

import jax
import jax.numpy as jnp
import pytest

from jax_trace_viz.contract.document import Argument
from tests.capture.told import line_of, recorded

line = functools.partial(line_of, __file__)


def test_the_parent_of_a_run_is_the_run_that_caused_it() -> None:
    @jax.jit
    def inner(x):
        return x * 2

    def body(total, x):
        return total + inner(x), None

    def loss(xs):
        return jax.lax.scan(body, 0.0, xs)[0]

    @jax.jit
    def step(xs):
        return jax.grad(loss)(xs)

    with recorded() as told:
        step(jnp.arange(3.0))
    above = {name: told.parent(told.trace(name)) for name in ("step", "loss", "body", "inner")}
    assert above == {"step": None, "loss": "step", "body": "loss", "inner": "body"}


def test_the_parent_is_found_through_plain_helpers() -> None:
    @jax.jit
    def inner(x):
        return x * 2

    def helper(x):
        return inner(x) + 1

    @jax.jit
    def outer(x):
        return helper(x)

    with recorded() as told:
        outer(1.0)
    assert told.parent(told.trace("inner")) == "outer"
    assert told.traces("helper") == []


def test_a_run_under_a_transformation_without_jit_is_a_parent_too() -> None:
    @jax.jit
    def inner(x):
        return jnp.sin(x)

    def loss(x):
        return inner(x)

    with recorded() as told:
        jax.grad(loss)(1.0)
    assert told.trace("loss").parent is None
    assert told.parent(told.trace("inner")) == "loss"


def test_runs_on_several_threads_have_the_parent_of_their_own_thread() -> None:
    together = threading.Barrier(3, timeout=60)

    @jax.jit
    def inner(x):
        return x * 2

    @jax.jit
    def outer(x):
        together.wait()
        return inner(x)

    with recorded() as told, concurrent.futures.ThreadPoolExecutor(3) as pool:
        list(pool.map(outer, [jnp.ones(size) for size in (1, 2, 3)]))
    outers = {trace.id: trace for trace in told.traces("outer")}
    inners = told.traces("inner")
    assert {trace.parent for trace in inners} == set(outers)
    for trace in inners:
        parent = outers[trace.parent]
        assert trace.thread == parent.thread
        assert [a.type for a in trace.arguments] == [a.type for a in parent.arguments]


def test_the_kind_names_the_transformation() -> None:
    def f(x):
        return jnp.sin(x).sum()

    def under_scan(total, x):
        return total + x, None

    def under_while(x):
        return x * 2

    def under_cond(x):
        return x + 1

    with recorded() as told:
        jax.jit(f)(jnp.ones(3))
        jax.vmap(f)(jnp.ones((2, 3)))
        jax.grad(f)(jnp.ones(3))
        jax.jvp(f, (jnp.ones(3),), (jnp.ones(3),))
        jax.vjp(f, jnp.ones(3))
        jax.lax.scan(under_scan, 0.0, jnp.arange(3.0))
        jax.lax.while_loop(lambda x: x < 10, under_while, 1)
        jax.lax.cond(jnp.array([1]).sum() > 0, under_cond, lambda x: x, 1)
    assert [trace.kind for trace in told.traces("f")] == ["jit", "vmap", "grad", "jvp", "vjp"]
    assert told.trace("under_scan").kind == "scan"
    assert told.trace("under_while").kind == "while"
    assert told.trace("under_cond").kind == "cond"


def test_a_run_that_raised_and_all_that_it_passed_through_failed() -> None:
    @jax.jit
    def inner(x):
        raise KeyError("missing")  # raised

    def body(total, x):
        return total + inner(x), None

    @jax.jit
    def outer(xs):
        return jax.lax.scan(body, 0.0, xs)

    @jax.jit
    def fine(x):
        return x * 2

    with recorded() as told:
        fine(1.0)
        with pytest.raises(KeyError):
            outer(jnp.arange(3.0))
        fine(jnp.ones(2))
    assert [told.trace(name).status for name in ("outer", "body", "inner")] == ["error"] * 3
    assert [trace.status for trace in told.traces("fine")] == ["ok", "ok"]
    error = told.trace("inner").error
    assert (error.type, error.file, error.line) == ("KeyError", __file__, line("raised"))
    assert told.trace("outer").error.line == line("raised")


def test_a_run_that_caught_the_error_of_another_is_fine() -> None:
    @jax.jit
    def inner(x):
        raise ValueError

    @jax.jit
    def outer(x):
        try:
            return inner(x)
        except ValueError:
            return x * 2

    with recorded() as told:
        outer(1.0)
    assert (told.trace("inner").status, told.trace("outer").status) == ("error", "ok")
    assert told.trace("outer").error is None


def test_the_call_site_is_the_innermost_line_of_the_user() -> None:
    @jax.jit
    def inner(x):
        return x * 2

    def body(total, x):
        return total + x, None

    def helper(x):
        return inner(x)  # call in the helper

    @jax.jit
    def outer(xs):
        total, _ = jax.lax.scan(  # call of scan
            body, 0.0, xs
        )
        return helper(total)

    def loss(x):
        return jnp.sin(x)

    with recorded() as told:
        outer(jnp.arange(3.0))  # call of outer
        jax.grad(loss)(1.0)  # call of grad
        for size in (1, 2):
            outer(jnp.ones(size))  # call in the loop
    sites = {name: {t.call_site.line for t in told.traces(name)} for name in ("outer", "body", "inner", "loss")}
    assert sites["outer"] == {line("call of outer"), line("call in the loop")}
    assert sites["inner"] == {line("call in the helper")}
    assert sites["loss"] == {line("call of grad")}
    assert len(sites["body"]) == 1
    assert sites["body"] <= {line("call of scan"), line("call of scan") + 1}
    assert {trace.call_site.file for trace in told.document.traces} == {__file__}


def test_arguments_are_told_by_key_path_with_type_and_role() -> None:
    @functools.partial(jax.jit, static_argnames=("mode",), donate_argnums=(2,))
    def step(params, x, state, *, mode):
        return state + params["w"][0] * x if mode == "up" else x

    with recorded() as told:
        step({"w": [jnp.ones(3), jnp.zeros((2, 2), "int32")]}, 1.0, jnp.ones(3), mode="up")
    assert sorted(told.trace("step").arguments, key=lambda argument: argument.path) == [
        Argument(path="mode", role="static", type="str", value="'up'"),
        Argument(path="params['w'][0]", role="traced", type="f32[3]"),
        Argument(path="params['w'][1]", role="traced", type="i32[2,2]"),
        Argument(path="state", role="donated", type="f32[3]"),
        Argument(path="x", role="traced", type="f32[]~"),
    ]


def test_a_function_is_its_code() -> None:
    def make(factor):
        def scaled(x):
            return x * factor

        return scaled

    with recorded() as told:
        for factor in (1.0, 2.0):
            jax.jit(make(factor))(1.0)
            jax.vmap(jax.jit(functools.partial(make(factor))))(jnp.ones(2))
    function = told.function("scaled")
    assert function.traces == 4
    assert function.qualname.endswith("make.<locals>.scaled")
    assert (function.file, function.origin) == (__file__, "user")


def test_the_environment_names_what_runs() -> None:
    import jaxlib

    with recorded() as told:
        jax.jit(lambda x: x * 2)(1.0)
    environment = told.document.environment
    assert (environment.jax, environment.jaxlib) == (jax.__version__, jaxlib.__version__)
    assert environment.platform == jax.default_backend()
    assert [(d.id, d.platform, d.kind) for d in environment.devices] == [
        (d.id, d.platform, d.device_kind) for d in jax.devices()
    ]
