"""The why card of one trace or compilation, as data; the exports and the front end give it a form."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jax_trace_viz.session.why.parts import decisive, in_order, is_compared, parts_of
from jax_trace_viz.session.wording import count_text, reason_text, trace_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jax_trace_viz.contract.document import Compilation, Function, Place, Reason, Trace
    from jax_trace_viz.contract.view import Advice
    from jax_trace_viz.session.why.parts import Part

_NO_CACHE = frozenset({"uncached_transform", "branch_trace", "called_by_traced_function"})
_FIRST = frozenset({"first_call", "called_by_traced_function", "uncached_transform"})
"""Reasons of what is no second time of anything that JAX keeps."""

_REASONS = 6
"""What changed that the answer tells; the rest is counted."""
_CACHE_WORDS = {"hit": "hit", "miss": "miss", "off": "not set"}
_WRITE_WORDS = {
    "none": "",
    "written": ", written",
    "too_fast": ", not written because it was compiled too fast",
    "not_written": ", not written",
}


@dataclass(frozen=True)
class Cost:
    """Seconds. `nested` is the share of `trace` that `inner` traces inside this one took."""

    trace: float
    nested: float
    inner: int
    lower: float
    compile: float

    @property
    def total(self) -> float:
        """All of it."""
        return self.trace + self.lower + self.compile


@dataclass(frozen=True)
class Card:
    """Why a function was traced, or a program compiled without a trace."""

    subject: str
    """Id of the trace or the compilation."""
    name: str
    """What it is called: `train #2`, `c5`."""
    started: float
    question: str
    answer: str
    compared: str
    """A sentence on what it was compared with; empty where it was compared with nothing."""
    parts: list[Part]
    cost: Cost
    outer: str | None
    """The trace that contains this one, and its time."""
    caches: str
    call_site: Place | None
    advice: str | None


def costliest(cards: Iterable[Card], most: int) -> list[Card]:
    """At most so many cards, the costliest, in order of time: each then stands after what it was compared with."""
    dearest = sorted(cards, key=lambda card: -card.cost.total)[:most]
    return sorted(dearest, key=lambda card: card.started)


class Cards:
    """Makes the cards of one session."""

    def __init__(
        self,
        functions: Iterable[Function],
        traces: Iterable[Trace],
        compilations: Iterable[Compilation],
        advice: Iterable[Advice],
    ) -> None:
        self._functions = {function.id: function for function in functions}
        self._traces = {trace.id: trace for trace in traces}
        self._advice = {(a.function, a.kind, a.path): a.text for a in advice}
        self._inside: defaultdict[str, list[Trace]] = defaultdict(list)
        self._compiled: defaultdict[str, list[Compilation]] = defaultdict(list)
        self._recompiled: list[Compilation] = []
        for trace in self._traces.values():
            if trace.parent is not None:
                self._inside[trace.parent].append(trace)
        for compilation in compilations:
            if compilation.trace is None:
                self._recompiled.append(compilation)
            else:
                self._compiled[compilation.trace].append(compilation)

    def again(self) -> list[Card]:
        """What the user's functions were traced or compiled for again; the compilations without a trace stand last."""
        users = {identifier for identifier, function in self._functions.items() if function.origin == "user"}
        traces = (t for t in self._traces.values() if t.function in users and _is_again(t.reasons))
        compilations = (c for c in self._recompiled if c.function in users and _is_again(c.reasons))
        return [*map(self.of_trace, traces), *map(self.of_compilation, compilations)]

    def of_function(self, name: str) -> list[Card]:
        """Every trace, and every compilation without one, of the functions with this name, qualified name or id."""
        functions = {f.id for f in self._functions.values() if name in (f.id, f.name, f.qualname)}
        traces = (t for t in self._traces.values() if t.function in functions and t.kind != "call")
        compilations = (c for c in self._recompiled if c.function in functions)
        return [*map(self.of_trace, traces), *map(self.of_compilation, compilations)]

    def of_trace(self, trace: Trace) -> Card:
        """Why this trace happened."""
        before = self._traces.get(trace.compared_with or "")
        parts = parts_of(trace.reasons, trace.arguments, None if before is None else before.arguments)
        again = " again" if trace.compared_before or not trace.id.endswith("#1") else ""
        return Card(
            subject=trace.id,
            name=self._name_of(trace),
            started=trace.started,
            question=f"Why was {self._name(trace.function)} traced{again}? ({self._name_of(trace)})",
            answer=_sentence(trace),
            compared=_compared(trace, parts, self._name(trace.function)),
            parts=parts,
            cost=self._cost(trace),
            outer=self._outer(trace),
            caches=self._caches(trace),
            call_site=trace.call_site,
            advice=self._advice_for(trace.function, trace.reasons) if trace.parent is None else None,
        )

    def of_compilation(self, compilation: Compilation) -> Card:
        """Why this program was compiled although nothing was traced."""
        first = any(reason.kind == "first_call" for reason in compilation.reasons)
        name = self._name(compilation.function)
        return Card(
            subject=compilation.id,
            name=compilation.id,
            started=compilation.started,
            question=f"Why was {name} compiled{'' if first else ' again'} without a trace? ({compilation.id})",
            answer=_sentence(compilation),
            compared="",
            parts=parts_of(compilation.reasons, [], None),
            cost=Cost(0.0, 0.0, 0, compilation.lower_seconds, compilation.seconds),
            outer=None,
            caches=" · ".join(["Tracing cache: hit", *_executable_words(compilation)]),
            call_site=compilation.call_site,
            advice=self._advice_for(compilation.function, compilation.reasons),
        )

    def _name_of(self, trace: Trace) -> str:
        return trace_name(self._name(trace.function), trace.id)

    def _name(self, function: str) -> str:
        return self._functions[function].name if function in self._functions else function

    def _advice_for(self, function: str, reasons: list[Reason]) -> str | None:
        reason = reasons[0] if reasons else None
        return reason and self._advice.get((function, reason.kind, reason.path))

    def _cost(self, trace: Trace) -> Cost:
        inner = self._nested(trace)
        compiled = self._compiled[trace.id]
        return Cost(
            trace=trace.seconds,
            nested=sum(one.seconds for one in inner),
            inner=len(inner),
            lower=sum(one.lower_seconds for one in compiled),
            compile=sum(one.seconds for one in compiled),
        )

    def _nested(self, trace: Trace) -> list[Trace]:
        """The outermost traces inside this one; helpers that plain Python called are a part of it."""
        found: list[Trace] = []
        for inner in self._inside[trace.id]:
            found += self._nested(inner) if inner.kind == "call" else [inner]
        return found

    def _outer(self, trace: Trace) -> str | None:
        """The trace around this one; helpers that plain Python called are a part of it."""
        outer = self._traces.get(trace.parent or "")
        while outer is not None and outer.kind == "call":
            outer = self._traces.get(outer.parent or "")
        return outer and self._name_of(outer)

    def _caches(self, trace: Trace) -> str:
        if any(reason.kind in _NO_CACHE for reason in trace.reasons):
            return ""
        words = ["Tracing cache: miss"]
        for compilation in self._compiled[trace.id]:
            words += _executable_words(compilation)
        return " · ".join(words)


