"""The session document: what one recorded stretch of a program tells about its JAX tracing.

Everything is plain data. Types are printed as JAX prints them (`f32[8,128]`; a weak type ends in `~`). Times are
seconds; `started` counts from the session's begin. Ids: functions `f1`, their traces `f1#2`, compilations `c3`,
jaxprs `j4`.
"""

from __future__ import annotations

from typing import Literal

from jax_trace_viz.contract import SCHEMA_VERSION
from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.contract.environment import Environment, Outcome, Status
from jax_trace_viz.contract.jaxpr import Frame, Jaxpr
from jax_trace_viz.contract.program import CompiledProgram
from jax_trace_viz.contract.record import Origin, Record
from jax_trace_viz.contract.source import Annotation, EagerLine, LineMark

Role = Literal["traced", "static", "donated"]
StaleKind = Literal["value", "array", "in_place", "contents", "function"]
UnseenKind = Literal["disable_jit", "ahead_of_time", "pmap"]
Secrets = Literal["mask", "show"]
CacheState = Literal["hit", "miss", "off"]
CacheWrite = Literal["none", "written", "too_fast", "not_written"]


class Place(Record):
    """A line of the user's source."""

    file: str
    line: int


class Seconds(Record):
    """Costs in seconds. Nested traces are contained in the outer trace's time."""

    trace: float = 0.0
    lower: float = 0.0
    compile: float = 0.0


class StaleValue(Record):
    """A value from outside that has changed since a trace read it, while calls went on being cache hits."""

    name: str
    """As the source reads it: `w`, `cfg['lr']`, `self.scale`."""
    kind: StaleKind
    before: str
    after: str
    place: Place
    """The line that reads it."""
    trace: str | None = None
    """The trace that read it, if it belongs to this session."""
    computed: bool = False
    """It is an array of NumPy's with which Python computed while tracing: the program was made with what came out."""


class Function(Record):
    """A function is its code: all objects made from the same `def` are one function."""

    id: str
    name: str
    qualname: str
    file: str | None
    line: int | None
    end_line: int | None
    origin: Origin
    """`user` for the user's own, and for a library's that the user's line calls jitted; else JAX's operations."""
    source: str | None = None
    """The text from `line` to `end_line` as it stood when the function ran."""
    calls: int = 0
    """Calls of the jitted function."""
    traces: int = 0
    cache_hits: int = 0
    fast_hits: int = 0
    """Those of `cache_hits` that JAX answered on its C++ fast path."""
    compiles: int = 0
    seconds: Seconds = Seconds()
    stale: list[StaleValue] = []
    """What it read from outside and what has changed since."""


class Reason(Record):
    """One thing that is true of why this trace or compilation happened; the decisive one comes first."""

    kind: str
    path: str | None = None
    before: str | None = None
    after: str | None = None


class TraceError(Record):
    """The exception that ended a trace, and the innermost user line it came through, as the span of an expression."""

    type: str
    message: str
    file: str | None = None
    line: int | None = None
    end_line: int | None = None
    column: int | None = None
    end_column: int | None = None


class Argument(Record):
    """One leaf of the arguments, by key path (`params['w'][0]`)."""

    path: str
    role: Role
    type: str
    value: str | None = None


class Constant(Record):
    """An array that was captured from outside and baked into the program."""

    name: str | None
    source: Literal["closure", "global", "unknown"]
    type: str
    bytes: int


class OutsideValue(Record):
    """A number, a text or another plain value that Python read from outside while tracing: fixed in the program."""

    name: str
    """As the source reads it: `rate`, `cfg['lr']`."""
    value: str
    place: Place


class EquationCount(Record):
    """Equations written once (`distinct`) and with every nested call expanded (`expanded`)."""

    distinct: int = 0
    expanded: int = 0


class EarlierTrace(Record):
    """A trace of an earlier session, as of a notebook's cell that ran before."""

    session: str
    """The session's name."""
    trace: str
    """Its id there."""


class Trace(Record):
    """One run of a function's body that JAX caused; kind `call` is a helper that plain Python called inside one."""

    id: str
    function: str
    parent: str | None
    kind: str
    status: Status
    call_site: Place | None
    reasons: list[Reason]
    compared_with: str | None = None
    compared_before: EarlierTrace | None = None
    """What it was compared with instead, where the nearest earlier trace belongs to an earlier session."""
    discarded: int = 0
    """Of a `new_function_object`: how many earlier objects of this code were gone by now, used once or twice at most.
    """
    error: TraceError | None = None
    arguments: list[Argument] = []
    constants: list[Constant] = []
    outside: list[OutsideValue] = []
    equations: EquationCount = EquationCount()
    jaxpr: str | None = None
    started: float = 0.0
    seconds: float = 0.0
    thread: str = "MainThread"
    at_line: int | None = None
    """While running: the user's line that staged the newest equation."""


class Compilation(Record):
    """One XLA compilation (or persistent-cache load) of a lowered program."""

    id: str
    function: str
    trace: str | None
    call_site: Place | None
    reasons: list[Reason]
    persistent_cache: CacheState
    started: float
    seconds: float
    lower_seconds: float = 0.0
    cache_write: CacheWrite = "none"
    """After a miss: whether the program is in the cache now. One that was compiled in less than
    `jax_persistent_cache_min_compile_time_secs` is too fast for it.
    """
    flops: float | None = None
    bytes_accessed: float | None = None
    memory: dict[str, int] = {}
    devices: list[str] = []
    in_shardings: list[str] = []
    """How the program wants its inputs laid out, and"""
    out_shardings: list[str] = []
    """how its outputs are, where there are several devices; in the program's order, the first hundred."""


class Finding(Record):
    """Something worth the user's attention, with what usually helps. `seconds` ranks findings."""

    kind: str
    function: str | None
    trace: str | None
    text: str
    fix: str | None
    place: Place | None = None
    seconds: float = 0.0


class Unseen(Record):
    """Calls that no count holds: nobody can see them.

    `disable_jit`: from `place` on, calls of jitted functions ran as plain Python. `ahead_of_time`: calls of what
    `.lower().compile()` returned at `place` go past everybody. `pmap`: so do calls of what `jax.pmap` returned.
    """

    what: UnseenKind
    function: str | None
    place: Place | None


class Dropped(Record):
    """What was not kept, so that nothing is silently missing."""

    events: int = 0
    equations: int = 0
    """Equations of the oldest jaxprs, and"""
    details: int = 0
    """traces whose arguments, constants and annotations went, the oldest first, to stay below a limit."""
    memory_mb: float | None = None
    """The limit, if something went because of it."""
    calls: int = 0
    """Calls of functions by plain Python inside a trace that are not told one by one: of each function the first 500
    are, and the last of those has the lines of all further ones.
    """


class Document(Record):
    """One session as it is saved."""

    environment: Environment
    outcome: Outcome
    functions: list[Function]
    traces: list[Trace]
    compilations: list[Compilation]
    annotations: list[Annotation]
    findings: list[Finding]
    line_marks: list[LineMark] = []
    eager: list[EagerLine] = []
    jaxprs: list[Jaxpr] = []
    frames: list[Frame] = []
    programs: list[CompiledProgram] = []
    """What XLA made of the compilations that were looked at."""
    dropped: Dropped = Dropped()
    unseen: list[Unseen] = []
    cells: list[Cell] = []
    """Of a notebook: the cell that was recorded, and those in which its functions were written."""
    faults: list[str] = []
    """Errors of our own that were caught; they never reach the user's program."""
    schema_version: int = SCHEMA_VERSION
