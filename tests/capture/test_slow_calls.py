"""Hits that go through Python each time, told where it is certain why."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

from tests.capture.told import line_of, recorded

if TYPE_CHECKING:
    import pytest

line = functools.partial(line_of, __file__)
CALLS = 1_010


def test_an_effect_that_keeps_calls_in_python_is_a_finding(capfd: pytest.CaptureFixture[str]) -> None:
    @jax.jit
    def shown(x):
        jax.debug.print("{x}", x=x)  # shown
        return x + 1

    @jax.jit
    def step(x):
        return shown(x) * 2

    with recorded() as told:
        x = jnp.float32(0)
        for _ in range(CALLS):
            x = step(x) * 0
        jax.effects_barrier()
    capfd.readouterr()
    function = told.function("step")
    assert (function.cache_hits, function.fast_hits) == (CALLS - 1, 0)
    (finding,) = [finding for finding in told.document.findings if finding.kind == "no_fast_path"]
    assert (finding.function, finding.place.line) == (function.id, line("shown"))
    assert f"None of the {CALLS - 1:,} cache hits of `step` took JAX's fast path: `jax.debug" in finding.text


def test_calls_on_the_fast_path_and_calls_inside_a_trace_are_none() -> None:
    @jax.jit
    def quick(x):
        return x + 1

    @jax.jit
    def outer(x):
        for _ in range(20):
            x = quick(x)
        return x

    with recorded() as told:
        outer(0.0)
        for _ in range(CALLS):
            quick(0.0)
    assert told.document.findings == []
