"""Graphviz as a layout engine, and what happens where it cannot be one."""

from __future__ import annotations

import shutil
import stat
import sys
import time
from typing import TYPE_CHECKING

import pytest

from jax_trace_viz.session.graph import GraphOptions, build_graph
from jax_trace_viz.session.graph.layout import engines, graphviz
from tests.session.graph.support import TRACE, arrows, jaxpr, tape

if TYPE_CHECKING:
    from pathlib import Path

    from tests.session.graph.support import Tape

needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process."""
    monkeypatch.setattr(engines, "_said", set())


def recording() -> Tape:
    """Two passes with saved values, a nested group and an argument used twice."""
    lines = [
        "2 = sin 0 @jvp(net)/layer",
        "3 = mul 2 1 @jvp(net)/layer",
        "4 = exp 3 @jvp(net)",
        "5 = neg 4 @transpose(jvp(net))",
        "6 = mul 5 2 @transpose(jvp(net))/layer",
        "7 = cos 6 @transpose(jvp(net))/layer",
        "8 = sub 1 7",
    ]
    return tape(jaxpr("j1", 2, lines, [8, 4], input_names=["x", "w"]))


def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Puts a program in the place of Graphviz."""
    path = tmp_path / "dot"
    path.write_text(f"#!{sys.executable}\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path))


@needs_graphviz
def test_the_same_boxes_and_edges_in_other_places() -> None:
    own, other = (build_graph(recording(), TRACE, GraphOptions(engine=engine)) for engine in ("builtin", "graphviz"))
    assert other.note == ""
    assert arrows(own) == arrows(other)
    assert {(b.id, b.label, b.parent, b.open) for b in own.boxes} == {
        (b.id, b.label, b.parent, b.open) for b in other.boxes
    }
    sizes = [{b.id: (b.width, b.height) for b in graph.boxes if not b.open} for graph in (own, other)]
    assert sizes[0] == sizes[1]
    assert [b.x for b in own.boxes] != [b.x for b in other.boxes]
    frames = {b.id: b for b in other.boxes if b.open}
    for box in other.boxes:
        around = frames.get(box.parent or "")
        assert 0 <= box.x <= box.x + box.width <= other.width
        assert around is None or around.x <= box.x <= box.x + box.width <= around.x + around.width
        assert around is None or around.y <= box.y <= box.y + box.height <= around.y + around.height
    for edge in other.edges:
        assert len(edge.points) % 6 == 2


def test_without_the_program_the_built_in_engine_takes_over_and_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    first, second = (build_graph(recording(), TRACE, GraphOptions(engine="graphviz")) for _ in range(2))
    assert first.note == "Graphviz is not installed: laid out by the built-in engine."
    assert second.note == ""
    assert first.boxes == second.boxes == build_graph(recording(), TRACE).boxes


def test_a_program_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphviz, "TIME_LIMIT", 0.5)
    program(tmp_path, monkeypatch, "import time; time.sleep(60)")
    started = time.monotonic()
    graph = build_graph(recording(), TRACE, GraphOptions(engine="graphviz"))
    assert time.monotonic() - started < 20
    assert graph.note == "Graphviz took longer than 0.5 seconds: laid out by the built-in engine."
    assert graph.boxes


@pytest.mark.parametrize("text", ["raise SystemExit(3)", "print('no json')", "print('{}')", 'print(\'{"bb": "x"}\')'])
def test_a_program_that_fails_does_not_fail_the_picture(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, monkeypatch, text)
    graph = build_graph(recording(), TRACE, GraphOptions(engine="graphviz"))
    assert "Graphviz" in graph.note
    assert graph.boxes


def test_an_unknown_engine_is_an_error() -> None:
    with pytest.raises(ValueError, match="Unknown layout engine 'cola'"):
        build_graph(recording(), TRACE, GraphOptions(engine="cola"))
