"""Writes streams of events by hand, as short as what a test is about."""

from __future__ import annotations

import itertools

import msgspec

from jax_trace_viz.contract.document import Argument, Finding, Place, TraceError
from jax_trace_viz.contract.events import (
    CallablesGone,
    CallsCounted,
    Compiled,
    FunctionSeen,
    Gone,
    Lowered,
    RunBegan,
    RunEnded,
)
from jax_trace_viz.contract.key import Key, Leaf, StaticValue
from jax_trace_viz.session import Session


def leaf(path: str = "x", *shape: int, dtype: str = "f32", weak: bool = False, **more: object) -> Leaf:
    """An array leaf, `f32[]` if nothing else is said."""
    return msgspec.structs.replace(Leaf(path=path, shape=shape, dtype=dtype, weak_type=weak), **more)


def static(path: str, value: object, **more: object) -> StaticValue:
    """A static value that is equal to another if they look the same."""
    plain = StaticValue(path=path, type=type(value).__name__, value=repr(value), token=repr(value))
    return msgspec.structs.replace(plain, **more)


def key(*leaves: Leaf, callable: int = 1, **more: object) -> Key:
    """The key of a call with these arguments, each an array."""
    structures = {each.path: "*" for each in leaves}
    plain = Key(callable=callable, positional=len(leaves), leaves=leaves, structures=structures)
    return msgspec.structs.replace(plain, **more)


class Program:
    """Feeds a session with what a program does, one statement per line of the test."""

    def __init__(self, session: Session | None = None) -> None:
        self.session = session or Session()
        self._runs = itertools.count()
        self._dispatches = itertools.count()
        self._time = 0.0

    def define(self, number: int = 1, name: str = "f", **more: object) -> None:
        """A function appears."""
        seen = FunctionSeen(
            function=number,
            name=name,
            qualname=name,
            file="main.py",
            line=10 * number,
            end_line=10 * number + 5,
            origin="user",
        )
        self.session.apply(msgspec.structs.replace(seen, **more))

    def begin(self, this: Key, function: int = 1, kind: str = "jit", **more: object) -> RunBegan:
        """A body starts."""
        self._time += 1.0
        began = RunBegan(
            run=next(self._runs),
            function=function,
            parent=None,
            kind=kind,
            entry="call",
            dispatch=next(self._dispatches) if kind == "jit" else None,
            key=this,
            arguments=[Argument(path=each.path, role="traced", type=each.dtype) for each in this.leaves],
            call_site=Place(file="main.py", line=100),
            at=self._time,
            thread="MainThread",
        )
        began = msgspec.structs.replace(began, **more)
        self.session.apply(began)
        return began

    def end(self, began: RunBegan, seconds: float = 0.5, error: TraceError | None = None) -> None:
        """A body returns or raises."""
        self.session.apply(RunEnded(run=began.run, seconds=seconds, error=error, marks=[]))

    def trace(self, this: Key, function: int = 1, kind: str = "jit", seconds: float = 0.5, **more: object) -> RunBegan:
        """A body runs."""
        began = self.begin(this, function, kind, **more)
        self.end(began, seconds)
        return began

    def compile(self, began: RunBegan | None = None, function: int = 1, **more: object) -> None:
        """A program is lowered and compiled, that of the run or one traced before."""
        dispatch = began.dispatch if began else next(self._dispatches)
        self.session.apply(Lowered(function=function, dispatch=dispatch, at=self._time, seconds=0.25))
        compiled = Compiled(
            function=function,
            dispatch=dispatch,
            run=began.run if began else None,
            key=began.key if began else None,
            call_site=None,
            persistent_cache="off",
            at=self._time,
            seconds=2.0,
        )
        self.session.apply(msgspec.structs.replace(compiled, **more))

    def call(self, this: Key, function: int = 1) -> None:
        """A call that traces and compiles."""
        self.compile(self.trace(this, function), function)
        self.count(1, function, missed=1)

    def let_go(self, callable: int, calls: int = 1) -> None:
        """A function object is gone."""
        self.session.apply(CallablesGone(gone=[Gone(callable=callable, calls=calls)]))

    def count(self, calls: int, function: int = 1, missed: int = 0) -> None:
        """Calls are counted."""
        self.session.apply(CallsCounted(function=function, calls=calls, missed=missed))

    def finding(self) -> Finding:
        """The only finding."""
        (finding,) = self.session.findings
        return finding

    def reasons(self, trace: int = -1) -> list[str]:
        """The kinds of reasons of a trace."""
        return [reason.kind for reason in self.session.traces[trace].reasons]
