"""What is going on right now, per thread: calls of jitted functions, staging traces and body runs in progress."""

from __future__ import annotations

import collections
import contextlib
import threading
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jax_trace_viz.contract.events import Mark

if TYPE_CHECKING:
    from collections.abc import Generator, Hashable
    from types import CodeType, FrameType

    from jax_trace_viz.capture.jaxprs.captures import Identity, Names
    from jax_trace_viz.contract.document import CacheState, Place
    from jax_trace_viz.contract.events import Entry, RunEnded
    from jax_trace_viz.contract.key import Key
    from jax_trace_viz.origin import Owner


_KNOWN = 1_000
"""Functions whose newest trace is remembered."""

Noted = tuple[Any, Any, tuple[Any, ...], dict[str, Any], "FrameType", tuple[Any, ...]]
"""A call that is only noted: what `Calls.open` takes."""

UNNAMED = "<unnamed function>"
"""What JAX calls the program of a callable without a name."""


@dataclass(slots=True, eq=False)
class Run:
    """One run of a user function's body."""

    number: int
    code: CodeType
    function: int
    started: float
    kind: str
    helpers: Helpers
    marks: list[Mark] = field(default_factory=list[Mark])
    at_entry: dict[str, int] = field(default_factory=dict[str, int])
    """Parameter → identity of what was passed for it."""
    captured: Names = field(default_factory=dict["Hashable", Any])
    """Identity of arrays the body reads from outside → the user's name for it, and `closure` or `global`."""
    inputs: dict[int, str] = field(default_factory=dict[int, str])
    """Identity of JAX's input variables → what the body calls them, where JAX has a library's names."""
    lines: dict[int, int] = field(default_factory=dict[int, int])
    """Line → how often it ran, the newest last."""
    rounds: dict[int, int] = field(default_factory=dict[int, int])
    """Line → rounds of a loop that stands on that line alone."""
    all_lines: bool = False
    """Whether `lines` has all lines that ran; before Python 3.12 only those that staged equations are known."""
    frame: FrameType | None = None
    """Kept only by the watcher that has no event for a body's end (Python 3.11)."""
    ended: bool = False
    of_library: bool = False
    """Whether it is the run of a library's function (`LibraryBodies`)."""
    reads: list[Any] = field(default_factory=list[Any])
    """What it and the bodies inside it read from outside (`readings.Kept`)."""
    outside: dict[Any, Any] = field(default_factory=dict[Any, Any])
    """What stood at the places that it may read (`readings.at_begin`)."""
    watched: list[Any] = field(default_factory=list[Any])
    """What earlier traces have read, when this outermost run began (`Stale.watch`)."""


@dataclass(slots=True, eq=False)
class Helpers:
    """What plain Python calls inside an outermost run, maybe again and again. Code goes by identity."""

    outermost: int
    """The number of that run."""
    looked_at: set[int] = field(default_factory=set[int])
    """Code of the bodies whose reads are known."""
    calls: dict[int, int] = field(default_factory=dict[int, int])
    """Code → how many of its calls were told."""
    last: dict[int, Run] = field(default_factory=dict[int, "Run"])
    """Code → the last call that is told by itself."""
    further: dict[int, Run] = field(default_factory=dict[int, "Run"])
    """Code → what stands for all further calls. Their lines count as those of the last one told."""
    ends: list[RunEnded] = field(default_factory=list["RunEnded"])
    """Ends of those, which wait until all lines are known."""
    left_out: int = 0
    """Calls that are not told by themselves."""


@dataclass(slots=True, eq=False)
class LibraryCall:
    """A library's function that the user's line calls jitted."""

    code: CodeType
    entry: Entry
    place: Place | None
    """That line."""
    staged: bool = False
    """Whether a staging trace has begun for it."""


@dataclass(slots=True, eq=False)
class Dispatch:
    """One call that reached Python: `jit`'s `cache_miss`, or `.lower`, `.trace`, `eval_shape`, `make_jaxpr`.

    The callable, `args` and `kwargs` are the user's: `close` lets go of them.
    """

    number: int
    fun: Any
    info: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    name: str
    user_frame: int
    """Identity of the innermost user frame that made the call."""
    is_call: bool
    """Whether the function is called; `make_jaxpr` and its like only have it traced."""
    own_code: CodeType | None
    """The code of the user's function that is called; None where a library's own wrapper is (`filter_jit`)."""
    context: tuple[Any, ...]
    """JAX's trace context around the call: inside, `vmap` adds its axis."""
    alias: str | None = None
    """The name that the user's wrapper took over from what it wraps."""
    operation: str | None = None
    """The name of the callable, if it is one of JAX's own."""
    library: LibraryCall | None = None
    """Set where the user's line calls a library's function that is jitted."""
    noted: Noted | None = None
    """What it was before it was opened."""
    run: Run | None = None
    key: Key | None = None
    code: CodeType | None = None
    """The user's code this call stands for, known when it is over."""
    compiled: bool = False

    @property
    def by_library(self) -> bool:
        """Whether the callable is a library's own wrapper, not the user's."""
        return self.own_code is None

    def close(self) -> None:
        """Replaces the callable by a weak reference and drops the rest: JAX's caches key on the callable's life."""
        self.args, self.kwargs, self.noted = (), {}, None
        if getattr(self.info, "fun_signature", None) is not None:  # it holds the defaults, which are the user's too
            self.info = self.info._replace(fun_signature=None)
        try:
            self.fun = weakref.ref(self.fun)
        except TypeError:
            self.fun = None


