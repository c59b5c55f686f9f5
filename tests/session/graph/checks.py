"""What must hold for every picture, whatever it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jax_trace_viz.session.graph import GraphOptions, build_graph
from tests.session.graph.support import TRACE, traced

if TYPE_CHECKING:
    from jax_trace_viz.contract.picture import Box, Graph

_TOLERANCE = 0.2


def picture(program: Any, *arguments: Any, **more: Any) -> Graph:
    """A program's picture, in which nothing overlaps and nothing is lost."""
    graph = build_graph(traced(program, *arguments), TRACE, GraphOptions(**more))
    check_picture(graph)
    return graph


def check_picture(graph: Graph) -> None:
    """Ids are unique, edges join boxes and run downwards, boxes lie in their frames and on no other box."""
    boxes = {one.id: one for one in graph.boxes}
    assert len(boxes) == len(graph.boxes), "ids are unique"
    assert len({edge.id for edge in graph.edges}) == len(graph.edges), "ids of edges are unique"
    for one in graph.boxes:
        assert one.parent is None or boxes[one.parent].open
        _check_inside(one, boxes[one.parent] if one.parent else None, graph)
    for parent in {one.parent for one in graph.boxes}:
        _check_apart([one for one in graph.boxes if one.parent == parent])
    for edge in graph.edges:
        source, target = boxes[edge.source], boxes[edge.target]
        assert len(edge.points) >= 8
        assert len(edge.points) % 6 == 2
        if edge.kind != "saved":
            assert edge.points[-1] >= edge.points[1] - _TOLERANCE, f"{source.label} → {target.label} runs upwards"
            assert abs(edge.points[1] - source.y - source.height) <= _TOLERANCE + 6
            assert abs(edge.points[-1] - target.y) <= _TOLERANCE
    _check_inputs_are_told(graph, boxes)


def _check_inputs_are_told(graph: Graph, boxes: dict[str, Box]) -> None:
    """What a box gets is drawn, to the box itself or to the border of a frame around it, or said in the box."""

    def around(one: Box) -> set[str]:
        return {one.id} | (around(boxes[one.parent]) if one.parent else set())

    drawn = {(edge.source, edge.target) for edge in graph.edges}
    for link in graph.links:
        source, target = graph.boxes[link.source], graph.boxes[link.target]
        by_line = any((a, b) in drawn for a in around(source) for b in around(target))
        assert by_line or any(note[0] in "←↻+" for note in target.notes), f"{source.label} → {target.label} is lost"


def _check_inside(one: Box, frame: Box | None, graph: Graph) -> None:
    left, top, around = (frame.x, frame.y, frame) if frame else (0, 0, graph)
    where = f"{one.label} in {frame.label if frame else 'the picture'}"
    assert one.x >= left - _TOLERANCE, where
    assert one.y >= top - _TOLERANCE, where
    assert one.x + one.width <= left + around.width + _TOLERANCE, where
    assert one.y + one.height <= top + around.height + _TOLERANCE, where


def _check_apart(siblings: list[Box]) -> None:
    for place, one in enumerate(siblings):
        for other in siblings[place + 1 :]:
            beside = one.x + one.width <= other.x + _TOLERANCE or other.x + other.width <= one.x + _TOLERANCE
            above = one.y + one.height <= other.y + _TOLERANCE or other.y + other.height <= one.y + _TOLERANCE
            assert beside or above, f"{one.label} lies on {other.label}"
