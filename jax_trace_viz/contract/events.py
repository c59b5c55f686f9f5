"""What the capture layer tells the session, in the order it happened.

Events carry plain data only: no tracer, frame, array or user object. Numbers that name things (`function`, `run`,
`dispatch`) are counters of the capture layer; the session turns them into the document's ids.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from jax_trace_viz.contract.document import (
    Argument,
    CacheState,
    CacheWrite,
    Constant,
    EquationCount,
    OutsideValue,
    Place,
    StaleKind,
    TraceError,
    UnseenKind,
)
from jax_trace_viz.contract.environment import Environment
from jax_trace_viz.contract.jaxpr import Frame, Jaxpr
from jax_trace_viz.contract.key import Key
from jax_trace_viz.contract.record import Origin
from jax_trace_viz.contract.source import Binding, MarkStatus, Part

Entry = Literal["call", "make_jaxpr", "eval_shape", "aot_lower"]


class Event(msgspec.Struct, kw_only=True, frozen=True, gc=False, tag_field="event"):
    """Base of all events. None is part of a cycle: the garbage collector need not look at those that wait."""


class EnvironmentSeen(Event, tag="environment"):
    """JAX was found, or its backend was started by the program, or a seam changed."""

    environment: Environment


class FunctionSeen(Event, tag="function"):
    """A function appears for the first time."""

    function: int
    name: str
    qualname: str
    file: str | None
    line: int | None
    end_line: int | None
    origin: Origin
    source: str | None = None


class CallsCounted(Event, tag="calls"):
    """Calls of a jitted function since the last such event."""

    function: int
    calls: int
    fast: int = 0
    """Those that the C++ fast path answered."""
    missed: int = 0
    """Those that ran a body, or raised (an unhashable static, no JAX type): no hits."""


class Gone(msgspec.Struct, kw_only=True, frozen=True):
    """A callable that was traced or called and exists no more; `calls` is how often it was called in all."""

    callable: int
    calls: int


class CallablesGone(Event, tag="callables_gone"):
    """The program let go of callables. Told before the next run begins."""

    gone: list[Gone]


class OperationsRan(Event, tag="operations"):
    """Operations of JAX that a function of the user's ran outside of any jit since the last such event."""

    file: str
    function: str
    """Its qualified name; `<module>` for a script's or a cell's own lines."""
    first_line: int
    lines: dict[int, dict[str, int]]
    """Line → name of an operation → how often it ran."""


class CallsUnseen(Event, tag="calls_unseen"):
    """Calls that are about to be made cannot be seen, see `Unseen`."""

    what: UnseenKind
    place: Place | None


class RunBegan(Event, tag="run_began"):
    """The body of a user function starts to run under tracing."""

    run: int
    function: int
    parent: int | None
    kind: str
    """`jit`, `scan`, `while`, `cond`, `vmap`, `grad`, …; `call` for a helper called by plain Python."""
    entry: Entry
    dispatch: int | None
    """The call of a jitted function that caused this run, if one did directly."""
    key: Key
    arguments: list[Argument]
    call_site: Place | None
    at: float
    thread: str
    held_before: bool = False
    """JAX held a jaxpr of this callable already, traced when nobody recorded: this is no first call."""
    version: int = 1
    """Counts the code objects of this function: another one means that its source was compiled again."""


class RunAdvanced(Event, tag="run_advanced"):
    """A run that is still going on: how many equations it has staged, and from which line the newest came."""

    run: int
    equations: int
    line: int | None


class Mark(msgspec.Struct, kw_only=True, frozen=True, gc=False):
    """One name of a run, see `Annotation`."""

    line: int
    name: str
    binding: Binding
    status: MarkStatus
    value: str | None
    type: str
    runs: int = 1
    parts: list[Part] = []
    leaves: int = 0
    length: int | None = None
    tracers: list[str] = []


class RunEnded(Event, tag="run_ended"):
    """The body returned or raised."""

    run: int
    seconds: float
    error: TraceError | None
    marks: list[Mark]
    lines: dict[int, int] | None = None
    """Line → how often it ran, where all of them were seen."""
    outside: list[OutsideValue] = []


class RunStaged(Event, tag="run_staged"):
    """What the run left behind: its jaxpr and what was baked in. May follow `RunEnded` at some distance."""

    run: int
    jaxpr: str | None
    equations: EquationCount
    constants: list[Constant]


class JaxprSeen(Event, tag="jaxpr"):
    """A jaxpr, told once, before the first event that names it. `frames` extends the session's frames."""

    jaxpr: Jaxpr
    frames: list[Frame]
    first_frame: int
    """Index of `frames[0]` in the session's list."""


class Lowered(Event, tag="lowered"):
    """A jaxpr was lowered to StableHLO."""

    function: int
    dispatch: int | None
    at: float
    seconds: float


class Compiled(Event, tag="compiled"):
    """XLA compiled a program, or the persistent cache delivered it."""

    function: int
    dispatch: int | None
    run: int | None
    """The run whose trace is compiled here, if it was traced in this session and not compiled yet."""
    key: Key | None
    call_site: Place | None
    persistent_cache: CacheState
    at: float
    seconds: float
    cache_write: CacheWrite = "none"
    flops: float | None = None
    bytes_accessed: float | None = None
    memory: dict[str, int] = {}
    devices: list[str] = []
    in_shardings: list[str] = []
    out_shardings: list[str] = []
    program: int | None = None
    """Under which number the capture can read the executable's program, as long as it lives."""
    ahead_of_time: bool = False
    """Asked for by `.lower().compile()`, which keeps its executable to itself."""


class RunFailed(Event, tag="run_failed"):
    """Found out after the fact (a leak, a key reused): the exception that ended the program passed through this run."""

    run: int
    error: TraceError


class StaleSeen(Event, tag="stale"):
    """A call was a cache hit though a value that its trace read from outside has changed since, see `StaleValue`."""

    function: int
    run: int
    name: str
    kind: StaleKind
    before: str
    after: str
    place: Place
    computed: bool = False


class CachesCleared(Event, tag="caches_cleared"):
    """The program cleared JAX's caches; `function` is None for all."""

    function: int | None
    at: float = 0.0
    """When that was noticed. A compilation that ended before may be told after."""


class CallsLeftOut(Event, tag="calls_left_out"):
    """So many calls of helpers were not told one by one: a trace called the same functions again and again."""

    count: int


class EventsDropped(Event, tag="dropped"):
    """Events beyond the recording cap."""

    count: int


class Fault(Event, tag="fault"):
    """An exception of our own was caught at `seam`."""

    seam: str
    text: str


AnyEvent = (
    EnvironmentSeen
    | FunctionSeen
    | CallsCounted
    | CallablesGone
    | CallsUnseen
    | OperationsRan
    | RunBegan
    | RunAdvanced
    | RunEnded
    | RunStaged
    | JaxprSeen
    | Lowered
    | Compiled
    | RunFailed
    | StaleSeen
    | CachesCleared
    | CallsLeftOut
    | EventsDropped
    | Fault
)
