"""Headings of open groups stand where no line runs through them, if there is such a place."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from jax_trace_viz.contract.document import Document
from jax_trace_viz.session.graph import build_graph
from jax_trace_viz.session.graph.layout.builtin import builtin
from jax_trace_viz.session.graph.text import LABEL_WIDTH, SMALL_WIDTH
from tests.session.graph.gallery import PROGRAMS, RECORDINGS

if TYPE_CHECKING:
    from jax_trace_viz.contract.view import Box, Graph

LEFT, TOP, BOTTOM = 8, 3, 15


def picture(name: str, **more: Any) -> Graph:
    document = msgspec.json.decode(gzip.decompress((RECORDINGS / f"{name}.json.gz").read_bytes()), type=Document)
    trace = max((t for t in document.traces if t.jaxpr), key=lambda trace: trace.equations.expanded)
    return build_graph(document, trace.id, **more)


def width(box: Box) -> float:
    head = f"{box.name} = {box.label}" if box.name else box.label
    return LABEL_WIDTH * len(head) + SMALL_WIDTH * (len(box.detail) + 2 if box.detail else 0)


def lines_in_the_way(graph: Graph, frame: Box) -> list[float]:
    """Where lines that do not end at the frame's border pass its heading, from its left edge."""
    found: list[float] = []
    for edge in graph.edges:
        if edge.target == frame.id or edge.kind == "saved":
            continue
        points = list(zip(edge.points[::2], edge.points[1::2], strict=True))
        for start, one, other, stop in zip(points[0::3], points[1::3], points[2::3], points[3::3], strict=False):
            for step in range(101):
                t = step / 100
                weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                x, y = (
                    sum(w * p[axis] for w, p in zip(weights, (start, one, other, stop), strict=True)) for axis in (0, 1)
                )
                if frame.y + TOP < y < frame.y + BOTTOM and frame.x < x < frame.x + frame.width:
                    found.append(x - frame.x)
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_heading_is_clear_of_lines_where_there_is_room(name: str) -> None:
    graph = picture(name)
    for frame in graph.boxes:
        if not frame.open:
            continue
        lines, long = lines_in_the_way(graph, frame), width(frame)

        def crossed(left: float, lines: list[float] = lines, long: float = long, apart: float = 0.0) -> bool:
            return any(left - apart < x < left + long + apart for x in lines)

        assert LEFT + frame.heading + long <= frame.width
        if not crossed(LEFT):
            assert frame.heading == 0 or crossed(LEFT, apart=7), f"{frame.label} moved for nothing"
        elif crossed(LEFT + frame.heading):
            rooms = range(LEFT, int(frame.width - LEFT - long) + 1)
            assert all(crossed(left, apart=7) for left in rooms), f"there is room for {frame.label}"


def test_headings_stay_where_they_are_while_a_picture_grows() -> None:
    assert any(box.heading for box in picture("scan_gradient").boxes)
    assert not any(box.heading for box in picture("scan_gradient", online=builtin).boxes)
