"""Bodies that a library calls late in a trace of its own: a profiler would have to look long for them (Python 3.11)."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from tests.capture.told import recorded

SOURCE = """
import sys
import jax

looked = []

def nothing():
    pass

def solved(model, calls, xs):
    def body(carry, x):
        looked.append(sys.getprofile() is not None)
        for _ in range(calls):
            nothing()
        looked.append(sys.getprofile() is not None)
        return carry, model(x)
    return jax.lax.scan(body, 0.0, xs)
"""
"""A library whose function is traced, and does much in plain Python before it calls the user's."""


def library() -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(compile(SOURCE, str(Path(sysconfig.get_path("purelib")) / "solvers.py"), "exec"), scope)
    return scope


def test_a_body_that_comes_after_thousands_of_calls_is_told() -> None:
    ran: list[tuple[int, ...]] = []
    solved = library()["solved"]

    def model(x: Any) -> Any:
        ran.append(x.shape)
        return jnp.sin(x) * 2

    @jax.jit
    def step(xs: Any) -> Any:
        return solved(model, 30_000, xs)

    with recorded() as told:
        for size in (3, 4):
            step(jnp.ones((2, size)))
    assert ran == [(3,), (4,)]
    (first, again) = told.traces("model")
    assert [first.kind, again.kind] == ["scan", "scan"]
    assert {trace.parent for trace in (first, again)} == {trace.id for trace in told.traces("step")}
    assert all(trace.jaxpr is not None for trace in (first, again))


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="from Python 3.12 on no profiler looks")
def test_a_look_ends_soon_and_is_not_repeated_where_it_was_in_vain() -> None:
    made = library()

    @jax.jit
    def step(xs: Any) -> Any:
        return made["solved"](jnp.sin, 5_000, xs)

    with recorded():
        for size in (3, 4):
            step(jnp.ones((2, size)))
    assert made["looked"] == [True, False, False, False]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="from Python 3.12 on no profiler looks")
def test_a_look_around_goes_on_when_one_inside_has_ended() -> None:
    made = library()

    def shown(x: Any) -> Any:
        return x + 1

    scope: dict[str, Any] = {"solved": made["solved"], "jnp": jnp}
    source = "def around(model, xs):\n    return model(solved(jnp.sin, 0, xs)[1])\n"
    exec(compile(source, str(Path(sysconfig.get_path("purelib")) / "around.py"), "exec"), scope)
    with recorded() as told:
        jax.vmap(scope["around"], in_axes=(None, 0))(shown, jnp.ones((2, 3)))
    (trace,) = told.traces("shown")
    assert trace.kind == "vmap"
