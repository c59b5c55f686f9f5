"""Walking recorded jaxprs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jax_trace_viz.contract.jaxpr import Jaxpr


def primitives(jaxprs: Mapping[str, Jaxpr], id: str) -> Iterator[str]:
    """The primitives of a jaxpr in order, each call followed by those inside it.

    Lazy, since nested calls multiply: count before exhausting it.

    Args:
        jaxprs: All recorded jaxprs by id.
        id: The jaxpr to walk.
    """
    for equation in jaxprs[id].equations:
        yield equation.primitive
        for sub in equation.jaxprs:
            yield from primitives(jaxprs, sub.jaxpr)
