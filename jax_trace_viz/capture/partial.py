"""What a staging trace holds before it has a jaxpr."""

from __future__ import annotations

from typing import Any

from jax_trace_viz.capture.jaxprs import Part


def staged(frame: Any) -> list[Any]:
    """The equations of a JaxprStackFrame: `tracing_eqns` since JAX 0.8, `eqns` before."""
    equations = getattr(frame, "tracing_eqns", None)
    return frame.eqns if equations is None else equations


def part(frame: Any) -> Part:
    """Inputs, constants and equations so far. Holds JAX's variables, but no tracer."""
    equations = frame.get_eqns() if hasattr(frame, "get_eqns") else list(frame.eqns)
    constants = getattr(frame, "constvar_to_val", {})
    return Part(list(frame.invars), list(constants), equations, getattr(frame, "debug_info", None))
