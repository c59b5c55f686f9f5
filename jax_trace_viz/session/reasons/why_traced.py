"""Why a body was run: the reasons of a trace, the decisive one first.

JAX itself is not asked: it explains no changed static value and compares with the wrong neighbour. The key of the run
is compared with the nearest earlier key of the same function. What is not known is `unknown`, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Reason
from jax_trace_viz.session.reasons.key_text import UNSEEN, unknown
from jax_trace_viz.session.reasons.nearest import fingerprint, nearest
from jax_trace_viz.session.reasons.outer import outer_difference
from jax_trace_viz.session.reasons.own_equality import only_by_hash, told_apart
from jax_trace_viz.session.source.definitions import redefined_by
from jax_trace_viz.session.wording import count_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.events import FunctionSeen, RunBegan
    from jax_trace_viz.contract.key import Key
    from jax_trace_viz.session.reasons.history import History, PastTrace
    from jax_trace_viz.session.reasons.keys import Diff

ENTRIES = frozenset({"make_jaxpr", "eval_shape", "aot_lower"})
"""Calls that ask for a trace and run nothing."""

BRANCHES = frozenset({"cond", "switch"})
"""Kinds whose bodies are branches: all are traced, one runs."""

UNCACHED = frozenset(
    {
        "associative_scan",
        "custom_jvp",
        "custom_vjp",
        "grad",
        "hessian",
        "jacfwd",
        "jacrev",
        "jvp",
        "linearize",
        "map",
        "shard_map",
        "value_and_grad",
        "vjp",
        "vmap",
    }
)
"""What runs the body at every call: nothing keeps what was traced (`jax.lax.map` wraps the body anew each time)."""


RULES = frozenset({"custom_jvp_rule", "custom_vjp_bwd", "custom_vjp_fwd", "custom_vmap_rule"})
"""Rules that JAX runs each time it transforms the function they belong to."""

KEPT_BY_OBJECT = BRANCHES | {"checkpoint", "fori_loop", "remat", "scan", "while", "while_loop"}
"""Callers that keep the body's jaxpr by function object and types of the arguments."""

FEW_CALLS = 2
"""An object that is gone after no more calls than these was hardly worth its trace."""

OBJECT_UNKNOWN = 0
"""The callable's number where the capture did not get to see the object."""


@dataclass(frozen=True)
class Explanation:
    """The reasons of a trace, and the earlier trace that it was compared with."""

    reasons: list[Reason]
    compared_with: PastTrace | None = None
    discarded: int = 0
    """See `Trace.discarded`."""


_HELPER = Explanation([Reason(kind="called_by_traced_function")])
"""Of all helpers."""


class Explainer:
    """Explains the runs of one session by what came before them, in this session and in those it follows."""

    def __init__(self, history: History, recording: str) -> None:
        self._history = history
        self._recording = recording

    def explain(self, began: RunBegan, definition: FunctionSeen) -> Explanation:
        """Why this body runs."""
        if began.kind == "call":
            return _HELPER
        asked = [Reason(kind=began.entry)] if began.entry in ENTRIES else []
        asked += [Reason(kind="branch_trace")] if began.kind in BRANCHES else []
        cause = self._redefinition(began, definition) or self._cause(began)
        if asked and [reason.kind for reason in cause.reasons] == ["first_call"]:
            return Explanation(asked)
        return replace(cause, reasons=asked + cause.reasons)

    def _redefinition(self, began: RunBegan, definition: FunctionSeen) -> Explanation | None:
        own = self._history.of(began.function)
        if own.traces and all(_is_other_version(began, trace) for trace in own.traces):
            old = own  # the same text, compiled again: a cell run again, a module reloaded
        elif not own.traces:
            namesakes = self._history.named(definition.qualname)
            old = next((o for o in namesakes if o.traces and redefined_by(o.definition, definition)), None)
        else:
            return None
        if old is None or old.definition is None:
            return None
        before, after = (f"{seen.file}:{seen.line}" for seen in (old.definition, definition))
        moved = (before, after) if before != after else (None, None)
        reason = Reason(kind="function_redefined", before=moved[0], after=moved[1])
        return Explanation([reason], old.traces[-1])

    def _cause(self, began: RunBegan) -> Explanation:
        past = self._history.of(began.function).traces
        if not past:
            return Explanation([self._first(began)])
        past = [trace for trace in past if trace.key.described]
        if not past or not began.key.described:
            return Explanation([unknown(began.key, earlier=UNSEEN)])
        context = context_of(began)
        in_context = [trace for trace in past if trace.context == context]
        if not in_context:
            reason = Reason(
                kind="new_transform_context", before=context_text(past[-1].context), after=context_text(context)
            )
            return Explanation([reason], past[-1])
        if began.kind in UNCACHED and began.entry not in ENTRIES:
            return Explanation([Reason(kind="uncached_transform", after=began.kind)], in_context[-1])
        same = [trace for trace in in_context if same_callable(began.key, trace.key)]
        return _same_object(began, same) if same else self._new_object(began, in_context)

    def _first(self, began: RunBegan) -> Reason:
        if began.held_before:
            return unknown(began.key, earlier="traced before this recording")
        failed = self._history.of(began.function).failed
        return Reason(kind="first_call", before=failed and f"the trace before ended with {failed}")

    def _new_object(self, began: RunBegan, past: Sequence[PastTrace]) -> Explanation:
        """Another object of the same code: one too many only if earlier ones were hardly used and are gone."""
        compared, parts = _nearest(began.key, past)
        if compared.key.callable == began.key.callable:  # what a library's own callable runs is another object
            return Explanation(
                [Reason(kind="new_function_object", before="one", after="another one"), *parts], compared
            )
        calls = self._history.calls_before_end(compared.key.callable)
        if calls is None and self._history.calls_before_end(compared.key.user_callable) is not None:
            calls = 0  # a library keeps its own callable; how often it ran the user's is not known
        earlier = {trace.key.callable for trace in past if trace.recording == self._recording}
        used = (self._history.calls_before_end(callable) for callable in earlier)
        discarded = sum(calls is not None and calls <= FEW_CALLS for calls in used)
        after = f"another {began.key.made_by or 'one'}"
        reason = Reason(kind="new_function_object", before=_object_text(calls), after=after)
        return Explanation([reason, *([] if only_by_hash(parts) else parts)], compared, discarded)


