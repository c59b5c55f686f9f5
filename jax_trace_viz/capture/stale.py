"""Values that a trace read from outside and that have changed since, while calls go on being cache hits.

A hit looks only when the count of hits is a power of two, and the count starts again at each flush: so a change is
seen at a hit that came after it, and hits cost nothing more. A change is told only if all programs that could have
answered the call were traced before it.
"""

from __future__ import annotations

import sys
import weakref
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from jax import Array
from jax.core import Tracer

from jax_trace_viz.capture.functions import unwrapped
from jax_trace_viz.capture.reads import Read, reads_of
from jax_trace_viz.capture.snapshots import Change, Snapshot, take
from jax_trace_viz.capture.values import status
from jax_trace_viz.contract.document import OutsideValue, Place
from jax_trace_viz.contract.events import AnyEvent, StaleSeen
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from jax_trace_viz.capture.state import Dispatch, Run

_MOST_PROGRAMS = 64
_MOST_VALUES = 100
_DEEPEST = 8
_MISSING = object()


@dataclass(slots=True, eq=False)
class Kept:
    """One value as a trace read it, and how to read it again: nothing of the user's is held."""

    read: Read
    file: str
    snapshot: Snapshot
    module: str
    function: weakref.ref[Any] | None
    parameter: weakref.ref[Any] | None

    def now(self) -> Any:
        """What stands there now; `_MISSING` if that cannot be read."""
        name, root = self.read.name, self.read.root
        if root == "global":
            module = sys.modules.get(self.module)
            function = self.function() if self.function is not None else None
            names = vars(module) if module is not None else function.__globals__ if function is not None else {}
            return _walk(names.get(name, _MISSING), self.read)
        if root == "closure":
            return _walk(_cell(self.function() if self.function is not None else None, name), self.read)
        value = self.parameter() if self.parameter is not None else None
        return _MISSING if value is None else _walk(value, self.read)


@dataclass(slots=True, eq=False)
class _Program:
    """One trace of a function."""

    run: int
    function: int
    signature: tuple[Any, ...]
    alive: weakref.ref[Any]
    """JAX's jaxpr: gone when JAX's caches are cleared."""
    kept: list[Kept]
    told: dict[str, str] = field(default_factory=dict[str, str])
    """What was told → its value then."""


def read_by(run: Run, frame: FrameType, function: Any) -> list[Kept]:
    """What the body that has just run read from outside.

    Args:
        run: The run, with the lines that ran.
        frame: Its frame, which still holds its locals.
        function: The user's function, if it is known.
    """
    reads, values = reads_of(run.code), frame.f_locals
    module = _module(frame)
    known = weakref.ref(function) if isinstance(function, FunctionType) and function.__code__ is run.code else None
    out: list[Kept] = []
    for read in reads.places:
        happened = (read.line in run.lines and read.alone) or (read.first and not run.all_lines)
        if not happened:
            continue
        names = frame.f_globals if read.root == "global" else values
        base = names.get(read.name, _MISSING)
        parameter = _weak(base) if read.root == "parameter" else None
        traced = read.root == "parameter" and status(base) in ("traced", "mixed")
        if traced or (read.root == "parameter" and (parameter is None or not read.steps)):
            continue
        snapshot = take(_walk(base, read))
        if snapshot is not None and not (snapshot.kind == "contents" and reads.writes_parts):
            out.append(Kept(read, run.code.co_filename, snapshot, module, known, parameter))
    return out


def values_read(kept: list[Kept]) -> list[OutsideValue]:
    """The plain values among what a trace read, each name once; arrays are told as constants."""
    found: dict[str, OutsideValue] = {}
    for one in kept:
        if one.snapshot.kind == "value" and len(found) < _MOST_VALUES:
            place = Place(file=one.file, line=one.read.line)
            found.setdefault(one.read.text, OutsideValue(name=one.read.text, value=one.snapshot.text, place=place))
    return list(found.values())


def _module(frame: FrameType) -> str:
    """The name by which a body's globals are found again; empty if they are no module's."""
    name = frame.f_globals.get("__name__")
    module = sys.modules.get(name) if type(name) is str else None
    return str(name) if module is not None and vars(module) is frame.f_globals else ""


