"""Positions from Graphviz: the same boxes and lines, placed by its `dot` program.

The program is optional and is never waited for longer than `TIME_LIMIT`.
"""

# The `graphviz` package has no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import msgspec

from jax_trace_viz.session.graph.layout.model import Placement, Rect
from jax_trace_viz.session.graph.layout.routes import beside

if TYPE_CHECKING:
    import graphviz

    from jax_trace_viz.session.graph.layout.model import Curve, Diagram, Item, Wire

TIME_LIMIT = 10.0
PROGRAMS = ("dot", "graphviz-pure")
"""Names under which the program may be installed, the first found is used."""

_POINTS = 72.0
_HEADING = (
    '<<table border="0" cellpadding="0" cellspacing="0">'
    '<tr><td fixedsize="true" width="{:.0f}" height="12"></td></tr></table>>'
)
"""A cluster's label that only takes up the room of a heading."""
_MANY = 300
_QUICK = {"nslimit": "0.1", "nslimit1": "0.1", "mclimit": "0.1", "splines": "line"}


class GraphvizError(Exception):
    """Graphviz gave no layout; the message says why, in words for the reader."""


def graphviz_engine(diagram: Diagram) -> Placement:
    """Lays a diagram out with Graphviz.

    Raises:
        GraphvizError: It is not installed, took too long or failed.
    """
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise GraphvizError("Graphviz is not installed")
    source = _Source(diagram)
    command = [program, "-Tjson"]
    try:
        run = subprocess.run(command, input=source.text(), capture_output=True, timeout=TIME_LIMIT, check=True)
    except subprocess.TimeoutExpired:
        raise GraphvizError(f"Graphviz took longer than {TIME_LIMIT:g} seconds") from None
    except (OSError, subprocess.CalledProcessError) as error:
        raise GraphvizError("Graphviz failed") from error
    try:
        return source.placement(msgspec.json.decode(run.stdout))
    except (KeyError, ValueError, msgspec.DecodeError) as error:
        raise GraphvizError("Graphviz gave an answer that could not be read") from error


class _Source:
    """A diagram in Graphviz's language: items and wires by number, frames as clusters."""

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._items: list[Item] = []
        self._numbers: dict[Item, int] = {}

    def text(self) -> bytes:
        """The diagram's source."""
        import graphviz  # not before somebody asks for it

        graph = graphviz.Digraph(
            graph_attr={"ranksep": "0.3", "nodesep": "0.16", "nslimit": "4", "compound": "true"},
            node_attr={"shape": "box", "fixedsize": "true", "label": ""},
            edge_attr={"arrowhead": "none"},
        )
        self._fill(graph, self._diagram.root)
        if len(self._items) > _MANY:
            graph.attr(**_QUICK)
        for place, wire in enumerate(self._diagram.wires):
            if wire.beside:
                continue
            ends = {"ltail": wire.source, "lhead": wire.target}
            clusters = {name: f"cluster_{self._numbers[item]}" for name, item in ends.items() if item.frame}
            tail, head = self._numbers[_box(wire.source, last=True)], self._numbers[_box(wire.target, last=False)]
            graph.edge(f"n{tail}", f"n{head}", id=str(place), **clusters)
        return graph.source.encode()

    def _fill(self, graph: graphviz.Digraph, frame: Item) -> None:
        for item in frame.children:
            number = self._numbers[item] = len(self._items)
            self._items.append(item)
            if item.frame:
                look = {"margin": "8", "labeljust": "l", "label": _HEADING.format(item.width)}
                cluster = type(graph)(f"cluster_{number}", graph_attr=look)
                self._fill(cluster, item)
                graph.subgraph(cluster)
            else:
                size = {"width": f"{item.width / _POINTS:.4f}", "height": f"{item.height / _POINTS:.4f}"}
                graph.node(f"n{number}", **size)

    def placement(self, answer: dict[str, Any]) -> Placement:
        """The answer's places. Graphviz counts upwards from the bottom."""
        _, _, width, height = _numbers(answer["bb"])
        rects: dict[Item, Rect] = {}
        for thing in answer.get("objects", []):
            name = thing["name"]
            if name.startswith("cluster_"):
                left, bottom, right, top = _numbers(thing["bb"])
                rects[self._items[int(name.removeprefix("cluster_"))]] = Rect(
                    left, height - top, right - left, top - bottom
                )
            else:
                item = self._items[int(name.removeprefix("n"))]
                x, y = _numbers(thing["pos"])
                rects[item] = Rect(x - item.width / 2, height - y - item.height / 2, item.width, item.height)
        curves: dict[Wire, Curve] = {
            w: beside(rects[w.source], rects[w.target]) for w in self._diagram.wires if w.beside
        }
        for edge in answer.get("edges", []):
            places = (_numbers(part) for part in edge["pos"].split() if not part.startswith(("e,", "s,")))
            curve = tuple(value for x, y in places for value in (x, height - y))
            curves[self._diagram.wires[int(edge["id"])]] = curve
        return Placement(width, height, rects, curves)


def _box(item: Item, *, last: bool) -> Item:
    """An item in a frame that stands for it: Graphviz's edges end at boxes and are cut at the frame."""
    while item.frame:
        item = item.children[-1 if last else 0]
    return item


def _numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]
