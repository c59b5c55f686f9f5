"""What the front end draws: one `Update` is a whole picture (`complete`) or what changed since the one before.

The kernel sends numbered updates while a cell runs; the last, complete one is saved in the notebook. Records are
merged by id, so an update may be applied twice; a gap in `number` is repaired by asking for a complete one.
"""

from __future__ import annotations

from typing import Literal

from jax_trace_viz.contract import SCHEMA_VERSION
from jax_trace_viz.contract.cell import Cell, Tally
from jax_trace_viz.contract.document import Compilation, Dropped, Finding, Function, Place, Trace
from jax_trace_viz.contract.environment import Environment
from jax_trace_viz.contract.expression import Expressions
from jax_trace_viz.contract.listing import JaxprDiff, Listing
from jax_trace_viz.contract.picture import Graph
from jax_trace_viz.contract.record import Record
from jax_trace_viz.contract.source import Annotation, LineMark

SpanKind = Literal["trace", "lower", "compile"]
State = Literal["running", "ok", "error", "cut_off"]
ExportFormat = Literal["json", "html", "svg", "chrome_trace"]
"""What a client may ask a session to be exported as."""


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
    method: Literal["hello", "complete", "graph", "picture", "compare", "search", "record", "export", "cancel"]
    """`picture` asks for a trace's graph and listing, `compare` for the difference of two traces' jaxprs. `cancel`
    takes an earlier request back: that one is answered with an error.
    """
    session: str | None = None
    trace: str | None = None
    other: str | None = None
    """For `compare`: the trace to compare with; by default the one that `trace` was compared with for its reasons. For
    `graph`: the trace whose equations are to be compared, if any.
    """
    open_boxes: list[str] = []
    """For `graph`: what to draw otherwise than by default, see `GraphOptions.open_boxes`."""
    overlay: bool = False
    """For `graph`: also what XLA made of the equations."""
    text: str = ""
    """For `search`: words that all must stand in an equation's primitive, types, scopes, source line or names."""
    record: bool | None = None
    """For `record`: record every later cell, or stop."""
    format: ExportFormat = "json"
    """For `export`: the form of the file."""
    cancelled: int | None = None
    """For `cancel`: the `id` of the client's request that nobody waits for any more."""


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
