"""How a graph is to be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jax_trace_viz.session.graph.layout.model import Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphOptions:
    """What to draw of a trace, and how. By default, as much as makes a readable first picture."""

    open_boxes: Iterable[str] = ()
    """What to draw otherwise than by default: `id` opens a group, `-id` closes it, `id#7` shows copy 7 (from 0 on) of a
    group that stands for several.
    """
    depth: int | None = None
    """Opens all groups down to this depth, 0 for none, in place of the default choice."""
    budget: int = 45
    """How many boxes the default picture may have."""
    engine: str = "auto"
    """The layout engine: `builtin`, `graphviz`, or `auto` for the best that is always there."""
    online: Engine | None = None
    """The engine for a trace that goes on. Groups are then drawn such that more can follow."""
