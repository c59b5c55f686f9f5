"""Static values that are told apart by their own `__eq__` or `__hash__` alone: all that is known of them is equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Reason
from jax_trace_viz.session.reasons.keys import argument_of
from jax_trace_viz.session.wording import CHANGED_SINCE, OWN_HASH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jax_trace_viz.contract.key import Key
    from jax_trace_viz.session.reasons.keys import Diff


def only_by_hash(parts: Diff) -> bool:
    """Whether nothing differs but objects whose equality they themselves decide."""
    return bool(parts) and all((part.path or "").endswith(OWN_HASH) for part in parts)


def told_apart(parts: Diff, compared: Key, past: Iterable[Key]) -> Diff:
    """The same parts; an object that was changed after it was traced is told as that.

    JAX's cache holds the object itself. Once it is changed, nothing that equals what it was is found there again.

    Args:
        parts: What differs.
        compared: The earlier key that is nearest.
        past: All earlier keys.
    """
    keys = list(past)
    return [_changed(part, compared, keys) or part for part in parts]


def _changed(part: Reason, compared: Key, past: list[Key]) -> Reason | None:
    owner = (part.path or "").removesuffix(OWN_HASH)
    traced = _contents(owner, compared)
    later = [_contents(owner, key) for key in past]
    if not any(one and one[part.path] == traced[part.path] and one != traced for one in later):
        return None
    name = next((static.type for static in compared.statics if static.path == owner), "object")
    return Reason(
        kind="new_static_value", path=owner, before=f"{name} object, {CHANGED_SINCE}", after=f"{name} object, as it was"
    )


def _contents(owner: str, key: Key) -> dict[str | None, str]:
    """Tokens of an object's parts and of its hash, which stands for the object itself; empty if it has none here."""
    if not any(static.path == owner + OWN_HASH for static in key.statics):
        return {}
    return {static.path: static.token for static in key.statics if argument_of(static.path) == argument_of(owner)}
