"""Headings of open groups stand where no line runs through them."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from jax_trace_viz.contract.document import Document
from jax_trace_viz.session.graph import GraphOptions, build_graph
from jax_trace_viz.session.graph.layout.builtin import builtin
from jax_trace_viz.session.graph.text import LABEL_WIDTH, SMALL_WIDTH
from tests.session.graph.gallery import PROGRAMS, RECORDINGS

if TYPE_CHECKING:
    from jax_trace_viz.contract.picture import Box, Graph

LEFT, TOP, BOTTOM = 8, 3, 15


def picture(name: str, **more: Any) -> Graph:
    document = msgspec.json.decode(gzip.decompress((RECORDINGS / f"{name}.json.gz").read_bytes()), type=Document)
    trace = max((t for t in document.traces if t.jaxpr), key=lambda trace: trace.equations.expanded)
    return build_graph(document, trace.id, GraphOptions(**more))


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
def test_no_line_runs_through_a_heading(name: str) -> None:
    graph = picture(name)
    for frame in graph.boxes:
        if not frame.open:
            continue
        lines, long = lines_in_the_way(graph, frame), width(frame)

        def crossed(left: float, lines: list[float] = lines, long: float = long, apart: float = 0.0) -> bool:
            return any(left - apart < x < left + long + apart for x in lines)

        assert LEFT + frame.heading + long <= frame.width
        assert not crossed(LEFT + frame.heading), f"a line runs through {frame.label}"
        assert frame.heading == 0 or crossed(LEFT, apart=7, long=frame.heading + long), (
            f"{frame.label} moved for nothing"
        )


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_follows_a_name_is_cut_only_as_far_as_there_is_no_room(name: str) -> None:
    """It is never lost: the beginning stands there, and all of it in the tooltip."""
    told = {one.id: one.detail for one in picture(name, online=builtin).boxes}  # as nothing is cut for a heading
    for frame in picture(name).boxes:
        if not frame.open or frame.id not in told:
            continue
        whole = told[frame.id]
        assert whole.startswith(frame.detail.removesuffix("…"))
        assert frame.detail.startswith(whole.partition(",")[0][:17])


def test_headings_stay_where_they_are_while_a_picture_grows() -> None:
    assert any(box.heading for box in picture("scan_gradient").boxes)
    assert not any(box.heading for box in picture("scan_gradient", online=builtin).boxes)
