"""From a scene to the record that is drawn: texts cut and measured, boxes and curves placed."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from jax_trace_viz.cancelling import check
from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.picture import Box, Edge, Graph, Link
from jax_trace_viz.session.graph.census import LARGEST
from jax_trace_viz.session.graph.copies import differences_text, shown_copy_text
from jax_trace_viz.session.graph.flops import Flops
from jax_trace_viz.session.graph.folds import edge_values, fold_title
from jax_trace_viz.session.graph.headings import Heading, Spot, heading_spots
from jax_trace_viz.session.graph.layout.model import Diagram, Item, Wire
from jax_trace_viz.session.graph.layout.ranks import ranks
from jax_trace_viz.session.graph.sizes import type_bytes, types_text
from jax_trace_viz.session.graph.text import LABEL_WIDTH, SMALL_WIDTH, clean, columns, cut
from jax_trace_viz.session.graph.words import line_title
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from jax_trace_viz.contract.picture import BoxKind
    from jax_trace_viz.session.graph.layout.model import Curve, Placement
    from jax_trace_viz.session.graph.scene import Line, Scene, Value
    from jax_trace_viz.session.graph.tree import Node

_KINDS: dict[str, BoxKind] = {
    "argument": "argument",
    "result": "result",
    "constant": "constant",
    "port": "port",
    "equation": "operation",
    "opaque": "operation",
}
_LABEL, _HEADING, _DETAIL, _NOTE, _NAME, _LONG_NAME, _TITLE = 34, 60, 40, 42, 18, 40, 900
_DOTTED = re.compile(r"\w+(\.\w+)+")
_MARK = 14.0
"""Room for a mark in front of the label: that a group can be opened, or what kind of value an end is."""
_MARKED = ("argument", "constant")
_MARGIN, _SMALL_MARGIN, _NARROWEST = 16.0, 14.0, 34.0
_BOX_HEIGHT, _LINE_HEIGHT = 20.0, 11.0
_PLATE = 6.0
"""How far the copies behind a plate stick out."""
_PLACES = 50
_BEFORE, _LEAST = 2, 25
"""Columns between a heading's label and its detail, and those of the detail that are to be seen."""


class _Texts(msgspec.Struct, frozen=True, gc=False):
    """What stands in a box."""

    name: str
    label: str
    detail: str
    notes: tuple[str, ...]