class Stale:
    """What the traces of all functions read from outside, by function object.

    Args:
        emit: Takes what is told.
    """

    def __init__(self, emit: Callable[[AnyEvent], None]) -> None:
        self._emit = emit
        self._programs: dict[int, list[_Program]] = {}
        self._alive: dict[int, weakref.ref[Any]] = {}

    def keep(self, fun: Any, dispatch: Dispatch, jaxpr: Any) -> None:
        """A call was traced: remembers what its trace read, as long as JAX keeps the jaxpr."""
        run, target = dispatch.run, unwrapped(fun)
        if run is None or not run.reads or not isinstance(target, FunctionType):
            return
        address = id(target)
        programs = self._programs.get(address)
        if programs is None:
            programs = self._programs[address] = []
            self._alive[address] = weakref.ref(target, lambda _: self._forget(address))
        alive = weakref.ref(getattr(jaxpr, "jaxpr", jaxpr))
        program = _Program(run.number, run.function, _signature(dispatch.args, dispatch.kwargs), alive, run.reads)
        programs.append(program)
        del programs[:-_MOST_PROGRAMS]

    def look(self, fun: Any, args: Any, kwargs: Any) -> None:
        """A call was a cache hit: tells what has changed since the programs that could have answered it were traced."""
        programs = self._programs.get(id(unwrapped(fun)))
        if not programs:
            return
        signature = _signature(args, kwargs)
        fitting = [one for one in programs if one.alive() is not None and one.signature == signature]
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
        return id(unwrapped(fun)) in self._programs

    def _forget(self, address: int) -> None:
        self._programs.pop(address, None)
        self._alive.pop(address, None)

    def _changes(self, program: _Program) -> dict[str, tuple[Kept, Change]]:
        out: dict[str, tuple[Kept, Change]] = {}
        for kept in program.kept:
            value = kept.now()
            change = None if value is _MISSING else kept.snapshot.change(value)
            if change is not None:
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
            )
        )


def _signature(args: Any, kwargs: Any) -> tuple[Any, ...]:
    """The types of the arguments: programs with other types did not answer this call. Runs nobody's code."""
    return _shape(args, _DEEPEST), _shape(kwargs, _DEEPEST)


def _shape(value: Any, depth: int) -> Any:
    if isinstance(value, (Array, Tracer, np.ndarray, np.generic)):
        return tuple(value.shape), str(value.dtype)
    kind = type(value)
    if depth and kind in (tuple, list):
        return (kind, *(_shape(part, depth - 1) for part in value))
    if depth and kind is dict:
        return (kind, *((repr(key)[:100], _shape(part, depth - 1)) for key, part in value.items()))
    return kind


def _weak(value: Any) -> weakref.ref[Any] | None:
    try:
        return weakref.ref(value)
    except TypeError:
        return None


def _cell(function: Any, name: str) -> Any:
    if function is None or function.__closure__ is None:
        return _MISSING
    cell = dict(zip(function.__code__.co_freevars, function.__closure__, strict=False)).get(name)
    try:
        return _MISSING if cell is None else cell.cell_contents
    except ValueError:  # the variable was deleted
        return _MISSING


def _walk(value: Any, read: Read) -> Any:
    """Reads the parts, as far as that runs nobody's code."""
    for kind, key in read.steps:
        if value is _MISSING:
            break
        value = _attribute(value, str(key)) if kind == "attribute" else _item(value, key)
    return value


def _attribute(value: Any, name: str) -> Any:
    if isinstance(value, ModuleType):
        users = origin(getattr(value, "__file__", None) or "<") == "user"
        return vars(value).get(name, _MISSING) if users else _MISSING
    try:
        own = getattr(value, "__dict__", None)
    except Exception:  # noqa: BLE001  (it may be a property of the user's)
        return _MISSING
    if type(own) is dict and name in own:
        return own[name]
    for base in type(value).__mro__:
        if name in vars(base):
            found = vars(base)[name]
            return _MISSING if hasattr(type(found), "__get__") else found
    return _MISSING


def _item(value: Any, key: str | int) -> Any:
    if type(value) is dict:
        return value.get(key, _MISSING)
    if type(value) in (list, tuple) and isinstance(key, int) and -len(value) <= key < len(value):
        return value[key]
    return _MISSING
