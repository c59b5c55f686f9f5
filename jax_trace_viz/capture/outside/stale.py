"""Values that a trace read from outside and that have changed since, while calls go on being cache hits.

The first hits look, then only every one that doubles their count, and the count starts again at each flush: so a change
is seen at a hit that came after it, and hits cost nothing more. A change is told only if all programs that could have
answered the call were traced before it, and if nothing that was traced changed the value itself: counters, logs and
caches that are filled while tracing are no inputs.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
from jax import dtypes

from jax_trace_viz.capture.code.functions import unwrapped
from jax_trace_viz.capture.faults import when_gone
from jax_trace_viz.capture.jaxprs import constants
from jax_trace_viz.capture.keys.settings import context_values
from jax_trace_viz.capture.outside.readings import MISSING, Kept
from jax_trace_viz.capture.outside.snapshots import Change, Snapshot, take
from jax_trace_viz.capture.values.real_types import ARRAYS, SCALARS, is_a, plain_text
from jax_trace_viz.contract.document import Place
from jax_trace_viz.contract.events import AnyEvent, StaleSeen
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from jax_trace_viz.capture.state import Dispatch

_ARRAYS = (*ARRAYS, np.generic)
_MOST_PROGRAMS = 64
_MOST_WATCHED = 200
_MOST_KEPT = 1_000
"""Reads of all programs together: they are walked whenever a trace begins."""
_DEEPEST = 8

Watched = list[tuple[Kept, Snapshot | None]]
"""What traces have read, with its value when the next trace began."""


@dataclass(slots=True, frozen=True)
class _Static:
    """Which arguments of a jitted function are static."""

    positions: frozenset[int]
    names: frozenset[str]

    def signature(self, args: Any, kwargs: Any, context: tuple[Any, ...]) -> tuple[Any, ...]:
        """What tells programs apart: types, static values, JAX's context. Runs nobody's code."""
        given = tuple(
            _identity(value) if place in self.positions or place - len(args) in self.positions else _shape(value)
            for place, value in enumerate(args)
        )
        named = {name: _identity(value) if name in self.names else _shape(value) for name, value in kwargs.items()}
        return given, named, context


@dataclass(slots=True, eq=False)
class _Program:
    """One trace of a function."""

    run: int
    function: int
    static: _Static
    signature: tuple[Any, ...]
    alive: weakref.ref[Any]
    """JAX's jaxpr: gone when JAX's caches are cleared."""
    kept: list[Kept]
    told: dict[str, str] = field(default_factory=dict[str, str])
    """What was told → its value then."""


class Stale:
    """What the traces of all functions read from outside, by function object.

    Args:
        emit: Takes what is told.
    """

    def __init__(self, emit: Callable[[AnyEvent], None]) -> None:
        self._emit = emit
        self._programs: dict[int, list[_Program]] = {}
        self._alive: dict[int, weakref.ref[Any]] = {}
        self._reading: list[_Program] = []
        """Programs that read something, the oldest first."""
        self._moving: set[Hashable] = set()
        """What changed while something was traced."""

    def watch(self) -> Watched:
        """The outermost body of a trace begins: what earlier traces have read, as it is now."""
        watched: dict[Hashable, Kept] = {}
        for kept in (kept for program in self._reading if program.alive() is not None for kept in program.kept):
            if len(watched) < _MOST_WATCHED:
                watched.setdefault(kept.where, kept)
            elif kept.where not in watched:
                self._moving.add(kept.where)
        return [(kept, take(kept.now())) for where, kept in watched.items() if where not in self._moving]

    def settle(self, watched: Watched) -> None:
        """The trace is over: what changed meanwhile is never told."""
        for kept, before in watched:
            now = kept.now()
            same = take(now) is None if before is None else take(now) is not None and before.change(now) is None
            if not same and not kept.is_gone:
                self._moving.add(kept.where)

    def keep(self, fun: Any, dispatch: Dispatch, jaxpr: Any) -> None:
        """A call was traced: remembers what its trace read, as long as JAX keeps the jaxpr.

        A program that read nothing counts too: it may be the one that answers.
        """
        run, target = dispatch.run, unwrapped(fun)
        if run is None or not _is_watched(target):
            return
        address = id(target)
        if address not in self._programs:
            self._programs[address] = []
            self._alive[address] = when_gone(target, lambda: self._forget(address))
        static = _static(dispatch.info)
        program = _Program(
            run=run.number,
            function=run.function,
            static=static,
            signature=static.signature(dispatch.args, dispatch.kwargs, dispatch.context),
            alive=weakref.ref(getattr(jaxpr, "jaxpr", jaxpr)),
            kept=_in_program(run.reads, jaxpr),
        )
        programs = [one for one in self._programs[address] if one.alive() is not None]
        for one in programs[: 1 - _MOST_PROGRAMS]:
            one.kept = []
        self._programs[address] = [*programs, program]
        self._keep_few(program)

    def _keep_few(self, newest: _Program) -> None:
        """What the oldest programs read is let go of when it is too much; then they tell of no change."""
        reading = [one for one in (*self._reading, newest) if one.kept and one.alive() is not None]
        count = sum(len(one.kept) for one in reading)
        for one in reading:
            if count <= _MOST_KEPT:
                break
            count -= len(one.kept)
            one.kept = []
        self._reading = [one for one in reading if one.kept]

    def look(self, fun: Any, args: Any, kwargs: Any) -> None:
        """A call was a cache hit: tells what has changed since the programs that could have answered it were traced."""
        programs = self._programs.get(id(unwrapped(fun)), []) if self._programs else []
        if not any(program.kept for program in programs):
            return
        context = context_values()
        fitting = [
            one
            for one in programs
            if one.alive() is not None and one.signature == one.static.signature(args, kwargs, context)
        ]
        if not fitting:
            return
        changed = [self._changes(one) for one in fitting]
        newest = fitting[-1]
        for text, (kept, change) in changed[-1].items():
            if all(text in other for other in changed) and newest.told.get(text) != change.after:
                newest.told[text] = change.after
                self._tell(newest, kept, change)

    def knows(self, fun: Any) -> bool:
        """Whether a trace of this callable read anything from outside."""
        return any(program.kept for program in self._programs.get(id(unwrapped(fun)), ()))

    def _forget(self, address: int) -> None:
        for program in self._programs.pop(address, ()):
            program.kept = []
        self._alive.pop(address, None)

    def _changes(self, program: _Program) -> dict[str, tuple[Kept, Change]]:
        out: dict[str, tuple[Kept, Change]] = {}
        for kept in program.kept:
            if kept.where in self._moving:
                continue
            value = kept.now()
            change = None if value is MISSING else kept.snapshot.change(value)
            if change is not None and change.is_visible:
                out[kept.read.text] = (kept, change)
        return out

    def _tell(self, program: _Program, kept: Kept, change: Change) -> None:
        self._emit(
            StaleSeen(
                function=program.function,
                run=program.run,
                name=kept.read.text,
                kind="in_place" if change.in_place else change.kind,
                before=change.before,
                after=change.after,
                place=Place(file=kept.file, line=kept.read.line),
                computed=kept.computed,
            )
        )


def _in_program(reads: list[Kept], jaxpr: Any) -> list[Kept]:
    """What was read, without the arrays of which the program took only a shape.

    An array that is a constant of the program is told as that, and not as one that Python computed with.
    """
    if not any(kept.snapshot.kind == "array" for kept in reads):
        return reads
    baked = [*constants.found(getattr(jaxpr, "consts", ())), *constants.inside(jaxpr)]
    known = {part for one in baked for part in one.identity if part is not None}
    found = ((kept, not known.isdisjoint(kept.identity)) for kept in reads)
    return [
        replace(kept, computed=kept.computed and not is_constant)
        for kept, is_constant in found
        if kept.snapshot.kind != "array" or is_constant or kept.computed
    ]


def _is_watched(target: Any) -> bool:
    """Whether a jitted callable is a function, or an object of the user's with a `__call__` of its own."""
    call = getattr(type(target), "__call__", None)  # noqa: B004
    is_users = isinstance(call, FunctionType) and origin(call.__code__.co_filename) == "user"
    return type(target) is FunctionType or (is_users and type(target).__weakrefoffset__ != 0)


def _static(info: Any) -> _Static:
    return _Static(
        frozenset(getattr(info, "static_argnums", None) or ()), frozenset(getattr(info, "static_argnames", None) or ())
    )


def _identity(value: Any) -> Any:
    """Of a static value: by what it says where that is a plain value, else the object itself."""
    return type(value), plain_text(value) if type(value) in SCALARS else id(value)


def _shape(value: Any, depth: int = _DEEPEST) -> Any:
    if is_a(value, _ARRAYS):
        dtype = dtypes.canonicalize_dtype(value.dtype) if is_a(value, (np.ndarray, np.generic)) else value.dtype
        return tuple(value.shape), dtype, bool(getattr(value, "weak_type", False))
    kind = type(value)
    if depth and kind in (tuple, list):
        return (kind, *(_shape(part, depth - 1) for part in value))
    if depth and kind is dict:
        # JAX sorts the keys, and gives back what it has mapped in that order.
        return kind, frozenset((_key(key), _shape(part, depth - 1)) for key, part in value.items())
    return kind


def _key(key: Any) -> Any:
    """A key of a dict, as far as it can be compared without running the program's code."""
    return key if type(key) in SCALARS else type(key)
