"""DOT text: the same boxes and groups, and whatever the names are, Graphviz reads it."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from jax_trace_viz.exports import dot
from jax_trace_viz.session.graph import build_graph
from tests.session.graph.support import TRACE, jaxpr, tape

if TYPE_CHECKING:
    from jax_trace_viz.contract.picture import Graph

needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


def graph(name: str = "x", scope: str = "layer") -> Graph:
    lines = [f"1 = sin 0 @{scope}", f"2 = cos 1 @{scope}", "3 = exp 2"]
    return build_graph(tape(jaxpr("j1", 1, lines, [3], input_names=[name])), TRACE)


def understood(text: str) -> dict[str, Any]:
    """What Graphviz reads."""
    run = subprocess.run(["dot", "-Tdot_json"], input=text.encode(), capture_output=True, check=True, timeout=30)
    assert run.stderr == b""
    return json.loads(run.stdout)


def test_groups_are_clusters_and_links_are_edges() -> None:
    text = dot.text(graph())
    assert text.startswith('digraph "f" {\n')
    assert 'subgraph cluster_0 {\n    graph [label="layer  2 equations"' in text
    assert text.count(" -> ") == 4


@needs_graphviz
def test_graphviz_reads_the_same_boxes() -> None:
    read = understood(dot.text(graph()))
    clusters = [one for one in read["objects"] if one["name"].startswith("cluster")]
    labels = {one["label"].split("\\n")[0] for one in read["objects"] if one not in clusters}
    assert labels == {"x", "sin", "cos", "exp", "result[0]"}
    assert [len(one["nodes"]) for one in clusters] == [2]
    assert len(read["edges"]) == 4


@needs_graphviz
@pytest.mark.parametrize(
    "name",
    [
        "<lambda>",
        '"; node [color=red]; "',
        "a\\",
        '\\"',
        "a\\N\\G",
        "</svg><script>alert(1)</script>",
        "a\x00\x1b[31m\u202eb",
        "x" * 10_000,
        "&amp;",
        "<b>bold</b>",
    ],
)
def test_hostile_names_stay_names(name: str) -> None:
    read = understood(dot.text(graph(name=name)))
    assert len(read["objects"]) == 6
    assert len(read["edges"]) == 4


def test_links_say_what_kind_they_are() -> None:
    lines = ["1 = mul 0 2.0:f32[] @jvp()", "2 = neg 1 @transpose(jvp())"]
    saved = build_graph(tape(jaxpr("j1", 1, lines, [1, 2])), TRACE)
    assert "style=dashed" in dot.text(saved)
    copies = [f"{k + 1} = sin {k}" if k % 2 else f"{k + 1} = mul {k} 2.0:f32[]" for k in range(10)]
    carried = build_graph(tape(jaxpr("j1", 1, copies, [10])), TRACE)
    assert "style=dotted, constraint=false" in dot.text(carried)
