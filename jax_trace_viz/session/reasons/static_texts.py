"""What is said of static values: before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.session.wording import BY_ITSELF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.key import ClassSeen, StaticValue

BY_IDENTITY = "compared by identity"
"""Said of a static value that differs from an earlier one only in being another object."""

OBJECT = " object"
"""Ends what is said of a static value that has no text of its own: `Config object`."""

_CLASS = "class "


def value_text(static: StaticValue) -> str:
    """A value as one would write it, or what it is an object of."""
    return static.value if static.value is not None else f"{static.type}{OBJECT}"


def value_texts(before: StaticValue, after: StaticValue) -> tuple[str, str]:
    """Two values that JAX tells apart, in texts that differ."""
    old, new = value_text(before), value_text(after)
    if before.type != after.type and old == new:
        return f"{old} ({before.type})", f"{new} ({after.type})"
    if old == new:
        classes = ([each.of_class] if each.of_class else [] for each in (before, after))
        by = BY_IDENTITY if after.identity else BY_ITSELF
        return another_class(*classes) or (old, f"another {new}, {by}")
    return old, new


def another_class(before: Sequence[ClassSeen], after: Sequence[ClassSeen]) -> tuple[str, str] | None:
    """The first class of which there is another one of the same name now, as one that was defined anew."""
    then = {each.name for each in before}
    name = next((each.name for each in after if each not in before and each.name in then), None)
    return None if name is None else (f"{_CLASS}{name}", f"another {_CLASS}{name}")


def is_another_class(text: str | None) -> bool:
    """Whether this says that a class is another one than before."""
    return (text or "").startswith(f"another {_CLASS}")
