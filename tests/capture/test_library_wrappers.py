"""A library's jit around a library's transformation, both put by the user on their own function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import numpy as np
import pytest

import jax_trace_viz

equinox: Any = pytest.importorskip("equinox")

if TYPE_CHECKING:
    from collections.abc import Callable

WRAPPERS = {
    "value_and_grad": equinox.filter_value_and_grad,
    "grad": equinox.filter_grad,
    "checkpoint": equinox.filter_checkpoint,
}


@pytest.mark.parametrize("name", WRAPPERS)
def test_retraces_hits_and_causes_are_those_of_the_users_function(name: str) -> None:
    calls: list[tuple[int, ...]] = []

    def scaled(model: dict[str, Any], x: Any) -> Any:
        calls.append(x.shape)
        return (model["w"] * x).sum() * model["times"]

    step: Callable[..., Any] = equinox.filter_jit(WRAPPERS[name](scaled))
    with jax_trace_viz.trace() as session:
        for rows, times in ((3, 2.0), (3, 2.0), (5, 2.0), (5, 4.0), (5, 4.0)):
            jax.block_until_ready(step({"w": np.ones(4, np.float32), "times": times}, np.ones((rows, 4), np.float32)))
    document = session.document()
    assert document.faults == []
    (function,) = (one for one in document.functions if one.name == "scaled")
    traces = [one for one in document.traces if one.function == function.id and one.kind == "jit"]
    assert len(traces) == len(calls) == 3
    reasons = [
        [(reason.kind, reason.path) for reason in trace.reasons] for trace in traces[1:]
    ]  # the `def` ran for an earlier test
    assert reasons == [[("new_shape", "x")], [("new_static_value", "model['times']")]]
    assert (function.calls, function.cache_hits, function.compiles) == (5, 2, 3)


def test_what_vmap_keeps_from_the_body_is_told_by_the_call() -> None:
    def energy(w: Any, x: Any) -> Any:
        return (w * x).sum()

    batched: Callable[..., Any] = equinox.filter_jit(equinox.filter_vmap(energy, in_axes=(None, 0)))
    with jax_trace_viz.trace() as session:
        for rows in (3, 3, 5):
            jax.block_until_ready(batched(np.ones(4, np.float32), np.ones((rows, 4), np.float32)))
    document = session.document()
    (function,) = (one for one in document.functions if one.name == "energy")
    _, again = (one for one in document.traces if one.function == function.id)
    (reason,) = again.reasons
    assert (reason.kind, reason.path) == ("new_shape", "x")
    assert (reason.before, reason.after) == ("f32[3,4]", "f32[5,4]")
