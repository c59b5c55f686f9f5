"""The picture of a trace's computation graph: boxes and lines with their places.

It is the largest part of a message, and most of its fields have their defaults: they are left out.
"""

from __future__ import annotations

from typing import Literal

from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.expression import Phase
from jax_trace_viz.contract.overlay import Changes, Overlay
from jax_trace_viz.contract.record import Record

BoxKind = Literal["argument", "result", "constant", "operation", "group", "port"]
EdgeKind = Literal["value", "bundle", "saved"]
LinkKind = Literal["value", "saved", "carried"]
"""`saved`: kept by a forward pass for its backward pass. `carried`: from one copy of a plate to the next."""


class Box(Record, omit_defaults=True):
    """A drawn box. Open groups contain other boxes, whose `parent` they are. Lengths are CSS pixels at 100 %.

    Texts stand in a monospace face, 11 px for `name` and `label`, 9 px for the rest. In a box they are centred: the
    label's baseline 13.5 px below the top edge, then `detail` and each of `notes` 11 px further. In an open group one
    line at the top left, baseline 12 px down: name, label, detail. It begins `heading` px right of where it would, 8 px
    from the edge, so that no line runs through it.
    """

    id: str
    """Stable for one structure: the same in the next picture, whatever is open there. `-` and the id asks to close
    it.
    """
    kind: BoxKind
    label: str
    detail: str
    """Second line: types, or how many equations a closed group stands for."""
    title: str
    """What a tooltip says."""
    x: float
    y: float
    width: float
    height: float
    name: str = ""
    """The user's variable that receives the value, drawn as `name = label`; empty unless the source says so exactly."""
    notes: tuple[str, ...] = ()
    """Further lines, where a drawn line would not help: key paths (`← params['w']`), values from the copy before (`↻
    …`).
    """
    parent: str | None = None
    open: bool = False
    part: bool = False
    """A loop's body, a branch: open as long as the group around it is, which alone can be closed."""
    heading: int = 0
    repeat: int = 1
    """A plate: this box stands for so many equal copies, one shown."""
    shown: int = 0
    """A plate: which copy is shown, from 0 on. `id#7` asks for copy 7."""
    copies: tuple[str, ...] = ()
    """A plate: what each of its copies is called, where they differ in that and are not too many."""
    phase: Phase = ""
    places: tuple[Place, ...] = ()
    """The user's lines it came from."""
    equations: int = 0
    bytes: int = 0
    """Of what it makes and other boxes use."""
    flops: int | None = None
    """Of the matrix products and convolutions that it stands for; None where there are none or it is not known."""


class EdgeValue(Record, omit_defaults=True):
    """Values that an edge stands for: those that are alike and go from one box to the same others."""

    type: str
    source: int
    """Place of the box that makes them in `Graph.boxes`."""
    targets: tuple[int, ...]
    """Places of those that use them."""
    name: str = ""
    """The argument's key path, the constant's name, or the user's variable; empty where the source leaves doubt."""
    operation: str = ""
    """What makes them, where that is hidden in a closed group."""
    count: int = 1
    bytes: int = 0
    """Of all of them; 0 where the type does not tell."""


class Edge(Record, omit_defaults=True):
    """A drawn edge. `points` are x, y pairs of a poly-bezier: start, then (control, control, end) triples."""

    id: str
    source: str
    target: str
    kind: EdgeKind
    """`bundle`: one line for several values that fan out at a frame's border. `saved`: what a forward pass keeps for
    the backward pass beside it."""
    title: str
    points: tuple[float, ...]
    label: str = ""
    values: tuple[EdgeValue, ...] = ()
    """What a bundle and a saved edge stand for, the largest first."""


class Link(Record, omit_defaults=True):
    """That one box uses what another makes, whether a line is drawn for it or not. Neither is an open group."""

    source: int
    """Its place in `Graph.boxes`."""
    target: int
    type: str
    """Types of the values, the first few."""
    kind: LinkKind = "value"


class Graph(Record, omit_defaults=True):
    """A laid out picture of one trace's computation graph. Open groups come before the boxes inside them."""

    trace: str
    name: str
    """Name of the function."""
    width: float
    height: float
    boxes: list[Box]
    edges: list[Edge]
    equations: int
    """Equations the whole picture stands for, expanded."""
    note: str = ""
    """Set when something is left out: says what and how to see it."""
    links: list[Link] = []
    overlay: Overlay | None = None
    """Where the equations ended up in the compiled program, if that was asked for."""
    changes: Changes | None = None
    """How the equations differ from another trace's, if that was asked for."""
