"""A whole cache key in one line, for where no part of it is known to be the cause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Reason
from jax_trace_viz.session.wording import OWN_HASH, cut, type_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.key import Key

_SHOWN = 8
"""Arguments and settings that are told; the others are counted."""

_LIMIT = 400
_SETTINGS = {
    "jax_enable_x64",
    "jax_default_matmul_precision",
    "jax_default_device",
    "mesh of the `with` block",
    "mesh in jax.set_mesh",
    "named axes",
}
"""Settings that are told; JAX has dozens more, and one that changed is told as the reason."""

UNSEEN = "not recorded"


def unknown(now: Key | None, before: Key | None = None, earlier: str | None = None) -> Reason:
    """That the reason is not known, with the keys that were compared.

    Args:
        now: The key of this trace or compilation.
        before: The nearest earlier one.
        earlier: What is said in its place where there is none.
    """
    then = earlier if before is None else key_text(before)
    return Reason(kind="unknown", before=then, after=None if now is None else key_text(now))


def key_text(key: Key) -> str:
    """`x: f32[3], mode='up' (static), 1 positional, mode=`: all that is compared, as far as it fits."""
    if not key.described:
        return UNSEEN
    parts = list(_parts(key))
    more = len(parts) - _SHOWN
    return cut(", ".join(parts[:_SHOWN]) + (f" and {more} more" if more > 0 else "") or "no arguments", _LIMIT)


def _parts(key: Key) -> Iterator[str]:
    if key.program:
        yield key.program
    for wrapper in key.wrappers:
        yield f"under {wrapper}"
    for leaf in key.leaves:
        placed = f" on {leaf.placement}" if leaf.committed and leaf.placement else ""
        yield f"{leaf.path}: {type_text(leaf)}{placed}"
    for static in (one for one in key.statics if not one.path.endswith(OWN_HASH)):
        yield f"{static.path}={static.value if static.value is not None else f'{static.type} object'} (static)"
    if key.keywords:
        yield f"{key.positional} positional and {', '.join(f'{name}=' for name in sorted(key.keywords))}"
    if key.donated:
        yield f"donated {', '.join(sorted(key.donated))}"
    for name, value in key.context.items():
        if name in _SETTINGS and value != "False":
            yield f"{name}={value}"
