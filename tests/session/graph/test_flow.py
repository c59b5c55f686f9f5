"""Every variable's producer and consumers, on random programs, at every fold state."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jax_trace_viz.session.graph import build_graph
from jax_trace_viz.session.graph.build import grow
from jax_trace_viz.session.graph.records import Program
from jax_trace_viz.session.graph.scene import Weaver
from tests.session.graph.checks import check_picture
from tests.session.graph.oracle import expected_lines
from tests.session.graph.random_programs import Step, programs, run
from tests.session.graph.support import TRACE, Tape, traced

X = np.arange(3, dtype=np.float32)


def check_flow(recording: Tape, opened: frozenset[str], budget: int) -> list[str]:
    """Compares the lines; returns the ids of the groups that can be opened next."""
    program = Program(recording)
    root, paths = grow(program, recording.traces[0], recording.functions[0], opened, budget)
    scene = Weaver(root, paths).weave()
    found = {(line.source, line.target) for line in scene.lines if line.source is not line.target}
    expected = expected_lines(root, recording.jaxprs)
    names = {node: f"{node.id} ({node.label})" for pair in found | expected for node in pair}
    assert {(names[a], names[b]) for a, b in expected - found} == set(), "lines are missing"
    assert {(names[a], names[b]) for a, b in found - expected} == set(), "lines are made up"
    equations = sum(node.weight for node in scene.boxes if node.main >= 0 or node.stop > node.start)
    assert equations or not root.weight
    check_picture(build_graph(recording, TRACE, open_boxes=opened, budget=budget))
    return [node.id for node in scene.boxes if not node.leaf and node.kind != "part"]


# The same programs in every run; search for others with more examples and without `derandomize`.
@settings(
    max_examples=50,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(steps=programs, data=st.data())
def test_random_programs(steps: list[Step], data: st.DataObject) -> None:
    recording = traced(lambda x, y: run(steps, x, y), X, X)
    opened: frozenset[str] = frozenset()
    budget = data.draw(st.sampled_from([3, 10, 60]))
    for _ in range(4):
        closed = check_flow(recording, opened, budget)
        if not closed:
            break
        opened |= set(data.draw(st.lists(st.sampled_from(closed), max_size=4)))


def everything_open(recording: Tape) -> frozenset[str]:
    """Opens and opens."""
    opened: frozenset[str] = frozenset()
    for _ in range(12):
        more = check_flow(recording, opened, 60)
        if not more or len(opened) > 200:
            break
        opened |= set(more)
    return opened


@pytest.mark.parametrize(
    "program",
    [
        jax.grad(lambda x: jax.lax.scan(lambda c, s: (jax.numpy.sin(c) * s, c), x, X)[0].sum()),
        jax.grad(jax.checkpoint(lambda x: jax.nn.gelu(x).sum())),
        jax.hessian(lambda x: (jax.numpy.sin(x) ** 3).sum()),
        jax.vmap(jax.grad(lambda x: jax.numpy.tanh(x) ** 2)),
        lambda x: jax.lax.while_loop(lambda c: c[0].sum() < 9, lambda c: (c[0] + c[1], c[1] * 2), (x, x)),
        lambda x: jax.random.normal(jax.random.key(0), x.shape) + x,
        lambda x: jax.numpy.linalg.norm(x) * jax.numpy.sort(x),
    ],
)
def test_known_programs_fully_open(program: object) -> None:
    everything_open(traced(program, X))
