"""Shardings and devices as short text."""

from __future__ import annotations

from typing import Any

from jax.sharding import Mesh

PMAP_AXIS = "_internal_pmap_axis_name"
"""JAX's own name of the axis that `jax.pmap` maps where the user gives it none; no mesh of the user's has it."""


def placement_text(sharding: Any) -> str:
    """Where an array lies: `cpu:0`, `P('x', None) on mesh x=4, y=2`, or the kind of sharding and its devices.

    Args:
        sharding: The `.sharding` of a real array.
    """
    memory = getattr(sharding, "memory_kind", None)
    suffix = f" in {memory}" if memory not in (None, "device", "unpinned_host") else ""
    if getattr(sharding, "mesh", None) is not None:
        return aval_sharding_text(sharding) + suffix
    devices = sorted(f"{device.platform}:{device.id}" for device in sharding.device_set)
    return (devices[0] if len(devices) == 1 else f"{type(sharding).__name__} on {', '.join(devices)}") + suffix


def aval_sharding_text(sharding: Any) -> str:
    """The sharding that is part of an abstract value; empty where no mesh is in use."""
    mesh = getattr(sharding, "mesh", None)
    shape = dict(getattr(mesh, "shape", None) or {})
    if not shape or PMAP_AXIS in shape:
        return ""
    axes = ", ".join(f"{name}={size}" for name, size in shape.items())
    spec = ", ".join(repr(part) if isinstance(part, str) else str(part) for part in sharding.spec)
    return f"P({spec}) on mesh {axes}{_devices(mesh)}"


def _devices(mesh: Any) -> str:
    """Which devices a mesh has, unless it is the abstract mesh that types are made of."""
    if not isinstance(mesh, Mesh):
        return ""
    return f" of devices {','.join(map(str, mesh.device_ids.flat))}"
