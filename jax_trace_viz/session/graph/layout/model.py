"""What a layout engine gets and what it gives: sizes and lines in, positions out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator


class Point(NamedTuple):
    """A place in the picture, in pixels from its top left."""

    x: float
    y: float


Curve = tuple[float, ...]
"""A poly-bezier, as x and y in turn: a start, then two control points and an end for each piece."""


class Rect(NamedTuple):
    """Where a box lies."""

    x: float
    y: float
    width: float
    height: float


@dataclass(slots=True, eq=False)
class Item:
    """A box, or a frame with items in it. A frame's size is what its inside needs, at least `width`."""

    width: float = 0.0
    height: float = 0.0
    children: tuple[Item, ...] = ()
    parent: Item | None = None
    frame: bool = False
    heading: float = 0.0
    """How much of a frame's upper edge is kept clear of wires, in one piece, for its heading."""
    beside: Item | None = None
    """The frame that stands to the right of this one."""
    outlet: bool = False
    """Stands in the last row of its frame."""
    inlet: bool = False
    """Stands in the first row of its frame, however far its first user is."""
    key: str = ""
    """The same for the same box in the next picture of a trace."""

    def frames(self) -> Iterator[Item]:
        """The frames in this one, outer ones first."""
        for child in self.children:
            if child.frame:
                yield child
                yield from child.frames()


class Wire(msgspec.Struct, eq=False, gc=False):
    """A line to be drawn. `beside`: straight from a frame to the one beside it.

    Like ports and pieces, wires are many and in no cycle: the garbage collector need not look at them.
    """

    source: Item
    target: Item
    beside: bool = False


@dataclass(slots=True)
class Diagram:
    """What is to be laid out."""

    root: Item
    wires: list[Wire]
    ordering: list[Wire]
    """All wires that say what lies above what, drawn or not."""
    rows: dict[Item, int] | None = None
    """The row of each item in its frame, as soon as `ranks` has found them."""


@dataclass(slots=True)
class Placement:
    """Where everything lies."""

    width: float
    height: float
    rects: dict[Item, Rect]
    curves: dict[Wire, Curve]


class Engine(Protocol):
    """A layout engine: positions only, the look is the picture's."""

    def __call__(self, diagram: Diagram) -> Placement:
        """Lays a diagram out."""
        ...
