"""jax_trace_viz: see what JAX traces, why it traces again, and what it costs, live in JupyterLab or from a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.api import RecordedSession as RecordedSession
from jax_trace_viz.api import Recording as Recording
from jax_trace_viz.api import load as load
from jax_trace_viz.api import start_recording as start_recording
from jax_trace_viz.api import trace as trace

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

Session = RecordedSession
"""What `trace` gives."""


def load_ipython_extension(shell: InteractiveShell) -> None:
    """`%load_ext jax_trace_viz`: adds `%%jaxtrace` and the link to JupyterLab's panel."""
    from jax_trace_viz.jupyter.extension import load as load_extension

    load_extension(shell, start_recording)


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """`%unload_ext jax_trace_viz`."""
    from jax_trace_viz.jupyter.extension import unload

    unload(shell)


def _jupyter_labextension_paths() -> list[dict[str, str]]:  # pyright: ignore[reportUnusedFunction]
    """Tells JupyterLab's development tools where the built extension is."""
    return [{"src": "labextension", "dest": "jax-trace-viz"}]
