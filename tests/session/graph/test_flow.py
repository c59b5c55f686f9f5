"""Every variable's producer and consumers, on random programs, at every fold state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jax_trace_viz.contract.document import Document
from jax_trace_viz.contract.environment import Environment, Outcome
from jax_trace_viz.session.graph import GraphOptions, build_graph
from jax_trace_viz.session.graph.build import grow
from jax_trace_viz.session.graph.records import Program
from jax_trace_viz.session.graph.scene import Weaver
from jax_trace_viz.session.graph.tree import CALLS
from jax_trace_viz.session.graph.wishes import parse_wishes
from tests.session.graph.checks import check_picture
from tests.session.graph.oracle import expected_lines
from tests.session.graph.random_programs import Step, programs, run
from tests.session.graph.support import TRACE, Tape, traced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.session.graph.tree import Level, Node

X = np.arange(3, dtype=np.float32)


def check_flow(recording: Tape, opened: frozenset[str], budget: int) -> list[str]:
    """Compares the lines; returns the ids of the groups that can be opened next."""
    program = Program(recording)
    root, paths = grow(program, recording.traces[0], recording.functions[0], parse_wishes(opened), budget)
    check_round_trip(root)
    scene = Weaver(root, paths).weave()
    found = {(line.source, line.target) for line in scene.lines if line.source is not line.target}
    expected = expected_lines(root, recording.jaxprs)
    names = {node: f"{node.id} ({node.label})" for pair in found | expected for node in pair}
    assert {(names[a], names[b]) for a, b in expected - found} == set(), "lines are missing"
    assert {(names[a], names[b]) for a, b in found - expected} == set(), "lines are made up"
    check_picture(build_graph(recording, TRACE, GraphOptions(open_boxes=opened, budget=budget)))
    copies = [f"{node.id}#{copy}" for node in scene.frames for copy in range(min(node.count, 9)) if node.count > 1]
    return [*(node.id for node in scene.boxes if not node.leaf and node.kind != "part"), *copies]


def check_round_trip(root: Node) -> None:
    """The equations of the jaxprs can be read off the boxes again: each stands in exactly one, in the same order."""
    level = root.level
    assert level is not None
    assert drawn_equations(root) == list(range(len(level.equations)))
    for node in every_open(root):
        for part in node.parts:
            inside = next((c for c in node.children if c.kind == "part" and c.level is part), node)
            assert drawn_equations(inside, part) == list(range(len(part.equations)))


def drawn_equations(node: Node, level: Level | None = None) -> list[int]:
    """The equations of a level that the boxes inside a node stand for, by place; all copies of a plate."""
    level = level or node.level
    assert level is not None
    places: list[int] = []
    for child in node.children:
        if child.level is not level or child.kind in ("argument", "constant", "result", "port", "part"):
            continue
        if not child.open or child.kind in CALLS:
            places += range(child.start, child.stop)
        elif child.kind == "plate":
            copy = [place - child.shown_start for place in drawn_equations(child)]
            places += [child.start + k * child.period + place for k in range(child.count) for place in copy]
        else:
            places += drawn_equations(child)
    return places


def every_open(node: Node) -> Iterator[Node]:
    """The open groups below a node."""
    for child in node.children:
        if child.open:
            yield child
            yield from every_open(child)


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
    kept = saved(recording)
    opened: frozenset[str] = frozenset()
    budget = data.draw(st.sampled_from([3, 10, 60]))
    for _ in range(4):
        closed = check_flow(recording, opened, budget)
        fresh = build_graph(recording, TRACE, GraphOptions(open_boxes=opened, budget=budget))
        assert build_graph(kept, TRACE, GraphOptions(open_boxes=opened, budget=budget)) == fresh, (
            "what earlier pictures left behind"
        )
        if not closed:
            break
        opened |= set(data.draw(st.lists(st.sampled_from(closed), max_size=4)))


def saved(recording: Tape) -> Document:
    """A document with the same content: from one picture to the next, what was found out about it is kept."""
    return Document(
        environment=Environment(python="3"),
        outcome=Outcome(status="ok"),
        functions=recording.functions,
        traces=recording.traces,
        compilations=[],
        annotations=[],
        findings=[],
        jaxprs=list(recording.jaxprs.values()),
        frames=recording.frames,
    )


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


def stacked(x: jax.Array) -> jax.Array:
    """Copies of copies, with calls in them: the values go from copy to copy, and past some of them."""

    @jax.jit
    def inner(v: jax.Array, w: jax.Array) -> jax.Array:
        return jax.numpy.sin(v) * w + jax.numpy.cos(v)

    def block(v: jax.Array, number: int) -> jax.Array:
        with jax.named_scope(f"block{number}"):
            first = v
            for place in range(4):
                with jax.named_scope(f"unit{place}"):
                    v = inner(jax.numpy.exp(v) + first, x)
            return jax.numpy.tanh(v)

    for number in range(5):
        x = block(x, number)
    return x


@pytest.mark.parametrize("gradient", [False, True])
@pytest.mark.parametrize("outer", [0, 2, 4])
@pytest.mark.parametrize("inner", [0, 1, 3])
def test_any_copy_may_stand_for_all(gradient: bool, outer: int, inner: int) -> None:
    recording = traced(jax.grad(lambda x: stacked(x).sum()) if gradient else stacked, X)
    opened: frozenset[str] = frozenset()
    for _ in range(5):
        more = check_flow(recording, opened, 60)
        plates = sorted({text.partition("#")[0] for text in more if "#" in text}, key=len)
        chosen = {f"{plate}#{outer if place == 0 else inner}" for place, plate in enumerate(plates)}
        opened = frozenset(text for text in {*opened, *more} if "#" not in text) | chosen
    assert len(chosen) >= 2