def context_of(began: RunBegan) -> tuple[str, ...]:
    """What the body is traced for. JAX keeps traces for `jit` apart from those for `scan` or a transformation."""
    wrappers = began.key.wrappers
    if began.kind == "jit" or began.entry in ENTRIES:
        return "jit", *wrappers
    named = any(wrapper.partition(" (")[0] == began.kind for wrapper in wrappers)
    return wrappers if named else (began.kind, *wrappers)


def _is_other_version(began: RunBegan, past: PastTrace) -> bool:
    """Whether the definition ran again since; autoreload puts other code into the same object, whose traces stay."""
    kept = began.key.callable == past.key.callable != OBJECT_UNKNOWN
    return began.version != past.version and not kept


def same_callable(new: Key, old: Key) -> bool:
    """Whether JAX sees one function object in both calls; one that is not known is no other."""
    pairs = ((new.callable, old.callable), (new.user_callable, old.user_callable))
    return all(now == then or OBJECT_UNKNOWN in (now, then) for now, then in pairs)


def _nearest(key: Key, past: Sequence[PastTrace]) -> tuple[PastTrace, Diff]:
    own = fingerprint(key)
    equal = [trace for trace in past if trace.fingerprint == own]
    # Where none is equal, none is nearer than one that differs in one part.
    index, parts = nearest(key, [trace.key for trace in equal or past], enough=0 if equal else 1)
    return (equal or past)[index], parts


def _same_object(began: RunBegan, past: Sequence[PastTrace]) -> Explanation:
    """What JAX's cache holds of the same object was made for other calls, or is gone."""
    compared, parts = _nearest(began.key, past)
    outer = outer_difference(began.key, [trace.key for trace in past])
    if outer is not None and not compared.cleared:
        return Explanation(outer.parts, past[outer.place])
    if parts and not only_by_hash(parts):
        return Explanation(parts, compared)
    reason = _without_difference(began, compared)
    apart = told_apart(parts, compared.key, [trace.key for trace in past]) if reason.kind == "unknown" else []
    return Explanation(apart or [reason], compared)


def _object_text(calls: int | None) -> str:
    # What `scan` and its like were given was not called by anybody but JAX.
    gone = f"one, gone after {count_text(calls, 'call')}" if calls else "one, gone by now"
    return "one, still there" if calls is None else gone


def _without_difference(began: RunBegan, compared: PastTrace) -> Reason:
    if compared.cleared:
        return Reason(kind="cache_cleared")
    if began.kind in RULES:
        return Reason(kind="uncached_transform", after=began.kind)
    # Types and context are the same and nothing was cleared: of what such a cache is kept by, the object is left.
    if began.kind in KEPT_BY_OBJECT and began.key.callable == OBJECT_UNKNOWN:
        return Reason(kind="new_function_object", before="one", after="another one")
    return unknown(began.key, compared.key)


def context_text(context: tuple[str, ...]) -> str:
    """`jit`, `grad`, `vmap of grad`, `grad under jit`."""
    jit = context[0] == "jit"
    # A rule says whose body ran, not what is around it.
    around = [word for word in context[jit:] if word not in RULES] or context[jit:]
    transformed = " of ".join(around)
    return f"{transformed} under jit" if jit and transformed else transformed or "jit"
