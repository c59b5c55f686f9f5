"""What the front end draws: one `Update` is a whole picture (`complete`) or what changed since the one before.

The kernel sends numbered updates while a cell runs; the last, complete one is saved in the notebook. Records are
merged by id, so an update may be applied twice; a gap in `number` is repaired by asking for a complete one.

A picture is the largest part of a message, and most of its fields have their defaults: they are left out.
"""

from __future__ import annotations

from typing import Literal

from jax_trace_viz.contract import SCHEMA_VERSION
from jax_trace_viz.contract.cell import Cell, Tally
from jax_trace_viz.contract.document import (
    Annotation,
    Compilation,
    Dropped,
    Environment,
    Finding,
    Function,
    LineMark,
    Place,
    Trace,
)
from jax_trace_viz.contract.expression import Expressions, Phase
from jax_trace_viz.contract.listing import JaxprDiff, Listing
from jax_trace_viz.contract.overlay import Changes, Overlay
from jax_trace_viz.contract.record import Record

BoxKind = Literal["argument", "result", "constant", "operation", "group", "port"]
EdgeKind = Literal["value", "bundle", "saved"]
LinkKind = Literal["value", "saved", "carried"]
"""`saved`: kept by a forward pass for its backward pass. `carried`: from one copy of a plate to the next."""
SpanKind = Literal["trace", "lower", "compile"]
State = Literal["running", "ok", "error", "cut_off"]
ExportFormat = Literal["json", "html", "svg", "chrome_trace"]
"""What a client may ask a session to be exported as."""


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


class Match(Record):
    """One place in a trace's jaxpr that a search found."""

    box: str
    """Id of the box or group that stands for it."""
    open_boxes: list[str]
    """What to ask for so that this box is drawn, besides what is drawn already."""
    label: str
    detail: str
    where: list[str]
    """The groups around it, from the outside in."""
    equations: int
    """How many equations match there, expanded; 0 for an argument, constant or result."""
    place: Place | None = None


class Found(Record):
    """The answer to a search: the first matches in the order of the program, those of equal copies told once."""

    matches: list[Match]
    equations: int
    """How many equations match in all, expanded."""
    more: bool = False
    """Whether there are matches beyond those listed."""


class Advice(Record):
    """What usually helps against the retraces of a function that have this decisive reason."""

    function: str
    kind: str
    path: str | None
    text: str


class Span(Record):
    """A stretch on the timeline, in seconds since the session's begin."""

    kind: SpanKind
    function: str
    trace: str | None
    started: float
    seconds: float
    depth: int = 0
    thread: str = "MainThread"


class Hits(Record):
    """Cache hits of a function, somewhere between two moments (seconds since the session's begin).

    When each call came is not looked at, because that would slow it; the counters are read now and then.
    """

    function: str
    count: int
    since: float
    until: float


class Update(Record):
    """See the module's docstring. `session` names the recording; `number` counts its updates from 1."""

    session: str
    number: int
    complete: bool
    started_at: float
    """When the session began, seconds since the epoch: of two recordings of one cell the later counts."""
    cell: Cell
    state: State
    verdict: str
    environment: Environment
    seconds: float = 0.0
    """How long the session lasts so far."""
    tally: Tally = Tally()
    functions: list[Function] = []
    traces: list[Trace] = []
    compilations: list[Compilation] = []
    annotations: list[Annotation] = []
    line_marks: list[LineMark] = []
    expressions: list[Expressions] = []
    """Of the newest traces of each function."""
    findings: list[Finding] = []
    """Always all of them: they are few and change as a whole."""
    advice: list[Advice] = []
    """Always all of it."""
    spans: list[Span] = []
    """Always all of them, in order of start."""
    hits: list[Hits] = []
    """Always all of them, in order of time."""
    graphs: list[Graph] = []
    listings: list[Listing] = []
    selected: str | None = None
    """The trace to show first: the newest of the costliest user function, or of the one asked for."""
    note: str = ""
    """Set when something is left out to keep the message small: says what and how to see it."""
    cells: list[Cell] = []
    """The other cells in which the session's functions were written, as far as they are known."""
    dropped: Dropped = Dropped()
    faults: list[str] = []
    schema_version: int = SCHEMA_VERSION


class Hello(Record):
    """First answer to a client: what this kernel package speaks, and all sessions it still holds."""

    package_version: str
    recording: bool
    updates: list[Update]
    schema_version: int = SCHEMA_VERSION


class Request(Record):
    """What a client may ask over the request comm."""

    id: int
    method: Literal["hello", "complete", "graph", "picture", "compare", "search", "record", "export"]
    """`picture` asks for a trace's graph and listing, `compare` for the difference of two traces' jaxprs."""
    session: str | None = None
    trace: str | None = None
    other: str | None = None
    """For `compare`: the trace to compare with; by default the one that `trace` was compared with for its reasons. For
    `graph`: the trace whose equations are to be compared, if any.
    """
    open_boxes: list[str] = []
    """For `graph`: the groups to draw open, by box id; empty for the default picture."""
    overlay: bool = False
    """For `graph`: also what XLA made of the equations."""
    text: str = ""
    """For `search`: words that all must stand in an equation's primitive, types, scopes, source line or names."""
    record: bool | None = None
    """For `record`: record every later cell, or stop."""
    format: ExportFormat = "json"
    """For `export`: the form of the file."""


class Answer(Record):
    """The answer to the request of the same `id`."""

    id: int
    error: str | None = None
    hello: Hello | None = None
    update: Update | None = None
    graph: Graph | None = None
    listing: Listing | None = None
    diff: JaxprDiff | None = None
    found: Found | None = None
    exported: str | None = None
    """The text of the file that was asked for."""
