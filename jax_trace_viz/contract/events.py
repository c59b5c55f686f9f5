"""What the capture layer tells the session, in the order it happened.

Events carry plain data only: no tracer, frame, array or user object. Numbers that name things (`function`, `run`,
`dispatch`) are counters of the capture layer; the session turns them into the document's ids.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from jax_trace_viz.contract.document import (
    Argument,
    Binding,
    CacheState,
    Constant,
    Environment,
    EquationCount,
    Frame,
    Jaxpr,
    MarkStatus,
    Origin,
    OutsideValue,
    Place,
    StaleKind,
    TraceError,
    UnseenKind,
)

Entry = Literal["call", "make_jaxpr", "eval_shape", "aot_lower"]


class Event(msgspec.Struct, kw_only=True, frozen=True, tag_field="event"):
    """Base of all events."""


class Leaf(msgspec.Struct, kw_only=True, frozen=True):
    """One array leaf of a call's arguments.

    `aval_sharding` is part of the tracing key; `placement` (devices and sharding of the real array) and `committed`
    only decide about compilation.
    """

    path: str
    shape: tuple[int | str, ...]
    dtype: str
    weak_type: bool
    aval_sharding: str = ""
    placement: str | None = None
    committed: bool | None = None
    given: str = ""
    """What the program passed, if JAX makes the array of it: `float`, `float64` of NumPy. Its dtype then depends on
    `jax_enable_x64`.
    """


class StaticValue(msgspec.Struct, kw_only=True, frozen=True):
    """One static value. Equal tokens mean equal values; `identity` tokens compare the object, not its content."""

    path: str
    type: str
    value: str | None
    token: str
    compared_type: str = ""
    """The type's name, where JAX compares it as well and equal tokens leave it open."""
    identity: bool = False
    sure: bool = True
    """False where only the object's own `__eq__` could tell: such a part counts only if nothing else differs."""


class Key(msgspec.Struct, kw_only=True, frozen=True):
    """All parts of one call that decide whether JAX traces and compiles again."""

    callable: int
    """Number of the callable object; a new object of the same code gets a new number."""
    wrappers: tuple[str, ...] = ()
    """Transformations wrapped around the body, outermost first (`grad_f`, `vmap_f`)."""
    library_wrapper: bool = False
    """The jitted callable is a library's own (`filter_jit`, `nnx.jit`, a module's `apply`), not the user's function."""
    user_callable: int = 0
    """Number of the user's function that a library's callable was seen to run; 0 where it was not found."""
    positional: int = 0
    keywords: tuple[str, ...] = ()
    statics: tuple[StaticValue, ...] = ()
    defaults: tuple[StaticValue, ...] = ()
    """Defaults of static arguments that the call leaves out: no part of JAX's key, but values the body ran with."""
    structures: dict[str, str] = {}
    """Argument name → its pytree structure."""
    leaves: tuple[Leaf, ...] = ()
    context: dict[str, str] = {}
    """Named parts of JAX's trace context (`jax_enable_x64`, `jax_default_matmul_precision`, mesh, …)."""
    donated: tuple[str, ...] = ()
    shardings: str = ""
    program: str = ""
    """Of a compilation: what JAX made of the traced program for a transformation around the call (`backward pass of
    grad`, `vmap`); empty for the program as it was traced. Its `leaves` are then the program's inputs.
    """
    described: bool = True
    """False where the arguments could not be described: nothing can be compared with this key."""


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


class Mark(msgspec.Struct, kw_only=True, frozen=True):
    """One name of a run, see `Annotation`."""

    line: int
    name: str
    binding: Binding
    status: MarkStatus
    value: str | None
    type: str
    runs: int = 1


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
    flops: float | None = None
    bytes_accessed: float | None = None
    memory: dict[str, int] = {}
    devices: list[str] = []
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


class CachesCleared(Event, tag="caches_cleared"):
    """The program cleared JAX's caches; `function` is None for all."""

    function: int | None


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
    | EventsDropped
    | Fault
)
