"""What an XLA executable says about itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jax.sharding import Sharding

from jax_trace_viz.capture.values.shardings import placement_text

_MAX_SHARDINGS = 100
_MEMORY = {
    "argument_size_in_bytes": "arguments",
    "output_size_in_bytes": "outputs",
    "temp_size_in_bytes": "temporaries",
    "alias_size_in_bytes": "aliased",
    "generated_code_size_in_bytes": "code",
}


@dataclass(frozen=True, slots=True)
class Analysis:
    """Figures per device, as XLA estimates them after partitioning; they differ between versions of XLA."""

    flops: float | None = None
    bytes_accessed: float | None = None
    memory: dict[str, int] = field(default_factory=dict[str, int])
    devices: list[str] = field(default_factory=list[str])
    in_shardings: list[str] = field(default_factory=list[str])
    out_shardings: list[str] = field(default_factory=list[str])


def analysis(executable: Any) -> Analysis:
    """Reads an executable's cost and memory analysis; what this platform does not offer stays empty."""
    if executable is None:
        return Analysis()
    cost = _ask(executable, "cost_analysis")
    cost = cost[0] if isinstance(cost, list) and cost else cost
    costs: dict[str, Any] = cost if isinstance(cost, dict) else {}
    memory = _ask(executable, "memory_analysis")
    devices = _devices(executable)
    return Analysis(
        flops=costs.get("flops"),
        bytes_accessed=costs.get("bytes accessed"),
        memory={ours: int(getattr(memory, theirs)) for theirs, ours in _MEMORY.items() if hasattr(memory, theirs)},
        devices=devices,
        in_shardings=_shardings(executable, "_in_shardings") if len(devices) > 1 else [],
        out_shardings=_shardings(executable, "_out_shardings") if len(devices) > 1 else [],
    )


def _ask(executable: Any, method: str) -> Any:
    try:
        return getattr(executable, method)()
    except (AttributeError, NotImplementedError, RuntimeError):  # not on this platform, or not in this version
        return None


def _shardings(executable: Any, name: str) -> list[str]:
    values: Any = getattr(executable, name, None)
    found = list(values)[:_MAX_SHARDINGS] if isinstance(values, (list, tuple)) else []
    return [placement_text(value) if isinstance(value, Sharding) else "unspecified" for value in found]


def _devices(executable: Any) -> list[str]:
    loaded = getattr(executable, "xla_executable", None)
    local: Any = getattr(loaded, "local_devices", None)
    return [str(device) for device in local()] if local is not None else []
