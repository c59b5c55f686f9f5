"""Programs whose arrays lie on the wrong devices, run by test_sharded.py: eight devices must exist from the start."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import jax_trace_viz

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.contract.document import Finding

MESH = Mesh(np.array(jax.devices()), ("d",))
CUT, WHOLE = NamedSharding(MESH, PartitionSpec("d")), NamedSharding(MESH, PartitionSpec())


def _shard_map(function: Callable[..., Any], **given: Any) -> Callable[..., Any]:
    if hasattr(jax, "shard_map"):
        return jax.shard_map(function, **given)
    from jax.experimental.shard_map import shard_map

    return shard_map(function, **given)


def uneven_pieces() -> None:
    cut = {"mesh": MESH, "in_specs": PartitionSpec("d"), "out_specs": PartitionSpec("d")}
    jax.jit(_shard_map(lambda rows: rows * 2, **cut))(jnp.ones(7))


def more_specs_than_arguments() -> None:
    cut = {"mesh": MESH, "in_specs": (PartitionSpec("d"), PartitionSpec()), "out_specs": PartitionSpec("d")}
    jax.jit(_shard_map(lambda rows: rows * 2, **cut))(jnp.ones(8))


def specs_beside_an_explicit_mesh() -> None:
    mesh = jax.make_mesh((8,), ("d",), axis_types=(jax.sharding.AxisType.Explicit,))
    cut = {"mesh": mesh, "in_specs": PartitionSpec("d"), "out_specs": PartitionSpec("d")}
    x = jax.device_put(jnp.ones(8), NamedSharding(mesh, PartitionSpec()))
    jax.jit(jax.shard_map(lambda rows: rows * 2, **cut))(x)


def two_devices() -> None:
    @jax.jit
    def add(x, y):
        return x + y

    add(jax.device_put(jnp.ones(4), jax.devices()[1]), jax.device_put(jnp.ones(4), jax.devices()[2]))


def another_device_inside() -> None:
    @jax.jit
    def double(x):
        return jax.lax.with_sharding_constraint(x * 2, CUT)

    double(jax.device_put(jnp.ones(8), jax.devices()[1]))


def too_few_elements() -> None:
    jax.jit(lambda x: x * 2, in_shardings=CUT)(jnp.ones(6))


def elsewhere_than_asked_for() -> None:
    jax.jit(lambda x: x * 2, in_shardings=CUT)(jax.device_put(jnp.ones(8), WHOLE))


TOLD = {
    uneven_pieces: (
        "axis 0 of `rows` (float32[7]) has 7 elements, and the mesh 8 devices along `d`",
        "multiple of 8",
    ),
    more_specs_than_arguments: (
        "`in_specs` of `shard_map` has 2 entries, and the call 1 argument",
        "one entry for each",
    ),
    two_devices: ("`x` is on device 1 and `y` is on device 2", "`jax.device_put(y, …)`"),
    another_device_inside: (
        "`x` is on device 1 and a sharding constraint inside it is on devices 0, 1, 2, 3, 4, 5, 6, 7",
        "`jax.device_put(x, …)`",
    ),
    too_few_elements: ("`P('d')` cuts axis 0 of ", "multiple of 8"),
    elsewhere_than_asked_for: ("`P('d')` there, `P()` here", "`jax.device_put`"),
}
"""What is said of each, and what is advised."""
if hasattr(jax, "set_mesh"):  # since 0.7
    TOLD[specs_beside_an_explicit_mesh] = (
        "`in_specs` of `shard_map` is `P('d')`, and on a mesh with explicit axes the array's own type says how it is "
        "cut: `P(None)` (float32[8])",
        "`jax.reshard(…, P('d'))`",
    )


def _finding(program: Callable[[], None]) -> Finding:
    with contextlib.suppress(Exception), jax_trace_viz.trace() as session:
        program()
    document = session.document()
    assert document.outcome.status == "error"
    assert document.faults == []
    (finding,) = document.findings
    return finding


def main() -> None:
    """Checks what is said of each program."""
    for program, (why, fix) in TOLD.items():
        finding = _finding(program)
        assert why in finding.text, (program.__name__, finding.text)
        assert fix in (finding.fix or ""), (program.__name__, finding.fix)
        print(program.__name__)


if __name__ == "__main__":
    main()
