"""The layout engines by name. The built-in one is always there and takes over where another one cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.layout.builtin import builtin
from jax_trace_viz.session.graph.layout.graphviz import GraphvizError, graphviz_engine

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.layout.model import Diagram, Engine, Placement

ENGINES: dict[str, Engine] = {"auto": builtin, "builtin": builtin, "graphviz": graphviz_engine}

_said: set[str] = set()
"""What was said to the reader already: once is enough."""


def lay_out(diagram: Diagram, engine: str) -> tuple[Placement, str]:
    """Lays a diagram out.

    Args:
        diagram: The diagram.
        engine: A name of `ENGINES`.

    Returns:
        The placement, and a note if another engine had to take over and this was not said before.

    Raises:
        ValueError: There is no such engine.
    """
    if engine not in ENGINES:
        raise ValueError(f"Unknown layout engine {engine!r}: there are {', '.join(ENGINES)}.")
    try:
        return ENGINES[engine](diagram), ""
    except GraphvizError as error:
        note = f"{error}: laid out by the built-in engine."
        said = note in _said
        _said.add(note)
        return builtin(diagram), "" if said else note