class Sketch:
    """The scene as a diagram; texts and sizes are set when all notes are known."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._items: dict[Node, Item] = {scene.root: Item(frame=True)}
        self._texts: dict[Node, _Texts] = {}
        for node in self.nodes:
            self._items[node] = Item(
                frame=node.open,
                inlet=node.kind == "port" and not node.feeds,
                outlet=node.kind == "port" and bool(node.feeds),
                key=node.id,
            )
        for node, item in self._items.items():
            item.children = tuple(self._items[child] for child in node.children) if item.frame else ()
            for child in item.children:
                child.parent = item
            item.beside = self._items.get(node.mate) if node.mate is not None else None
        self._wires = {
            line: Wire(self._items[line.source], self._items[line.target], beside=line.saved)
            for line in scene.lines
            if not line.carried
        }
        ordering = [wire for wire in self._wires.values() if not wire.beside]  # whether drawn or not
        self._diagram = Diagram(self._items[scene.root], [], [*ordering, *self._below()])

    @property
    def nodes(self) -> list[Node]:
        """What is drawn, frames first."""
        return [*self.scene.frames, *self.scene.boxes]

    @functools.cached_property
    def _places(self) -> dict[Node, int]:
        return {node: place for place, node in enumerate(self.nodes)}

    @functools.cached_property
    def _labels(self) -> list[str]:
        return [self._texts[node].label for node in self.nodes]

    def rows(self) -> dict[Node, int]:
        """Which row of its frame each node stands in."""
        rows = ranks(self._diagram)
        return {node: rows[self._items[node]] for node in self.nodes}

    def _below(self) -> list[Wire]:
        """A result that no box makes (it is always the same) stands beside one that is made, not on top."""
        makers = {line.target: line.source for line in self.scene.lines if line.target.kind == "result"}
        others = [node for node in self.scene.boxes if node.kind == "result" and node not in makers]
        maker = next(reversed(makers.values()), None)
        return [Wire(self._items[maker], self._items[node]) for node in others] if maker is not None else []

    def diagram(self) -> Diagram:
        """The scene with measured boxes, to be laid out."""
        for node in self.nodes:
            texts = self._texts[node] = _texts(node)
            item = self._items[node]
            item.width, item.height = _size(node, texts)
            item.heading = _heading(texts).least if item.frame else 0.0
        self._diagram.wires = [wire for line, wire in self._wires.items() if line.drawn]
        return self._diagram

    def graph(self, placement: Placement, trace: str, name: str, note: str, *, steady: bool) -> Graph:
        """The picture of a trace of the function of that name; `steady`: its headings stay where they are."""
        return Graph(
            trace=trace,
            name=name,
            width=round(placement.width, 1),
            height=round(placement.height, 1),
            boxes=self._boxes(placement, steady=steady),
            edges=self._edges(placement),
            links=self._links(),
            equations=self.scene.root.weight,
            note=note,
        )

    def _boxes(self, placement: Placement, *, steady: bool) -> list[Box]:
        """The boxes where they were placed, frames first."""
        values: defaultdict[Node, dict[Value, str]] = defaultdict(dict)
        for line in self.scene.lines:
            for one in line.inner or (line,):
                values[one.source] |= one.values
        sizes = {node: sum(map(type_bytes, made.values())) for node, made in values.items()}
        assert self.scene.root.level is not None
        program = self.scene.root.level.program
        flops = program.once("flops", lambda: Flops(program.jaxprs))
        spots = {} if steady else heading_spots(self._headings(), placement)
        return [
            self._box(
                node,
                placement,
                spot=spots.get(self._items[node]),
                size=min(sizes.get(node, 0), LARGEST),
                flops=flops.of(node.level.jaxpr, node.start, node.stop) if node.level else None,
            )
            for node in self.nodes
        ]

    def _headings(self) -> dict[Item, Heading]:
        return {self._items[node]: _heading(self._texts[node]) for node in self.scene.frames}

    def _edges(self, placement: Placement) -> list[Edge]:
        """The lines as they were routed."""
        curves = placement.curves
        return [self._edge(line, curves[wire]) for line, wire in self._wires.items() if wire in curves]

    def _edge(self, line: Line, curve: Curve) -> Edge:
        values = edge_values(self.scene, line, self._places) if line.inner else ()
        return Edge(
            id=f"{line.source.id}>{line.target.id}",
            source=line.source.id,
            target=line.target.id,
            kind="saved" if line.saved else "bundle" if line.inner else "value",
            title=clean(fold_title(line, values, self._labels) if values else line_title(line)),
            points=tuple([round(value, 1) for value in curve]),
            label=f"{count_text(len(line.values), 'value')} saved" if line.saved else "",
            values=values,
        )

    def _links(self) -> list[Link]:
        """What uses what, drawn or said in words."""
        places = self._places
        links: list[Link] = []
        for line in self.scene.lines:
            kind = "saved" if line.saved else "carried" if line.carried else "value"
            for one in line.inner or (line,):
                types = types_text(list(dict.fromkeys(one.values.values())))
                links.append(Link(source=places[one.source], target=places[one.target], type=types, kind=kind))
        return links

    def _box(self, node: Node, placement: Placement, *, spot: Spot | None, size: int, flops: int | None) -> Box:
        check()
        rect, texts = placement.rects[self._items[node]], self._texts[node]
        plate = _PLATE if node.kind == "plate" and not node.open else 0.0
        return Box(
            id=node.id,
            kind="operation" if node.kind == "part" and not node.open else _KINDS.get(node.kind, "group"),
            label=texts.label,
            detail=_fitting_detail(texts, spot) if spot else texts.detail,
            title=clean(_title(node))[:_TITLE],
            x=round(rect.x, 1),
            y=round(rect.y, 1),
            width=round(rect.width - plate, 1),
            height=round(rect.height - plate, 1),
            name=texts.name,
            notes=texts.notes,
            parent=node.parent.id or None if node.parent is not None else None,
            open=node.open,
            part=node.kind == "part" and node.open,
            heading=spot.shift if spot else 0,
            repeat=node.count,
            shown=node.shown,
            copies=tuple(cut(name, _NAME) for name in node.copies),
            phase=node.phase,
            places=_places(node),
            equations=0 if node.level is None or node.stop == node.start else node.weight,
            bytes=size,
            flops=flops,
        )


def _title(node: Node) -> str:
    differences = differences_text(node.level, node) if node.kind == "plate" and node.level else ""
    return "\n".join(filter(None, [node.label, node.detail, differences, node.title])).strip()


def _fitting(label: str, room: int) -> str:
    """A label cut to so many characters; a dotted name loses the names of modules first."""
    while len(label) > room and _DOTTED.fullmatch(label):
        label = label.partition(".")[2]
    return cut(label, room)


def _texts(node: Node) -> _Texts:
    """What a box says, cut to what there is room for: a frame has room for a long name."""
    check()
    name = cut(node.name, _LONG_NAME if node.open else _NAME)
    label = (
        cut(node.label, _HEADING) if node.open else _fitting(node.label, _LABEL - (columns(name) + 3 if name else 0))
    )
    times = f" ×{node.count:,}"
    detail = ", ".join(filter(None, [node.role, shown_copy_text(node), node.detail]))
    return _Texts(
        name,
        label if node.count == 1 or label.endswith(times) else label + times,
        cut(detail, _HEADING if node.open else _DETAIL),
        () if node.open else tuple(cut(note, _NOTE) for note in node.notes),
    )


def _heading(texts: _Texts) -> Heading:
    """The widths of the first line, and of it with the detail behind it."""
    head = LABEL_WIDTH * columns(f"{texts.name} = {texts.label}" if texts.name else texts.label)
    detail = columns(texts.detail)
    least, whole = (SMALL_WIDTH * (_BEFORE + room) if detail else 0 for room in (_least(texts.detail), detail))
    return Heading(head, head + least, head + whole)


def _fitting_detail(texts: _Texts, spot: Spot) -> str:
    """A heading's detail, cut where a line comes in; without it where next to nothing would be left."""
    room = int((spot.room - _heading(texts).head) / SMALL_WIDTH) - _BEFORE
    return cut(texts.detail, room) if room >= _least(texts.detail) else ""


