"""jax_trace_viz: see what JAX traces, why it traces again, and what it costs, live in JupyterLab or from a script."""

from jax_trace_viz.api import Recording as Recording
from jax_trace_viz.api import start_recording as start_recording
from jax_trace_viz.api import trace as trace
