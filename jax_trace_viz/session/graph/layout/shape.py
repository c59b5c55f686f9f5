"""A frame as plain numbers: all that its layout depends on, so that frames which are alike are laid out once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jax_trace_viz.session.graph.layout.cells import End, Piece, Port
    from jax_trace_viz.session.graph.layout.model import Item


class Spot(msgspec.Struct, frozen=True, gc=False):
    """An end of a wire's piece in a frame."""

    child: int
    """Place among the frame's children; `BORDER` for the frame's own border."""
    port: int
    """Number of the port there; `BORDER` for the middle of a box."""
    at: float
    """How far it is from the child's middle, in pixels."""


BORDER = -1


class Shape(NamedTuple):
    """What lies directly in one frame. Hashable."""

    sizes: tuple[tuple[float, float], ...]
    """Width and height of each child, in pixels."""
    rows: tuple[int, ...]
    beside: tuple[int, ...]
    """For each child, the place of the one at its right that shares its cell; `BORDER` if there is none."""
    pieces: tuple[tuple[Spot, Spot], ...]
    inlets: tuple[int, ...]
    """Numbers of the ports at the top, from left to right."""
    outlets: tuple[int, ...]
    width: float
    """The least width, in pixels."""
    fixed: bool
    """Whether the ports' order is to be kept."""
    heading: bool
    """Whether there is room at the top for a heading."""
    clear: float
    """How much of the upper edge is kept clear of wires, in pixels."""


class Parts:
    """The children and wires of one frame by number; the same in all passes over a diagram."""

    def __init__(self, frame: Item, pieces: list[Piece], rows: Mapping[Item, int]) -> None:
        """Numbers what lies in a frame.

        Args:
            frame: The frame.
            pieces: The parts of wires that lie directly in it.
            rows: The row of each item.
        """
        self.frame = frame
        self.places = {child: place for place, child in enumerate(frame.children)}
        self.ports: dict[Port, int] = {}
        self.pieces = {piece: place for place, piece in enumerate(dict.fromkeys(pieces))}
        self.inlets = list(dict.fromkeys(p.start.port for p in pieces if p.start.item is None and p.start.port))
        self.outlets = list(dict.fromkeys(p.stop.port for p in pieces if p.stop.item is None and p.stop.port))
        self._rows = tuple(rows[child] for child in frame.children)
        self._beside = tuple(self.places[one.beside] if one.beside else BORDER for one in frame.children)
        ends = [end for piece in self.pieces for end in (piece.start, piece.stop)]
        self._spots = list(map(self._spot, ends))
        self._docked = [(place, end.item, end.port) for place, end in enumerate(ends) if end.item and end.port]

    def shape(
        self,
        hints: Mapping[Port, float],
        size: Callable[[Item], tuple[float, float]],
        port_at: Callable[[Item, Port], float],
        *,
        heading: bool,
    ) -> Shape:
        """The frame with what this pass knows.

        Args:
            hints: Where the far ends of the wires through each port lie; empty if that is not known.
            size: Size of a child.
            port_at: How far from a child's middle a port of it lies.
            heading: Whether there is room at the top for a heading.
        """
        inlets = sorted(self.inlets, key=lambda port: hints.get(port, 0.0))
        outlets = sorted(self.outlets, key=lambda port: hints.get(port, 0.0))
        spots = self._spots[:]
        for place, item, port in self._docked:
            spots[place] = Spot(spots[place].child, spots[place].port, port_at(item, port))
        return Shape(
            sizes=tuple(map(size, self.frame.children)),
            rows=self._rows,
            beside=self._beside,
            pieces=tuple(zip(spots[::2], spots[1::2], strict=True)),
            inlets=tuple(self.ports[port] for port in inlets),
            outlets=tuple(self.ports[port] for port in outlets),
            width=self.frame.width,
            fixed=bool(hints) and (len(inlets) > 1 or len(outlets) > 1),
            heading=heading,
            clear=self.frame.heading,
        )

    def _spot(self, end: End) -> Spot:
        port = BORDER if end.port is None else self.ports.setdefault(end.port, len(self.ports))
        return Spot(BORDER if end.item is None else self.places[end.item], port, 0.0)
