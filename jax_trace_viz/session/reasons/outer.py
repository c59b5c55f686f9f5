"""What differs in a user's call where a library's callable stands between it and the body.

The body's parameters have the user's names, so what they tell is told in them. JAX's cache looks at the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.reasons.keys import PART_ORDER, Diff, diff_trace_parts
from jax_trace_viz.session.reasons.nearest import fingerprint, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.key import Key


class OuterDifference(NamedTuple):
    """The nearest earlier key by its call, and what differs."""

    place: int
    """Which of the earlier keys."""
    parts: Diff


def outer_difference(key: Key, past: Sequence[Key]) -> OuterDifference | None:
    """What differs in the calls; None where that is not known, or nothing.

    Of a call whose key JAX's cache has, that difference is the cause. Of a wrapper's call only the spelling is known,
    which is the cause where nothing else differs: the wrapper may well have made the same call of it.
    """
    if key.outer is None:
        return None
    known = [(index, old.outer) for index, old in enumerate(past) if old.outer is not None]
    if not key.outer.callable:
        known = [(index, outer) for index, outer in known if fingerprint(past[index]) == fingerprint(key)]
    if not known:
        return None
    found, parts = nearest(key.outer, [outer for _, outer in known])
    index = known[found][0]
    return OuterDifference(index, _in_the_users_names(parts, diff_trace_parts(key, past[index]))) if parts else None


def _in_the_users_names(parts: Diff, of_body: Diff) -> Diff:
    """The differences of two calls, told by what the body sees of them as far as that tells all of a kind."""
    told: Diff = []
    for kind in PART_ORDER:
        in_call = [part for part in parts if part.kind == kind]
        in_body = [part for part in of_body if part.kind == kind]
        told += in_body if in_call and len(in_body) >= len(in_call) else in_call
    return told
