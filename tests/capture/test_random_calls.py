"""Random programs of calls: as many traces as runs of the body, and the parts named are what made the difference."""

from __future__ import annotations

import os
import pathlib
import tempfile
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings

from tests.capture.random_calls import Call, Environment, programs, put_back
from tests.capture.told import recorded

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Trace

FOLDER = pathlib.Path(tempfile.gettempdir())


@settings(
    max_examples=int(os.environ.get("RANDOM_CALLS", "40")),
    deadline=None,
    derandomize="RANDOM_CALLS" not in os.environ,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(programs())
def test_the_named_parts_are_what_made_the_difference(calls: list[Call]) -> None:
    environment = Environment(FOLDER)
    with recorded() as told:
        ran = [environment.call(call) for call in calls]
    traces = told.traces("f")
    traced = [call for call, did in zip(calls, ran, strict=True) if did]
    assert len(traces) == environment.runs == len(traced)
    function = told.function("f")
    assert (function.calls, function.cache_hits) == (len(calls), len(calls) - len(traced))
    by_id = {trace.id: call for trace, call in zip(traces, traced, strict=True)}
    for trace, call in zip(traces[1:], traced[1:], strict=True):
        assert trace.compared_with is not None, [reason.kind for reason in trace.reasons]
        check(trace, call, by_id[trace.compared_with])


def check(trace: Trace, call: Call, earlier: Call) -> None:
    """Put back, the parts named give a hit; each of them alone gives none."""
    environment = Environment(FOLDER)
    assert environment.call(earlier)
    again = put_back(call, earlier, trace.reasons)
    assert not environment.call(again), f"more than that differs: {trace.reasons}\n{call}\n{earlier}"
    for reason in trace.reasons:
        if reason.kind == "new_dtype" and call.x64 != earlier.x64:
            continue  # JAX made the dtype of what was passed: it cannot be put back by itself
        if "(default)" in f"{reason.before}{reason.after}":
            continue  # left out in one of the calls: put back with the way of passing it
        assert (reason.before, reason.after) == (None, None) or reason.before != reason.after
        if "(default)" in f"{reason.before}{reason.after}":
            # One of the calls leaves it out: the value cannot be put back without the way it was passed.
            assert any(other.kind == "kwargs_signature" for other in trace.reasons)
            continue
        others = [other for other in trace.reasons if other is not reason]
        alone = Environment(FOLDER)
        alone.call(earlier)
        assert alone.call(put_back(call, earlier, others)), f"no difference to JAX: {reason}\n{call}\n{earlier}"
