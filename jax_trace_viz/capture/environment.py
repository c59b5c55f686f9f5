"""What the program runs on. Asks JAX only for what the program has started itself."""

from __future__ import annotations

import platform

import jax
from jax._src import xla_bridge
from jaxlib import version as jaxlib_version

from jax_trace_viz.contract.document import Device, Environment

_MAX_DEVICES = 64


def environment(limited: list[str]) -> Environment:
    """Describes Python, JAX and, once the program has started a backend, its platform and devices.

    Args:
        limited: Names of the seams that are off.
    """
    started = xla_bridge.backends_are_initialized()
    devices = jax.devices()[:_MAX_DEVICES] if started else []
    return Environment(
        python=platform.python_version(),
        jax=jax.__version__,
        jaxlib=jaxlib_version.__version__,
        platform=jax.default_backend() if started else None,
        devices=[Device(id=d.id, platform=d.platform, kind=d.device_kind) for d in devices],
        limited=limited,
    )
