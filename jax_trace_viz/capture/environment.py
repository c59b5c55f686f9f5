"""What the program runs on. Asks JAX only for what the program has started itself."""

from __future__ import annotations

import platform

import jax
from jax._src import distributed, xla_bridge
from jaxlib import version as jaxlib_version

from jax_trace_viz.contract.environment import Device, Environment

_MAX_DEVICES = 64


def environment(limited: list[str]) -> Environment:
    """Describes Python, JAX and, once the program has started a backend, its platform and devices.

    Args:
        limited: Names of the seams that are off.
    """
    is_started = getattr(xla_bridge, "backends_are_initialized", None)
    if is_started is None:
        limited = [*limited, "devices"]
    started = is_started is not None and is_started()
    devices = jax.devices()[:_MAX_DEVICES] if started else []
    index, count = _process(started=started)
    return Environment(
        python=platform.python_version(),
        jax=jax.__version__,
        jaxlib=jaxlib_version.__version__,
        platform=jax.default_backend() if started else None,
        devices=[Device(id=d.id, platform=d.platform, kind=d.device_kind) for d in devices],
        process_index=index,
        process_count=count,
        limited=limited,
    )


def _process(*, started: bool) -> tuple[int | None, int | None]:
    """Which of how many processes this is, if the program has joined others; a backend knows it to the end."""
    if started and jax.process_count() > 1:
        return jax.process_index(), jax.process_count()
    group = getattr(distributed, "global_state", None)
    if getattr(group, "client", None) is None:
        return None, None
    return getattr(group, "process_id", None), getattr(group, "num_processes", None)
