"""One frame as rows of cells: its items, and lanes where a wire passes a row."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from jax_trace_viz.session.graph.nesting import meeting

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.layout.model import Item, Wire


class Port(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Where wires of one source cross a frame's border: at the top on the way in, at the bottom on the way out.

    Each is made once, and known by its identity.
    """

    side: Literal["in", "out"]
    source: Item


class Ports(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Those of one source."""

    into: Port
    out: Port


def ports_of(source: Item) -> Ports:
    """The ports for the wires of a source; make them once for each layout."""
    return Ports(Port("in", source), Port("out", source))


class End(msgspec.Struct, frozen=True, gc=False):
    """An end of a wire's piece in a frame: an item, a port of a frame in it, or (no item) the frame's own port."""

    item: Item | None
    port: Port | None


class Piece(msgspec.Struct, frozen=True, gc=False):
    """The part of a wire that lies directly in one frame."""

    frame: Item
    start: End
    stop: End


@dataclass(slots=True, eq=False)
class Cell:
    """Something that takes up room in a row."""

    width: float
    height: float
    row: int
    lane: bool = False
    x: float = 0.0
    """Its centre."""
    order: float = 0.0
    above: list[Link] = field(default_factory=list["Link"])
    below: list[Link] = field(default_factory=list["Link"])


class Link(NamedTuple):
    """A connection to a cell of the next row; `there` and `here` say how far from the centres it is attached."""

    cell: Cell
    there: float
    here: float
    weight: float


def connect(upper: Cell, at_upper: float, lower: Cell, at_lower: float, weight: float) -> None:
    """Connects two cells."""
    upper.below.append(Link(lower, at_lower, at_upper, weight))
    lower.above.append(Link(upper, at_upper, at_lower, weight))


def pieces(wire: Wire, ports: Ports) -> list[Piece]:
    """Cuts a wire at the borders it crosses: first out of the source's frames, then into the target's."""
    common, source, target = meeting(wire.source, wire.target)
    into, out = ports.into, ports.out
    leaving, entering = _between(wire.source, source), _between(wire.target, target)[::-1]
    found: list[Piece] = []
    here = End(wire.source, None)
    for frame in leaving:
        found.append(Piece(frame, here, End(None, out)))
        here = End(frame, out)
    path = [*entering, wire.target]
    found.append(Piece(common, here, End(path[0], into if entering else None)))
    for place, frame in enumerate(entering):
        inner = path[place + 1]
        found.append(Piece(frame, End(None, into), End(inner, into if place + 1 < len(entering) else None)))
    return found


def _between(item: Item, top: Item) -> list[Item]:
    """The frames around an item, innermost first, up to and including `top`."""
    frames: list[Item] = []
    while item is not top:
        assert item.parent is not None
        item = item.parent
        frames.append(item)
    return frames
