"""JAX's jaxprs as plain records."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.code.frames import FrameTable
from jax_trace_viz.capture.jaxprs.captures import identity_of, name_of
from jax_trace_viz.capture.jaxprs.numbering import Numbering, Shared
from jax_trace_viz.capture.jaxprs.parameters import inner_jaxprs
from jax_trace_viz.contract.document import EquationCount
from jax_trace_viz.contract.events import JaxprSeen
from jax_trace_viz.contract.jaxpr import SubJaxpr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import CodeType

    from jax_trace_viz.capture.jaxprs.captures import Names

_LARGEST = 2**53 - 1
"""Counts stop here, the largest whole number that JavaScript holds: nested calls multiply quickly."""


@dataclass(slots=True, eq=False)
class _Known:
    """What stays of a jaxpr that was met, as long as that jaxpr lives or its record is told."""

    own: int
    expanded: int
    inner: tuple[_Known, ...]
    """The distinct jaxprs it calls."""
    calls: tuple[int, ...]
    """Which of its equations have jaxprs, by place."""
    id: str | None = None


class JaxprWriter:
    """Turns jaxprs into records, each once. Safe on any thread; keeps no jaxpr, array or tracer alive."""

    def __init__(self, *, max_equations: int = 100_000) -> None:
        """Starts an empty recording.

        Args:
            max_equations: How many equations are kept in all; further ones are counted only.
        """
        self._left = max_equations
        self._known: dict[int, tuple[weakref.ref[Any], _Known]] = {}
        self._frames = FrameTable()
        self._told = 0
        self._shared = Shared()
        self._events: list[JaxprSeen] = []
        self._names: Names = {}
        self._inputs: dict[int, str] = {}
        self._lock = threading.RLock()

    def write(
        self,
        jaxpr: Any,
        *,
        constants: Sequence[str] = (),
        names: Names | None = None,
        inputs: dict[int, str] | None = None,
        replaces: str | None = None,
    ) -> tuple[str, list[JaxprSeen]]:
        """Records a jaxpr and all jaxprs inside it.

        Args:
            jaxpr: A `Jaxpr` or `ClosedJaxpr`.
            constants: Names of its constants. JAX 0.12 makes jaxprs whose constants are the first inputs, and attaches
                their values later.
            names: What the user's body calls arrays, by their address: for the constants of the jaxprs inside.
            inputs: What the user's body calls input variables, by their identity, where JAX has other names.
            replaces: The id under which a part of it was written while it was traced.

        Returns:
            The jaxpr's id, and the events for all jaxprs not told before, innermost first.
        """
        with self._lock:
            jaxpr = getattr(jaxpr, "jaxpr", jaxpr)
            known = self._meet(jaxpr)
            self._names, self._inputs = names or {}, inputs or {}
            return self._record(known, jaxpr, constants, replaces), self._take_events()

    def write_part(self, part: Part, *, replaces: str | None = None) -> tuple[str, list[JaxprSeen]]:
        """Records what a trace that goes on or failed has staged so far.

        Args:
            part: Its variables and equations.
            replaces: The id under which an earlier part of it was written.
        """
        with self._lock:
            known = self._meet(part)
            left, self._inputs = self._left, part.inputs
            name = self._record(known, part, (), replaces)
            self._left = left  # the whole, which takes the part's place, is what counts
            return name, self._take_events()

    def take_codes(self) -> list[CodeType]:
        """The code that staged what was written since the last look, as far as it was not met before."""
        return self._frames.take_codes()

    def count(self, jaxpr: Any) -> EquationCount:
        """Equations of a jaxpr, nested ones included, without recording it."""
        with self._lock:
            known = self._meet(getattr(jaxpr, "jaxpr", jaxpr))
            distinct, seen, left = 0, set[int](), [known]
            while left:
                one = left.pop()
                if id(one) not in seen:
                    seen.add(id(one))
                    distinct += one.own
                    left += one.inner
            return EquationCount(distinct=distinct, expanded=known.expanded)

    def _constant_names(self, jaxpr: Any) -> list[str]:
        """Names of the constants of a jaxpr that holds their values itself (since JAX 0.12)."""
        values = getattr(jaxpr, "consts", ())
        return [(name_of(identity_of(value), self._names) or ("",))[0] for value in values]

    def _take_events(self) -> list[JaxprSeen]:
        events, self._events = self._events, []
        return events

    def _meet(self, jaxpr: Any) -> _Known:
        """Looks a jaxpr up, counting its equations when it is new."""
        key = id(jaxpr)
        found = self._known.get(key)
        if found is not None and found[0]() is jaxpr:
            return found[1]
        known = _Known(*self._census(jaxpr.eqns))
        self._known[key] = weakref.ref(jaxpr, _forget(self._known, key)), known
        return known

    def _census(self, equations: Iterable[Any]) -> tuple[int, int, tuple[_Known, ...], tuple[int, ...]]:
        own = expanded = 0
        inner: dict[int, _Known] = {}
        calls: list[int] = []
        for own, equation in enumerate(equations, 1):
            subs = inner_jaxprs(equation.params) if equation.params else ()
            if subs:
                calls.append(own - 1)
            for _, jaxpr in subs:
                known = self._meet(jaxpr)
                inner[id(known)] = known
                expanded += known.expanded
        return own, min(own + expanded, _LARGEST), tuple(inner.values()), tuple(calls)

    def _record(self, known: _Known, jaxpr: Any, constants: Sequence[str] = (), replaces: str | None = None) -> str:
        """Writes a jaxpr's record, after those of the jaxprs inside it. Events wait in `_events`, even if one fails."""
        if known.id is not None:
            return known.id
        kept = jaxpr.eqns[: max(self._left, 0)]
        self._left -= len(kept)
        inner = {
            place: [
                SubJaxpr(parameter=name, jaxpr=self._record(self._meet(sub), sub))
                for name, sub in inner_jaxprs(kept[place].params)
            ]
            for place in known.calls
            if place < len(kept)
        }
        self._told += replaces is None
        name = replaces or f"j{self._told}"
        record = Numbering(self._frames, self._shared, name, jaxpr).record(
            kept, inner, constants or self._constant_names(jaxpr), self._inputs
        )
        frames, first = self._frames.take_new()
        self._events.append(JaxprSeen(jaxpr=record, frames=frames, first_frame=first))
        known.id = name
        return name


def _forget(known: dict[int, tuple[weakref.ref[Any], _Known]], key: int) -> Callable[[weakref.ref[Any]], None]:
    def forget(dead: weakref.ref[Any]) -> None:
        if key in known and known[key][0] is dead:
            del known[key]

    return forget


@dataclass(slots=True, weakref_slot=True, eq=False)
class Part:
    """The staged part of a jaxpr in the making, with the attributes of a `Jaxpr` that are read here: no outputs yet."""

    invars: list[Any]
    constvars: list[Any]
    eqns: list[Any]
    debug_info: Any
    outvars: tuple[Any, ...] = ()
    needed: Any = None
    """The variable whose value Python needed, if that is why the trace failed."""
    inputs: dict[int, str] = field(default_factory=dict[int, str])
    """Identity of input variables → what the user's body calls them, where JAX has other names."""
