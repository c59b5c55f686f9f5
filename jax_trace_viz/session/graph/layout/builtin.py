"""The layout that needs nothing installed: rows in the order of the program, frames from the inside out.

A frame's borders are ports. Inside-out, a frame cannot know where the far ends of the wires through its ports will lie.
So the picture is laid out several times, each time with the ports ordered by where the wires went before, and the best
one is kept.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.layout.cells import Piece, Port, pieces
from jax_trace_viz.session.graph.layout.inside import FrameLayout, Inside
from jax_trace_viz.session.graph.layout.ranks import ranks
from jax_trace_viz.session.graph.layout.routes import Router

if TYPE_CHECKING:
    from collections.abc import Hashable

    from jax_trace_viz.session.graph.layout.model import Diagram, Item, Placement

_PASSES = 4
_FEW = 60
"""So few wires are tried from further starts."""


def builtin(diagram: Diagram) -> Placement:
    """Lays a diagram out."""
    return _Builtin(diagram).best()


class _Builtin:
    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._ranks = ranks(diagram)
        self._wires = {wire: pieces(wire) for wire in diagram.wires if not wire.beside}
        self._pieces: defaultdict[Item, list[Piece]] = defaultdict(list)
        for parts in self._wires.values():
            for piece in parts:
                self._pieces[piece.frame].append(piece)
        self._frames = [*reversed(list(diagram.root.frames())), diagram.root]
        self._done: dict[Hashable, Inside] = {}
        """Frames whose borders are as in an earlier pass are not laid out again."""

    def best(self) -> Placement:
        crossings, insides = self._pass({})
        placement = self._route(insides)
        if crossings == 0:
            return placement
        # First as if borders could be crossed anywhere, to learn where the wires want to go.
        _, free = self._pass({}, free=True)
        hints = self._hints(self._route(free))
        starts = [hints]
        if len(self._wires) <= _FEW:
            starts += [{port: -place for port, place in hints.items()}, self._hints(placement)]
        for start in starts:
            # The first start agrees best with what is around: others must cross less.
            count, candidate = self._improve(start, crossings - (start is not hints))
            if candidate is not None:
                crossings, placement = count, candidate
            if crossings == 0:
                break
        return placement

    def _improve(self, hints: dict[Port, float], crossings: int) -> tuple[int, Placement | None]:
        """The best of some passes, ports where the wires of the one before went; None if all are worse."""
        best: Placement | None = None
        for number in range(_PASSES):
            count, insides = self._pass(hints)
            candidate = self._route(insides)
            if count <= crossings:  # the ports of a later pass agree better with what is around
                crossings, best = count, candidate
            elif number:
                break
            if crossings == 0:
                break
            hints = self._hints(candidate)
        return crossings, best

    def _route(self, insides: dict[Item, Inside]) -> Placement:
        return Router(self._diagram, insides).route(self._wires)

    def _hints(self, placement: Placement) -> dict[Port, float]:
        """Where each port's wires come from or go to."""
        hints: dict[Port, float] = {}
        targets: defaultdict[Port, list[float]] = defaultdict(list)
        for wire in self._wires:
            source, target = placement.rects[wire.source], placement.rects[wire.target]
            hints[Port("in", wire.source)] = source.x + source.width / 2
            targets[Port("out", wire.source)].append(target.x + target.width / 2)
        return hints | {port: sum(places) / len(places) for port, places in targets.items()}

    def _pass(self, hints: dict[Port, float], *, free: bool = False) -> tuple[int, dict[Item, Inside]]:
        """Lays out all frames, inner ones first; `free`: wires end in the middle of inner frames, not at ports."""
        insides: dict[Item, Inside] = {}

        def size(item: Item) -> tuple[float, float]:
            inside = insides.get(item)
            return (inside.width, inside.height) if inside else (item.width, item.height)

        def port_at(item: Item, port: Port) -> float:
            return 0.0 if free else insides[item].port(port)

        for frame in self._frames:
            own = self._pieces[frame]
            inlets = list(dict.fromkeys(p.start.port for p in own if p.start.item is None and p.start.port))
            outlets = list(dict.fromkeys(p.stop.port for p in own if p.stop.item is None and p.stop.port))
            inlets.sort(key=lambda port: hints.get(port, 0.0))
            outlets.sort(key=lambda port: hints.get(port, 0.0))
            fixed = bool(hints) and (len(inlets) > 1 or len(outlets) > 1)
            ends = [end for p in own for end in (p.start, p.stop) if end.item is not None and end.port is not None]
            at = tuple(round(port_at(end.item, end.port), 1) for end in ends if end.item and end.port)
            sizes = tuple(size(item) for item in frame.children)
            key = frame, tuple(inlets), tuple(outlets), fixed, at, sizes
            inside = self._done.get(key)
            if inside is None:
                layout = FrameLayout(frame, own, self._ranks, size, port_at)
                heading = frame is not self._diagram.root
                inside = self._done[key] = layout.lay_out(inlets, outlets, fixed=fixed, heading=heading)
            insides[frame] = inside
        return sum(inside.crossings for inside in insides.values()), insides
