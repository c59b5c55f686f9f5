"""The gallery shows what is drawn today."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from bench.crossings import crossings
from bench.pictures import GOALS
from jax_trace_viz.exports.svg import svg
from jax_trace_viz.session.graph import GraphOptions, build_graph
from jax_trace_viz.session.graph.layout.graphviz import PROGRAMS as PROGRAMS_OF_GRAPHVIZ
from tests.session.graph.gallery import PICTURES, PROGRAMS, drawn, recorded

PAGE = Path(__file__).parents[3] / "docs/gallery.md"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_picture_is_as_it_is_drawn(name: str) -> None:
    shown = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn(name) == shown, "look at it, then: python -m tests.session.graph.gallery"


def test_every_picture_is_on_the_page() -> None:
    shown = re.findall(r"\]\(images/gallery/(\w+)\.svg\)", PAGE.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_first_picture_is_small_enough_to_be_read(name: str) -> None:
    """At most 60 boxes, where a program has so many; few ends of lines are told in words alone."""
    document, trace = recorded(name)
    graph = build_graph(document, trace)
    boxes = sum(not box.open for box in graph.boxes)
    assert min(graph.equations, 20) / 2 <= boxes <= 60
    told = sum(note.startswith("→") and "more use" in note for box in graph.boxes for note in box.notes)
    assert told <= max(1, len(graph.edges) / 5)
    goal = GOALS[name]
    if goal is not None:
        assert boxes <= goal.boxes
        assert len(svg(graph).encode()) <= goal.kilobytes * 1000


@pytest.mark.skipif(not any(map(shutil.which, PROGRAMS_OF_GRAPHVIZ)), reason="Graphviz is not installed")
@pytest.mark.parametrize("name", PROGRAMS)
def test_few_lines_cross_beside_graphviz_s(name: str) -> None:
    document, trace = recorded(name)
    ours, theirs = (
        crossings(build_graph(document, trace, GraphOptions(engine=engine))) for engine in ("builtin", "graphviz")
    )
    assert ours <= max(1.5 * theirs, theirs + 3)