def _executable_words(compilation: Compilation) -> list[str]:
    state = _CACHE_WORDS[compilation.persistent_cache] + _WRITE_WORDS[compilation.cache_write]
    return ["executable cache: miss", f"persistent compilation cache: {state}"]


def _is_again(reasons: list[Reason]) -> bool:
    reason = decisive(reasons)
    return reason is not None and reason.kind not in _FIRST


def _sentence(one: Trace | Compilation) -> str:
    reasons = in_order(one.reasons)
    texts = [reason_text(reason) for reason in reasons[:_REASONS]]
    if more := len(reasons) - len(texts):
        texts.append(f"and {count_text(more, 'more part')} changed")
    text = "; ".join(texts) or "reason not known"
    # A name stays as it is written, a user's or JAX's.
    names = ("jax.", *(reason.path for reason in reasons[:1] if reason.path is not None))
    return f"{text if text.startswith(names) else text[0].upper() + text[1:]}."


def _compared(trace: Trace, parts: list[Part], name: str) -> str:
    reason = decisive(trace.reasons)
    if reason is None or reason.kind in _FIRST:
        return ""
    other = trace.compared_with
    if reason.kind == "unknown" and other is None:
        return "No earlier key was recorded to compare with."
    if other is None:
        return "Compared with a trace of an earlier recording." if is_compared(trace.reasons) else ""
    other = trace_name(name, other)
    if not is_compared(trace.reasons):
        return f"Compared with {other}."
    differ = sum(part.verdict in ("cause", "changed") for part in parts)
    return f"Compared with {other}, the nearest earlier trace: it differs in {differ} of {len(parts)} parts."
