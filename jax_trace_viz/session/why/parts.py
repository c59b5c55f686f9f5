"""The parts of two cache keys side by side. The front end makes the same table (`src/model/why/parts.ts`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from jax_trace_viz.session.reasons.keys import PART_ORDER
from jax_trace_viz.session.reasons.spelling import instead_of_default, looked_for
from jax_trace_viz.session.reasons.why_traced import ENTRIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jax_trace_viz.contract.document import Argument, Reason

ABSENT = "–"

_NAMES = {
    "cache_cleared": "JAX's caches",
    "config_context": "{path} (setting of JAX)",
    "donation": "donated arguments",
    "function_redefined": "definition",
    "kwargs_signature": "way of passing {path}",
    "new_dtype": "{path} dtype",
    "new_function_object": "function object",
    "new_pytree_structure": "{path} structure",
    "new_shape": "{path} shape",
    "new_static_value": "{path} (static)",
    "new_transform_context": "transformation around it",
    "sharding_or_device": "{path} sharding or device",
    "unknown": "cache key",
    "weak_type": "{path} weak type",
}

_COMPARED = frozenset({*PART_ORDER, "new_function_object"})
"""Decisive kinds that come from comparing two keys in all their parts."""


@dataclass(frozen=True)
class Part:
    """One part of a key. `before` and `now` are texts; `–` where the part was not there."""

    name: str
    before: str
    now: str
    verdict: Literal["cause", "changed", "same", "differs", "unknown"]
    """`cause` is the decisive one, `changed` another part on which JAX's cache tells the two apart. `differs` are texts
    that are not the same although the cache looks at them otherwise. `unknown`: all keys that we have, and no cause.
    """


def parts_of(reasons: Sequence[Reason], now: Sequence[Argument], before: Sequence[Argument] | None) -> list[Part]:
    """What changed, the cause first, then what is the same.

    Args:
        reasons: Why it was traced or compiled.
        now: The arguments this time.
        before: Those of the trace that it was compared with; None where there is no such trace. Empty ones were left
            out to keep a notebook small, or there are none: either way there is nothing to set side by side.
    """
    changed = sorted(_changed(reasons), key=lambda part: part.verdict != "cause")
    if before is None:
        return [*changed, *_this_key(reasons, now)]
    arguments = _arguments(reasons, now, before) if now and before else ()
    return [*changed, *arguments, *_rest(reasons)]


def decisive(reasons: Sequence[Reason]) -> Reason | None:
    """The reason that is told first, apart from who asked for the trace."""
    told = (reason for reason in reasons if reason.kind not in ENTRIES and reason.kind != "branch_trace")
    first = next(told, None)
    return first and looked_for(first, reasons)


def in_order(reasons: Sequence[Reason]) -> Sequence[Reason]:
    """The reasons as they are told, one after the other."""
    first = decisive(reasons)
    if first is None or not instead_of_default(first):
        return reasons
    return [first, *(reason for reason in reasons if reason is not first)]


def is_compared(reasons: Sequence[Reason]) -> bool:
    """Whether two keys were compared in all their parts."""
    reason = decisive(reasons)
    return reason is not None and reason.kind in _COMPARED


def _changed(reasons: Sequence[Reason]) -> Iterator[Part]:
    cause = decisive(reasons)
    for reason in reasons:
        cleared = reason.kind == "cache_cleared"
        before, now = ("held it", "cleared") if cleared else (reason.before, reason.after)
        if reason.kind in _NAMES and (before is not None or now is not None):
            verdict = "unknown" if reason.kind == "unknown" else "cause" if reason is cause else "changed"
            yield Part(_name(reason), ABSENT if before is None else before, ABSENT if now is None else now, verdict)


def _name(reason: Reason) -> str:
    if reason.path is None and reason.kind == "kwargs_signature":
        return "way of passing the arguments"
    if reason.path is None and reason.kind == "sharding_or_device":
        return "sharding or device"
    return _NAMES[reason.kind].format(path=reason.path or "an argument")


def _arguments(reasons: Sequence[Reason], now: Sequence[Argument], before: Sequence[Argument]) -> Iterator[Part]:
    """The arguments that no reason is about."""
    told = [reason.path for reason in reasons if reason.path is not None]
    then = {argument.path: argument for argument in before}
    after = {argument.path: argument for argument in now}
    for path in {**after, **then}:
        if not any(_touch(path, other) for other in told):
            old, new = _text(then.get(path)), _text(after.get(path))
            yield Part(path, old, new, "same" if old == new else "differs")


def _this_key(reasons: Sequence[Reason], now: Sequence[Argument]) -> Iterator[Part]:
    """Where the cause is not known and no earlier key was recorded, at least the key of this call."""
    cause = decisive(reasons)
    if cause is not None and cause.kind == "unknown":
        yield from (Part(argument.path, "not recorded", _text(argument), "unknown") for argument in now)


def _touch(a: str, b: str) -> bool:
    """Whether two key paths are the same, or one lies inside the other."""
    shorter, longer = sorted((a, b), key=len)
    return longer.startswith(shorter) and (len(longer) == len(shorter) or longer[len(shorter)] in ".[")


def _text(argument: Argument | None) -> str:
    if argument is None:
        return ABSENT
    if argument.role != "static":
        return argument.type
    return f"static {argument.value if argument.value is not None else argument.type}"


def _rest(reasons: Sequence[Reason]) -> Iterator[Part]:
    """Parts that were compared and have no texts of their own."""
    kinds = {reason.kind for reason in reasons}
    if not is_compared(reasons):
        return
    if "kwargs_signature" not in kinds:
        yield Part("way of passing the arguments", "", "", "same")
    if "config_context" not in kinds:
        yield Part("settings of JAX", "", "", "same")
