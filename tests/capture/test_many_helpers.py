"""Functions that plain Python calls again and again inside a trace: told a while one by one, then counted."""

from __future__ import annotations

import collections
import sys

import jax
import jax.numpy as jnp
import pytest

from jax_trace_viz.exports.text import report
from tests.capture.told import recorded

pytestmark = pytest.mark.skipif(sys.version_info < (3, 12), reason="before Python 3.12 helpers are not seen to run")

TOLD = 500
counts: collections.Counter[str] = collections.Counter()


def binomial(n, k):
    counts["binomial"] += 1
    if k in (0, n):
        return 1
    return binomial(n - 1, k - 1) + binomial(n - 1, k)


def scaled(x):
    return x * binomial(12, 5)


def helpers(told, name):
    (function,) = told.functions(name)
    return [trace for trace in told.document.traces if trace.function == function.id and trace.kind == "call"]


def test_of_a_recursive_helper_the_first_calls_are_told_and_the_others_counted():
    counts.clear()
    with recorded() as told:
        jax.jit(scaled)(1.0)
    calls = helpers(told, "binomial")
    assert len(calls) == TOLD
    assert {call.status for call in calls} == {"ok"}
    assert told.document.dropped.calls == counts["binomial"] - TOLD > 0
    assert told.trace("scaled").status == "ok"
    assert f"{counts['binomial'] - TOLD:,} further calls of helpers" in report(told.document)


def test_each_outermost_trace_tells_its_own_calls():
    with recorded() as told:
        jax.jit(scaled)(jnp.ones(2))
        jax.jit(scaled)(jnp.ones(3))
    assert len(helpers(told, "binomial")) == 2 * TOLD


def picked(i):
    if i == TOLD + 100:
        return 2
    return 1


def summed(x, most):
    return x * sum(picked(i) for i in range(most))


def summed_here(x, most):
    for i in range(most):
        x = x + picked(i)
    return x


@pytest.mark.parametrize("function", [summed, summed_here])
@pytest.mark.parametrize(("most", "without"), [(TOLD + 200, TOLD - 1), (TOLD + 50, TOLD)])
def test_a_line_that_a_further_call_ran_is_not_said_to_be_left_out(function, most, without):
    with recorded() as told:
        jax.jit(function, static_argnums=1).trace(1.0, most)
    assert told.document.dropped.calls == most - TOLD
    function = told.function("picked")
    left_out = [m for m in told.document.line_marks if m.function == function.id and m.kind == "not_run"]
    inside = [m for m in left_out if m.line == function.line + 2]
    assert len(inside) == without


def failing(i):
    if i > TOLD + 20:
        raise ValueError(f"{i} is too much")
    return i


def failed(x):
    return x + sum(failing(i) for i in range(TOLD + 100))


def test_an_error_in_a_further_call_is_told_of_the_trace():
    with recorded() as told, pytest.raises(ValueError, match="too much"):
        jax.jit(failed)(1.0)
    trace = told.trace("failed")
    assert trace.status == "error"
    assert trace.error is not None
    assert trace.error.line == told.function("failing").line + 2
    assert {call.status for call in helpers(told, "failing")} == {"ok"}
