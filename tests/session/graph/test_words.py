"""What the picture says in words instead of lines, on a gradient with many parameters."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from jax_trace_viz.session.graph import GraphOptions, build_graph
from tests.session.graph.checks import check_picture
from tests.session.graph.support import TRACE, Tape, box, jaxpr, tape

if TYPE_CHECKING:
    from jax_trace_viz.contract.picture import Graph

LAYERS = 9


def network() -> Tape:
    """Layers that differ, so that they are not folded, each with a weight of its own; their gradients; an update."""
    names = ["x", *(f"params[{k}]['w']" for k in range(LAYERS))]
    kinds = [kinds for size in (1, 2, 3) for kinds in combinations(("sin", "cos", "exp", "tanh"), size)]
    lines, value, made = list[str](), 0, len(names) - 1
    saved: list[int] = []
    for k in range(LAYERS):
        saved.append(value)
        lines.append(f"{made + 1} = mul {value} {k + 1} @jvp(net)/layer{k}")
        made += 1
        for kind in kinds[k]:
            lines.append(f"{made + 1} = {kind} {made} @jvp(net)/layer{k}")
            made += 1
        value = made
    loss, gradients = value, list[str]()
    for k in reversed(range(LAYERS)):
        lines.append(f"{made + 1} = mul {made} {saved[k]} @transpose(jvp(net))/layer{k}")
        made += 1
        gradients.append(str(made))
        for kind in kinds[k]:
            lines.append(f"{made + 1} = {kind} {made} @transpose(jvp(net))/layer{k}")
            made += 1
    lines.append(f"{made + 1} = concatenate {' '.join(gradients)}")
    return tape(jaxpr("j1", len(names), lines, [loss, made + 1], input_names=names))


@pytest.fixture(scope="module")
def graph() -> Graph:
    return build_graph(network(), TRACE, GraphOptions(budget=60))


def test_the_picture_is_sound(graph: Graph) -> None:
    check_picture(graph)
    assert 30 <= len(graph.boxes) <= 90


def test_forward_and_backward_stand_side_by_side_with_one_line_between(graph: Graph) -> None:
    saved = [edge for edge in graph.edges if edge.kind == "saved"]
    assert len(saved) == 1
    ids = {one.id: one for one in graph.boxes}
    forward, backward = ids[saved[0].source], ids[saved[0].target]
    assert (forward.phase, backward.phase, forward.y) == ("forward", "backward", backward.y)
    assert saved[0].label == f"{LAYERS} values saved", (
        "the input of each layer but the first, and the last one's output"
    )
    for one in (forward, backward):
        assert f"{one.phase} pass" in one.label + one.detail


def test_a_fan_is_one_thick_line_and_the_boxes_say_what_they_get(graph: Graph) -> None:
    bundles = [edge for edge in graph.edges if edge.kind == "bundle"]
    parameters = box(graph, "params")
    assert [edge.source for edge in bundles if edge.source == parameters.id] == [parameters.id]
    notes = {note for one in graph.boxes for note in one.notes}
    assert {f"← params[{k}]['w']" for k in range(LAYERS)} <= notes


def test_what_a_backward_pass_gives_is_one_thick_line(graph: Graph) -> None:
    update = box(graph, "concatenate")
    into = [edge for edge in graph.edges if edge.target == update.id]
    assert [edge.kind for edge in into] == ["bundle"]
    assert sum("→ concatenate" in one.notes for one in graph.boxes) >= 3


def test_few_lines_become_words(graph: Graph) -> None:
    stubs = sum(note.startswith("→") and "more use" in note for one in graph.boxes for note in one.notes)
    assert stubs <= len(graph.edges) / 5


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("(UnspecifiedValue, UnspecifiedValue)", False),
        ("(None,)", False),
        ("(False, False)", False),
        ("()", False),
        ("Mesh", False),
        ("AUTO", False),
        ("True", True),
        ("(True, False)", True),
        ("(0, None)", True),
        ("NamedSharding(('x',))", True),
        ("FILL_OR_DROP", True),
        ("Batch", True),
    ],
)
def test_a_tooltip_leaves_out_parameters_that_say_nothing(value: str, told: bool) -> None:
    recording = tape(jaxpr("j1", 1, ["1 = sin 0"], [1]))
    (equation,) = recording.jaxprs["j1"].equations
    equation = replace(equation, parameters={"axis": value})
    recording.jaxprs["j1"] = replace(recording.jaxprs["j1"], equations=[equation])
    title = box(build_graph(recording, TRACE), "sin").title
    assert (f"axis={value}" in title) == told