@dataclass(slots=True, eq=False)
class Stage:
    """One staging trace of JAX, which ends in a jaxpr. `frame` is JAX's JaxprStackFrame, dropped at the end."""

    frame: Any
    traced_for: str
    owner: Owner
    """Whose function is traced."""
    source: str
    """That function as JAX names it, `step at train.py:3`."""
    began: float
    call: Dispatch | None = None
    """The call of a library's function that it is made for."""
    run: Run | None = None
    jaxpr: Any = None
    constants: list[Identity] = field(default_factory=list["Identity"])
    """Identities of the jaxpr's constants."""
    found: list[Any] = field(default_factory=list[Any])
    """The arrays among its constants."""
    seen: int = 0
    """Equations when it was last looked at while it went on."""
    part_at: float = 0.0
    """When it was last written while it went on, and"""
    part_seen: int = 0
    """how many equations it had then."""
    bracket: Bracket | None = None
    """Set where a profiler has to look for its body (Python 3.11)."""
    looks_in: CodeType | None = None
    """The function of JAX's in which that look is to begin, when it sets the trace."""
    held: list[Run] = field(default_factory=list[Run])
    """Runs whose frames are kept until this stage ends."""


@dataclass(slots=True, eq=False)
class Bracket:
    """What was going on when JAX began to run bodies (Python 3.11)."""

    watched: int
    """How many brackets were watched for bodies."""
    looks: bool = False
    """Whether a look for a body began with it."""
    key: Hashable = None
    """By what it is learned whether the look is worth it."""


@dataclass(slots=True, eq=False)
class Watched:
    """A bracket in which more bodies may come (Python 3.11). Whoever opens a bracket drops those inside it."""

    body: FrameType | None
    """The newest body that ran in it; None before the first."""
    bracket: FrameType
    """The frame of JAX that runs what is traced."""


@dataclass(slots=True, eq=False)
class Compile:
    """One XLA compilation in progress, or finished and waiting for its executable's analysis."""

    dispatch: Dispatch | None
    started: float
    cache: CacheState = "off"
    written: bool = False
    """JAX has put it into the persistent cache."""
    seconds: float = 0.0
    name: str = ""
    call_site: Place | None = None
    key: Key | None = None
    """Of a program that JAX made of a traced one; else the call's own key holds."""


@dataclass(frozen=True, slots=True)
class Forward:
    """A forward pass that was compiled: its backward pass comes later, where the call is not on the stack any more."""

    call: int | None
    """Number of the function's newest call."""
    user_frame: int | None
    """Identity of the user's frame that called the transformation."""
    key: Key | None
    respect: str
    """`with respect to w`."""


class ThreadState(threading.local):
    """The state of the thread that asks."""

    def __init__(self) -> None:
        self.busy = False
        """Set while we work, so that what we call in JAX is not recorded."""
        self.dispatches: list[Dispatch | Noted] = []
        self.stages: list[Stage] = []
        self.runs: dict[int, Run] = {}
        """Runs in progress by the identity of their frame, outermost first."""
        self.held: list[Run] = []
        """Runs outside any staging trace whose frames are kept."""
        self.look: Any = None
        """What looks for the next body, where a profiler has to (Python 3.11)."""
        self.watched: list[Watched] = []
        """Brackets in which more bodies may come, the innermost last."""
        self.last: Dispatch | None = None
        """The newest outermost call that reached Python: what is lowered or compiled next belongs to it."""
        self.traced: collections.deque[Dispatch] = collections.deque(maxlen=16)
        """The newest calls that traced something."""
        self.newest_calls: dict[int, int] = {}
        """Identity of the user's code → number of its newest call that reached Python."""
        self.forward: dict[int, Forward] = {}
        """Identity of the user's code → its newest forward pass that was compiled."""
        self.known: dict[str, Dispatch] = {}
        """The newest call that traced the function at `file:line`."""
        self.lowering: list[Dispatch | None] = []
        self.lowered: Dispatch | None = None
        """The newest call whose program was lowered."""
        self.compiles: list[Compile] = []
        self.analysed: list[list[Compile]] = []
        """Compilations that ended inside a bracket that has their executable, per bracket."""

    @contextlib.contextmanager
    def working(self) -> Generator[None]:
        """While we call what is JAX's, nothing is recorded."""
        self.busy = True
        try:
            yield
        finally:
            self.busy = False

    def remember(self, dispatch: Dispatch) -> None:
        """A call has traced something, which may be compiled long after."""
        self.traced.append(dispatch)
        if dispatch.code is None:
            return
        source = f"{dispatch.code.co_filename}:{dispatch.code.co_firstlineno}"
        self.known.pop(source, None)
        self.known[source] = dispatch
        if len(self.known) > _KNOWN:
            del self.known[next(iter(self.known))]

    def current_run(self) -> Run | None:
        """The innermost run in progress."""
        return next(reversed(self.runs.values()), None)
