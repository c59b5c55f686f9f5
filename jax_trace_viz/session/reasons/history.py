"""What earlier traces and compilations of each function were made for."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jax_trace_viz.session.reasons.nearest import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.events import FunctionSeen
    from jax_trace_viz.contract.key import Key

LEAVES_REMEMBERED = 20_000
"""Bound on the argument leaves that are remembered of one function, and so on the work to find the nearest key."""

GONE_REMEMBERED = 20_000
"""Bound on the callables that are remembered to be gone."""


def _capacity(key: Key | None) -> int:
    return max(8, LEAVES_REMEMBERED // (100 + (len(key.leaves) if key else 0)))


@dataclass
class PastTrace:
    """One earlier run of a body, as far as later runs are compared with it."""

    key: Key
    context: tuple[str, ...]
    """What the body was traced for: transformations around it, or the caller that has a cache of its own (`scan`)."""
    trace: str
    recording: str
    """Name of the session that saw it: ids hold in that session only."""
    version: int = 1
    """Which of its function's code objects ran."""
    cleared: bool = False
    """JAX's caches were cleared since."""
    fingerprint: int = field(init=False)

    def __post_init__(self) -> None:
        self.fingerprint = fingerprint(self.key)


@dataclass
class PastCompilation:
    """One earlier compilation of a function."""

    key: Key | None
    ahead_of_time: bool
    """Made by `.lower().compile()`, which keeps its executable to itself."""
    at: float
    """When it began."""
    cleared: bool = False


@dataclass
class FunctionHistory:
    """All that is remembered of one function."""

    traces: list[PastTrace] = field(default_factory=list[PastTrace])
    compilations: list[PastCompilation] = field(default_factory=list[PastCompilation])
    definition: FunctionSeen | None = None
    failed: str | None = None
    """The exception that ended the newest trace that failed."""
    cleared_at: float = 0.0
    """When JAX's caches were last seen to be cleared."""

    def remember_trace(self, past: PastTrace) -> None:
        """Add a trace; it takes the place of an equal one, so that there is one entry for each key."""
        others = [t for t in self.traces if (t.key, t.context) != (past.key, past.context)]
        self.traces = [*others, past][-_capacity(past.key) :]

    def remember_compilation(self, past: PastCompilation) -> None:
        """Add a compilation; it takes the place of an equal one."""
        past.cleared = past.at < self.cleared_at
        others = [c for c in self.compilations if (c.key, c.ahead_of_time) != (past.key, past.ahead_of_time)]
        self.compilations = [*others, past][-_capacity(past.key) :]

    def clear(self, at: float) -> None:
        """Mark everything as cleared."""
        self.cleared_at = at
        for past in [*self.traces, *self.compilations]:
            past.cleared = True


class History:
    """Earlier keys by function, by the capture layer's numbers.

    A later session may go on with the history of an earlier one as long as the numbers are the same capture's, so that
    the second cell of a notebook is compared with the first.
    """

    def __init__(self) -> None:
        self._functions: dict[int, FunctionHistory] = {}
        self._named: defaultdict[str, dict[int, FunctionHistory]] = defaultdict(dict)
        """Those that were defined, by qualified name and number."""
        self._gone: dict[int, int] = {}

    def of(self, function: int) -> FunctionHistory:
        """What is remembered of this function."""
        return self._functions.setdefault(function, FunctionHistory())

    def define(self, function: int, definition: FunctionSeen) -> None:
        """A function was seen; its newest definition is the one that counts."""
        past = self.of(function)
        past.definition = definition
        self._named[definition.qualname][function] = past

    def named(self, qualname: str) -> Iterator[FunctionHistory]:
        """What is remembered of the functions of this name, the newest first."""
        return reversed(self._named.get(qualname, {}).values())

    def clear(self, function: int | None, at: float) -> None:
        """JAX's caches were cleared: those of one function, or all (None)."""
        for past in self._functions.values() if function is None else [self.of(function)]:
            past.clear(at)

    def end(self, callable: int, calls: int) -> None:
        """A callable exists no more, after this many calls."""
        self._gone[callable] = calls
        if len(self._gone) > GONE_REMEMBERED:
            del self._gone[next(iter(self._gone))]

    def calls_before_end(self, callable: int) -> int | None:
        """How often a callable was called that is gone; None for one that is still there, as far as is known."""
        return self._gone.get(callable)

    def forget_failed(self, function: int, trace: str, recording: str, error: str) -> None:
        """A trace that raised left nothing in JAX's cache, so nothing is compared with it."""
        past = self.of(function)
        past.failed = error
        past.traces = [t for t in past.traces if (t.trace, t.recording) != (trace, recording)]

    def copy(self) -> History:
        """What is remembered so far, for a session that goes its own way."""
        copied = History()
        copied._functions = {
            number: FunctionHistory(
                list(past.traces), list(past.compilations), past.definition, past.failed, past.cleared_at
            )
            for number, past in self._functions.items()
        }
        for qualname, numbers in self._named.items():
            copied._named[qualname] = {number: copied._functions[number] for number in numbers}
        copied._gone = dict(self._gone)
        return copied
