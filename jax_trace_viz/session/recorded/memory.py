"""Keeps what a session holds below a limit: the oldest details go first, counts and reasons stay.

Sizes are estimates, of what a recording takes while it goes on: of jaxprs by their parts, of anything else a multiple
of its JSON text, which counts helpers that say the same again as if they shared nothing.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from jax_trace_viz.contract import events
from jax_trace_viz.contract.document import Dropped
from jax_trace_viz.contract.encoding import encoded
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jax_trace_viz.contract.jaxpr import Jaxpr
    from jax_trace_viz.session.recorded.jaxprs import Jaxprs
    from jax_trace_viz.session.recorded.traces import Traces

VARIABLE = "JAX_TRACE_VIZ_MEMORY_MB"
DEFAULT_MB = 64.0

_EQUATION = 220
"""Bytes of an equation without"""
_INPUT = 8
"""each of its inputs and"""
_PARAMETERS = 600
"""its parameters, which equal equations share."""
_VARIABLE = 40
_FRAME = 1_000
"""Bytes of a call frame, with those of the capture's tables that find it again."""
_TEXT_FACTOR = 2.5
_TRACE = 1_200
"""Bytes of a trace without details."""
_ROOM = 0.9
"""Share of the limit that is filled again after something went, so that not every event has something go."""
_NEW = (events.RunBegan, events.JaxprSeen)
"""Events that begin something new; once nothing more can go, these are counted and passed over."""


def limit_mb(asked: float | None, environment: Mapping[str, str] = os.environ) -> float:
    """The limit in MB (10⁶ bytes): what is asked for, else what the environment says, else 64.

    A setting in the environment that is no positive number is passed over: it must not stop a program.

    Raises:
        ValueError: What is asked for is no positive number.
    """
    if asked is not None:
        if not _is_positive(asked):
            raise ValueError(f"memory_mb is {asked!r}: it must be a positive number of megabytes")
        return float(asked)
    try:
        given = float(environment.get(VARIABLE, ""))
    except ValueError:
        return DEFAULT_MB
    return given if given > 0 else DEFAULT_MB


def _is_positive(asked: float) -> bool:
    try:  # users give anything
        return bool(asked > 0)
    except (TypeError, ValueError):
        return False


class Memory:
    """Estimates what the tables of a session take, and empties the oldest of them. Not thread-safe, as they."""

    def __init__(self, limit_mb: float) -> None:
        self.limit_mb = limit_mb
        self.used = 0
        self._limit = limit_mb * 1e6
        self._equations: dict[str, tuple[int, int]] = {}
        """Jaxpr → bytes and number of its equations, the oldest first."""
        self._details: dict[str, int] = {}
        """Trace → bytes of its details."""
        self._dropped_equations = self._dropped_details = self._refused = self._lost = self._left_out = 0

    @property
    def dropped(self) -> Dropped:
        """What went, and the limit that made it go."""
        gone = self._dropped_equations or self._dropped_details or self._refused
        return Dropped(
            events=self._lost + self._refused,
            equations=self._dropped_equations,
            details=self._dropped_details,
            memory_mb=self.limit_mb if gone else None,
            calls=self._left_out,
        )

    def refuses(self, event: events.AnyEvent) -> bool:
        """Whether there is no room for an event though all details are gone; then it is counted as dropped."""
        if not isinstance(event, _NEW) or self.used <= self._limit:
            return False
        self._refused += 1
        return True

    def count(self, number: int) -> None:
        """So many events were dropped before they came here."""
        self._lost += number

    def leave_out(self, number: int) -> None:
        """So many calls of helpers are not told one by one."""
        self._left_out += number

    def keep(self, event: events.AnyEvent, trace: str | None) -> None:
        """An event was taken in; `trace` is the trace that it tells of."""
        if isinstance(event, events.JaxprSeen):
            self._keep_jaxpr(event)
            return
        size = round(_TEXT_FACTOR * len(encoded(event)))
        if trace is not None and isinstance(event, (events.RunBegan, events.RunEnded, events.RunStaged)):
            self._details[trace] = self._details.get(trace, 0) + size
            size += _TRACE if isinstance(event, events.RunBegan) else 0
        elif not isinstance(event, (events.FunctionSeen, events.Compiled, events.Fault, events.StaleSeen)):
            return  # it changes counts, and leaves nothing behind
        self.used += size

    def make_room(self, traces: Traces, jaxprs: Jaxprs, version: int) -> None:
        """Empties what is oldest, if too much is held: equations of jaxprs, then details of traces."""
        if self.used <= self._limit:
            return
        room = self._limit * _ROOM
        while self.used > room and self._equations:
            identifier = next(iter(self._equations))
            size, number = self._equations.pop(identifier)
            jaxprs.empty(identifier, version)
            self._dropped_equations += number
            self.used -= size
        while self.used > room and self._details:
            identifier = next(iter(self._details))
            self.used -= self._details.pop(identifier)
            traces.strip(identifier, version)
            self._dropped_details += 1

    def _keep_jaxpr(self, event: events.JaxprSeen) -> None:
        jaxpr = event.jaxpr
        number, size = len(jaxpr.equations), _size(jaxpr)
        before, _ = self._equations.pop(jaxpr.id, (0, 0))  # a growing trace is told again and again
        self._equations[jaxpr.id] = size, number
        self.used += size - before + len(event.frames) * _FRAME


def _size(jaxpr: Jaxpr) -> int:
    inputs = sum([len(equation.inputs) for equation in jaxpr.equations])
    parameters = len({id(equation.parameters) for equation in jaxpr.equations})
    size = len(jaxpr.equations) * _EQUATION + inputs * _INPUT + parameters * _PARAMETERS
    return size + len(jaxpr.types) * _VARIABLE


def dropped_text(dropped: Dropped) -> str:
    """What is missing, in words, and what keeps more; empty where nothing is."""
    return " ".join(filter(None, (_gone_text(dropped), calls_text(dropped))))


def calls_text(dropped: Dropped) -> str:
    """Says which calls are not told one by one; empty where all are."""
    if not dropped.calls:
        return ""
    calls, verb = count_text(dropped.calls, "further call"), "is" if dropped.calls == 1 else "are"
    return f"{calls} of helpers that a trace called again and again {verb} only counted."


def _gone_text(dropped: Dropped) -> str:
    if dropped.memory_mb is None:
        return f"{count_text(dropped.events, 'event was', 'events were')} not recorded." if dropped.events else ""
    gone = [
        (dropped.equations, "equations of the oldest jaxprs"),
        (dropped.details, "oldest traces' arguments, constants and marks"),
        (dropped.events, "newest events"),
    ]
    words = ", ".join(f"{number:,} {what}" for number, what in gone if number)
    more = f"{4 * dropped.memory_mb:g}"
    return (
        f"More than {dropped.memory_mb:g} MB were recorded, so details went: {words}. Counts are complete. "
        f"{VARIABLE}={more}, `--memory {more}` or `memory_mb={more}` keeps more."
    )
