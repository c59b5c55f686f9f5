"""Computation graphs: from recorded jaxprs to a laid out picture. Pure functions over contract records; no JAX.

What draws is imported when it is first asked for: most recordings begin long before anything is drawn.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.build import build_graph
    from jax_trace_viz.session.graph.opening import TooManyBoxesError
    from jax_trace_viz.session.graph.options import GraphOptions
    from jax_trace_viz.session.graph.wishes import EVERYTHING

__all__ = ["EVERYTHING", "GraphOptions", "TooManyBoxesError", "build_graph"]

_MODULES = {
    "build_graph": "build",
    "TooManyBoxesError": "opening",
    "GraphOptions": "options",
    "EVERYTHING": "wishes",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{module}"), name)
