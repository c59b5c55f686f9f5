"""How one part of the key changed over several retraces: `f32[8] → f32[9] → f32[10]`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.session.reasons.keys import argument_of
from jax_trace_viz.session.reasons.spelling import instead_of_default, is_all_about, looked_for
from jax_trace_viz.session.reasons.static_texts import BY_IDENTITY, OBJECT
from jax_trace_viz.session.wording import BY_ITSELF, CHANGED_SINCE, is_length, reason_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.document import Function, Place, Reason, Trace

_NUMBER = re.compile(r" #\d+")

STATIONS = 4
"""A longer chain is cut in the middle."""

COMPANIONS = 3
"""Other parts that are named; the rest are counted."""

_CANDIDATES = 20
"""Causes of a function, the costliest first, one of which is the main one."""

_ONE_TYPE = frozenset({"new_shape", "new_dtype", "weak_type"})
"""What changes in one array's type at once is told by the first of these alone: it shows both types."""


@dataclass
class Cause:
    """One part of the key that decided several retraces of a function; grows with each of them.

    What else changed in them would have forced each of them by itself: they are saved only if none of it changes.
    """

    function: Function
    first: Reason
    """The decisive reason of the first of them."""
    traces: list[Trace] = field(default_factory=list["Trace"])
    """As they began."""
    seconds: float = 0.0
    is_mixed: bool = False
    """Whether what was passed differed as well, not only how it was passed."""
    by_identity: bool = False
    """Whether equal objects counted as different because they compare by identity."""
    by_itself: bool = False
    """Whether only an object's own `__eq__` or `__hash__` told equal ones apart, or it was changed in JAX's cache."""
    is_of_lengths: bool = True
    """Whether all that changed is how long a list or tuple is."""
    is_of_functions: bool = True
    """Whether all of these values are functions, by name."""
    others: dict[str, Cause] = field(default_factory=dict[str, "Cause"])
    """Parts of other kinds that changed in the same traces, by kind, each with the traces in which it did."""
    asked: dict[tuple[str, str | None], None] = field(default_factory=dict[tuple[str, str | None], None])
    """Kind and path of what these traces say first, each once: cards about traces ask by that."""
    _stations: list[str] = field(default_factory=list[str])
    """The chain's values, each with the arrow that leads to it."""
    # Dictionaries for their order: what was seen, each once.
    _reasons: dict[Reason, None] = field(default_factory=dict["Reason", None])
    _values: dict[str, None] = field(default_factory=dict[str, None])
    _companions: dict[str, None] = field(default_factory=dict[str, None])
    _outside: dict[tuple[str, Place], dict[str, None]] = field(
        default_factory=dict[tuple[str, "Place"], dict[str, None]]
    )

    def add(self, trace: Trace) -> None:
        """One more retrace."""
        main = decisive(trace)
        self.asked[trace.reasons[0].kind, trace.reasons[0].path] = None
        self.take(trace, main)
        for kind, reason in _others(trace, main).items():
            self.others.setdefault(kind, Cause(self.function, reason)).take(trace, reason)

    def take(self, trace: Trace, reason: Reason) -> None:
        """One more retrace, in which a part of this kind changed."""
        self.traces.append(trace)
        self.is_mixed = self.is_mixed or is_mixed(trace)
        self.by_identity = self.by_identity or BY_IDENTITY in (reason.after or "") or _is_renumbered(reason)
        self.by_itself = self.by_itself or BY_ITSELF in (reason.after or "") or CHANGED_SINCE in (reason.before or "")
        self.is_of_lengths = self.is_of_lengths and is_length(reason.before) and is_length(reason.after)
        self.is_of_functions = self.is_of_functions and OBJECT not in f"{reason.before} {reason.after}"
        self._reasons[reason] = None
        self._extend(reason.before, reason.after)
        also = (r.path for r in trace.reasons if r.kind == self.kind and r.path and r.path != self.path)
        self._companions.update((path, None) for path in also)

    def read(self, trace: Trace) -> None:
        """A trace of these, or the one before them, has ended and tells what it read from outside."""
        for name, value in {(each.name, each.place): each.value for each in trace.outside}.items():
            self._outside.setdefault(name, {})[value] = None

    def _extend(self, before: str | None, after: str | None) -> None:
        """What did not grow out of anything in the chain begins a new one."""
        begins = before is not None and before not in self._values
        if before is not None and begins:
            self._stations.append(f"; {before}" if self._stations else before)
            self._values[before] = None
        if after is not None and (begins or after not in self._values):
            self._stations.append(f" → {after}" if self._stations else after)
            self._values[after] = None

    @property
    def kind(self) -> str:
        """The kind of the decisive reasons."""
        return self.first.kind

    @property
    def path(self) -> str | None:
        """Where the part is."""
        return self.first.path

    @property
    def reasons(self) -> list[Reason]:
        """The decisive reasons in order, each once."""
        return list(self._reasons)

    @property
    def values(self) -> list[str]:
        """What the part was, in order, each change told once."""
        return list(self._values)

    @property
    def companions(self) -> list[str]:
        """Other paths on which a part of the same kind changed in the same traces."""
        return list(self._companions)

    @property
    def outside(self) -> list[str]:
        """What was read from outside and differed between the traces: `n` (1 → 2), a few values of each."""
        varying = {name: list(values) for (name, _), values in self._outside.items() if len(values) > 1}
        return [
            f"`{name}` ({' → '.join(values[:STATIONS])}{' → …' * (len(values) > STATIONS)})"
            for name, values in varying.items()
        ]

    @property
    def chain(self) -> str:
        """The values, joined where one became the other; the middle of a long chain is left out."""
        count = len(self._stations)
        shown = count if count <= STATIONS else STATIONS - 1
        text = "".join(self._stations[:shown])
        return text if count <= STATIONS else f"{text} → … ({count - STATIONS} more){self._stations[-1]}"

    @property
    def text(self) -> str:
        """The cause as a part of a sentence."""
        if self.kind == "new_function_object":
            return "a new function object each time"
        if self.kind == "unknown":
            return "reason not known"
        others = ", ".join(islice(self._companions, COMPANIONS))
        more = len(self._companions) - COMPANIONS
        also = f" (as did {others}{f' and {more} more' if more > 0 else ''})" if others else ""
        # One that changed otherwise as well is told as a structure.
        other = None if self.is_of_lengths else next((r for r in self._reasons if not is_length(r.after)), None)
        return reason_text(other or self.first, self.chain) + also

    @property
    def also(self) -> str:
        """What else changed in the same traces, to be said after `text`; empty for nothing."""
        return "".join(
            f" and {'' if len(other.traces) == len(self.traces) else 'at times '}{other.text}"
            for other in self.others.values()
        )

    @property
    def parts(self) -> set[tuple[str, str | None]]:
        """Kind and path of all that has to stay as it was for these retraces to be saved."""
        own = {(self.kind, path) for path in (self.path, *self._companions)}
        return own.union(*(other.parts for other in self.others.values()))


