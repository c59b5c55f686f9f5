"""Calls that needed no body: counted, on the fast path and on several threads too."""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import pytest

from tests.capture.counting import Ran
from tests.capture.told import line_of, recorded

if TYPE_CHECKING:
    from collections.abc import Iterator

line = functools.partial(line_of, __file__)


def test_hits_are_the_calls_that_ran_no_body() -> None:
    ran = Ran()

    @jax.jit
    def step(x):
        ran("step")
        return x * 2

    @jax.jit
    def caller(x):
        ran("caller")
        ran.called("step")
        return step(x)

    with recorded() as told:
        for size in (1, 2, 1, 1, 2, 3):
            ran.called("step")
            step(jnp.ones(size))
        for _ in range(2):
            ran.called("caller")
            caller(jnp.ones(1))
    for name, calls in ran.calls.items():
        function = told.function(name)
        assert (name, function.calls, function.traces) == (name, calls, ran.counts[name])
        assert function.cache_hits == calls - ran.counts[name]
        assert function.fast_hits <= function.cache_hits


@contextlib.contextmanager
def nans_found() -> Iterator[None]:
    """On every thread, unlike with `jax.debug_nans`."""
    jax.config.update("jax_debug_nans", True)
    try:
        yield
    finally:
        jax.config.update("jax_debug_nans", False)


@pytest.mark.parametrize("looking", [nans_found, lambda: jax.debug_nans(True)])
def test_a_hit_that_jax_finds_a_nan_in_is_a_call_too(looking) -> None:
    @jax.jit
    def log(x):
        return jnp.log(x)

    values = [jnp.float32(value) for value in (1, 2, 3, -1)]
    with recorded() as told, looking():
        for value in values[:-1]:
            log(value)
        with pytest.raises(FloatingPointError):
            log(values[-1])
    function = told.function("log")
    assert (function.calls, function.traces, function.cache_hits) == (4, 1, 3)


def test_hits_on_the_fast_path_are_all_counted() -> None:
    @jax.jit
    def step(x):
        return x + 1

    with recorded() as told:
        x = jnp.zeros(3)
        for _ in range(100):
            x = step(x)
    function = told.function("step")
    assert (function.calls, function.traces, function.cache_hits) == (100, 1, 99)
    assert function.fast_hits >= 97


def test_calls_on_several_threads_are_all_counted() -> None:
    @jax.jit
    def step(x):
        return x + 1

    def work(_):
        x = jnp.zeros(3)
        for _ in range(50):
            x = step(x)

    with recorded() as told, concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    function = told.function("step")
    assert (function.calls, function.traces, function.cache_hits) == (200, 1, 199)


def test_a_call_that_raised_is_no_hit() -> None:
    @jax.jit
    def fails(x):
        raise KeyError

    with recorded() as told:
        for _ in range(2):
            with pytest.raises(KeyError):
                fails(1.0)
    function = told.function("fails")
    assert (function.calls, function.traces, function.cache_hits) == (2, 2, 0)


def _lower(f: Any) -> object:
    return f.lower(1.0).compile()(1.0)


def _grad(f: Any) -> object:
    return jax.grad(lambda x: 2 * f(x))(1.0)


@pytest.mark.parametrize(
    ("first", "calls", "hits"),
    [
        (lambda f: f(1.0), 3, 2),
        (_lower, 2, 2),
        (lambda f: f.trace(1.0), 2, 2),
        (lambda f: f.eval_shape(1.0), 2, 2),
        (lambda f: jax.eval_shape(f, 1.0), 2, 2),
        (lambda f: jax.make_jaxpr(f)(1.0), 2, 2),
        (lambda f: jax.make_jaxpr(lambda x: f(x) + f(x))(1.0), 4, 3),
        (_grad, 3, 2),
        (lambda f: jax.vmap(f)(jnp.ones(3)), 3, 1),
    ],
    ids=["a call", "lower", "trace", "f.eval_shape", "eval_shape", "make_jaxpr", "nested", "grad", "vmap"],
)
def test_a_call_of_what_was_traced_before_is_a_hit(first: Any, calls: int, hits: int) -> None:
    """Hits are the calls that ran no body, whoever had it traced; what only asks for a trace is no call."""
    ran = Ran()

    @jax.jit
    def f(x):
        ran("f")
        return x * 2

    with recorded() as told:
        first(f)
        for _ in range(2):
            f(1.0)
    function = told.function("f")
    assert (function.calls, function.cache_hits, function.traces) == (calls, hits, ran.counts["f"])
