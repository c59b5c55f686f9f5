"""What the events of a recording add up to: plain data and pure functions, no JAX, no Jupyter."""

from jax_trace_viz.session.reasons.history import History
from jax_trace_viz.session.session import Session

__all__ = ["History", "Session"]