def most_saving(causes: Sequence[Cause]) -> Cause:
    """The cause without whose parts most of these seconds were saved; a retrace is if all its parts are gone.

    Only the first few are asked, the costliest where they are sorted so.
    """
    needed = [(cause.parts, cause.seconds) for cause in causes]

    def saved(index: int) -> float:
        parts = needed[index][0]
        return sum(seconds for each, seconds in needed if each <= parts)

    return causes[max(range(min(len(causes), _CANDIDATES)), key=saved)]


def together(causes: Sequence[Cause]) -> Cause:
    """Several parts of one kind that changed at different times, told as one chain."""
    if len(causes) == 1:
        return causes[0]
    traces = sorted((trace for cause in causes for trace in cause.traces), key=lambda trace: trace.started)
    whole = Cause(causes[0].function, replace(traces[0].reasons[0], path=None))
    for trace in traces:
        whole.add(trace)
    whole.seconds = sum(cause.seconds for cause in causes)
    return whole


def decisive(trace: Trace) -> Reason:
    """The reason of a trace that is told first."""
    return looked_for(trace.reasons[0], trace.reasons)


def is_mixed(trace: Trace) -> bool:
    """Whether a call that was spelled differently also passed something else."""
    return decisive(trace).kind == "kwargs_signature" and len({reason.kind for reason in trace.reasons}) > 1


def _is_renumbered(reason: Reason) -> bool:
    """Whether two structures differ only in objects that compare by identity, which are told by their numbers."""
    was, now = (_NUMBER.sub("", text or "") for text in (reason.before, reason.after))
    return reason.kind == "new_pytree_structure" and was == now


def _others(trace: Trace, main: Reason) -> dict[str, Reason]:
    """The first reason of each kind but the decisive one, without what another one tells already."""
    found: dict[str, Reason] = {}
    types: set[str | None] = set()
    given = {argument_of(reason.path or "") for reason in trace.reasons if instead_of_default(reason)}
    for reason in trace.reasons:
        if reason.kind in _ONE_TYPE and reason.path in types:
            continue
        if reason.kind == "kwargs_signature" and given and is_all_about(reason, given):
            continue
        if reason.kind in _ONE_TYPE:
            types.add(reason.path)
        found.setdefault(reason.kind, reason)
    found.pop(main.kind)
    return found
