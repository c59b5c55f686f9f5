"""The layout that needs nothing installed: rows in the order of the program, frames from the inside out.

A frame's borders are ports. Inside-out, a frame cannot know where the far ends of the wires through its ports will lie.
So the picture is laid out several times, each time with the ports ordered by where the wires went before, and the best
one is kept.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.layout.cells import pieces, ports_of
from jax_trace_viz.session.graph.layout.inside import lay_out
from jax_trace_viz.session.graph.layout.ranks import ranks
from jax_trace_viz.session.graph.layout.routes import Laid, Router
from jax_trace_viz.session.graph.layout.shape import Parts

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.layout.cells import Piece, Port
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
        wires = [wire for wire in diagram.wires if not wire.beside]
        self._ports = {source: ports_of(source) for source in dict.fromkeys(wire.source for wire in wires)}
        self._wires = {wire: pieces(wire, self._ports[wire.source]) for wire in wires}
        inside_of: defaultdict[Item, list[Piece]] = defaultdict(list)
        for piece in itertools.chain.from_iterable(self._wires.values()):
            inside_of[piece.frame].append(piece)
        rows = ranks(diagram)
        frames = [*reversed(list(diagram.root.frames())), diagram.root]
        self._parts = [Parts(frame, inside_of[frame], rows) for frame in frames]

    def best(self) -> Placement:
        crossings, insides = self._pass({})
        router = Router(self._diagram, insides)
        if crossings == 0:
            return router.route(self._wires)
        # First as if borders could be crossed anywhere, to learn where the wires want to go.
        _, free = self._pass({}, free=True)
        hints = self._hints(Router(self._diagram, free))
        starts = [hints]
        if len(self._wires) <= _FEW:
            starts += [{port: -place for port, place in hints.items()}, self._hints(router)]
        for start in starts:
            # The first start agrees best with what is around: others must cross less.
            count, candidate = self._improve(start, crossings - (start is not hints))
            if candidate is not None:
                crossings, router = count, candidate
            if crossings == 0:
                break
        return router.route(self._wires)

    def _improve(self, hints: dict[Port, float], crossings: int) -> tuple[int, Router | None]:
        """The best of some passes, ports where the wires of the one before went; None if all are worse."""
        best: Router | None = None
        for number in range(_PASSES):
            count, insides = self._pass(hints)
            candidate = Router(self._diagram, insides)
            if count <= crossings:  # the ports of a later pass agree better with what is around
                crossings, best = count, candidate
            elif number:
                break
            if crossings == 0:
                break
            hints = self._hints(candidate)
        return crossings, best

    def _hints(self, router: Router) -> dict[Port, float]:
        """Where each port's wires come from or go to."""
        hints: dict[Port, float] = {}
        targets: defaultdict[Port, list[float]] = defaultdict(list)
        for wire in self._wires:
            source, target = router.rects[wire.source], router.rects[wire.target]
            ports = self._ports[wire.source]
            hints[ports.into] = source.x + source.width / 2
            targets[ports.out].append(target.x + target.width / 2)
        return hints | {port: sum(places) / len(places) for port, places in targets.items()}

    def _pass(self, hints: dict[Port, float], *, free: bool = False) -> tuple[int, dict[Item, Laid]]:
        """Lays out all frames, inner ones first; `free`: wires end in the middle of inner frames, not at ports."""
        insides: dict[Item, Laid] = {}

        def size(item: Item) -> tuple[float, float]:
            laid = insides.get(item)
            return (laid.inside.width, laid.inside.height) if laid else (item.width, item.height)

        def port_at(item: Item, port: Port) -> float:
            return 0.0 if free else insides[item].port(port)

        for parts in self._parts:
            shape = parts.shape(hints, size, port_at, heading=parts.frame is not self._diagram.root)
            insides[parts.frame] = Laid(parts, lay_out(shape))
        return sum(laid.inside.crossings for laid in insides.values()), insides