def _least(detail: str) -> int:
    """How many columns of a heading's detail are to be seen: its first part, and that more follow."""
    first = detail.partition(", ")[0]
    return min(columns(detail), columns(first) + 2, _LEAST)


def _size(node: Node, texts: _Texts) -> tuple[float, float]:
    """Size of a box, or the least width of a frame."""
    head, _, whole = _heading(texts)
    if node.open:
        return whole + 2 * _MARGIN, 0.0
    plain = node.kind == "part" or (node.leaf and node.kind not in _MARKED)
    width = max(
        head + _MARGIN + (0.0 if plain else _MARK),
        *(SMALL_WIDTH * columns(text) + _SMALL_MARGIN for text in (texts.detail, *texts.notes)),
        _NARROWEST,
    )
    height = _BOX_HEIGHT + _LINE_HEIGHT * (bool(texts.detail) + len(texts.notes))
    plate = _PLATE if node.kind == "plate" else 0.0
    return width + plate, height + plate


def _places(node: Node) -> tuple[Place, ...]:
    """The user's lines that a box came from."""
    level = node.level
    if level is None or node.kind in ("argument", "constant", "result", "port"):
        return ()
    frames = {equation.frame for equation in level.equations[node.shown_start : node.shown_stop]}
    found = {(f.file, f.line) for index in frames if (f := level.program.user_frame(index)) is not None}
    return tuple(Place(file=file, line=line) for file, line in sorted(found)[:_PLACES])
