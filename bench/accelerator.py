"""`python -m bench.accelerator`: does recording work on the devices that JAX finds here? Prints a table; takes seconds.

Each check runs a program on the platform that is active, records it, and compares what is told with what JAX itself
says. Eight devices on a CPU: `XLA_FLAGS=--xla_force_host_platform_device_count=8`.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

import jax_trace_viz

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.contract.document import Compilation, Document, Reason

SIZE = 256


class NotHereError(Exception):
    """The platform lacks what a check needs. The message says what."""


def devices() -> str:
    """The document names the devices that JAX has."""
    found = jax.devices()
    with jax_trace_viz.trace() as session:
        jax.jit(lambda x: x + 1)(jnp.ones(3))
    told = session.document().environment
    assert told.platform == jax.default_backend(), told.platform
    assert [(one.id, one.kind) for one in told.devices] == [(one.id, one.device_kind) for one in found]
    assert told.limited == [], told.limited
    return f"{len(found)} × {found[0].device_kind}"


def reasons() -> str:
    """A new shape and a new type are told on the argument that changed."""

    def step(x: jax.Array, scale: jax.Array) -> jax.Array:
        return jnp.tanh(x @ x.T) * scale

    traced = jax.jit(step)
    xs = [jnp.ones((SIZE, 8)), jnp.ones((SIZE, 16)), jnp.ones((SIZE, 16), jnp.bfloat16)]
    scale = jnp.ones(())
    with jax_trace_viz.trace() as session:
        for x in xs:
            traced(x, scale)
    kinds = [reason.kind for reason in _told(session.document(), "step")]
    assert kinds == ["new_shape", "new_dtype"], kinds
    assert {reason.path for reason in _told(session.document(), "step")} == {"x"}
    return "shape, dtype"


def outputs() -> str:
    """Recorded or not, a program gives the same bits and the same program for XLA."""

    def loss(w: jax.Array, x: jax.Array) -> jax.Array:
        def cell(h: jax.Array, row: jax.Array) -> tuple[jax.Array, jax.Array]:
            h = jnp.tanh(w @ h + row)
            return h, h.sum()

        return jnp.sum(jax.lax.scan(cell, x[0], x)[1])

    w, x = jax.random.normal(jax.random.key(0), (64, 64)), jax.random.normal(jax.random.key(1), (32, 64))
    plain = jax.jit(jax.grad(loss))
    before, hlo = plain(w, x), plain.lower(w, x).as_text()
    jax.clear_caches()
    with jax_trace_viz.trace():
        recorded = jax.jit(jax.grad(loss))
        after, recorded_hlo = recorded(w, x), recorded.lower(w, x).as_text()
    assert np.asarray(before).tobytes() == np.asarray(after).tobytes()
    assert hlo == recorded_hlo
    return "gradient of a scan"


def analysis() -> str:
    """What XLA says of a compiled program is told: operations, traffic, memory."""

    def product(a: jax.Array) -> jax.Array:
        return a @ a

    a = jnp.ones((SIZE, SIZE))
    compiled = jax.jit(product).lower(a).compile()
    jax.clear_caches()
    with jax_trace_viz.trace() as session:
        jax.jit(product)(a)
    (told,) = session.document().compilations
    cost, memory = compiled.cost_analysis(), compiled.memory_analysis()
    if not cost or memory is None:
        raise NotHereError("XLA tells no costs here")
    assert told.flops == cost.get("flops"), (told.flops, cost.get("flops"))
    assert memory.argument_size_in_bytes in told.memory.values(), told.memory
    return f"{told.flops or 0:,.0f} operations, {sum(told.memory.values()):,} bytes"


def programs() -> str:
    """The optimised program is read, so that boxes can show which kernel they ended up in."""
    with jax_trace_viz.trace() as session:
        jax.jit(lambda x: jnp.sum(jnp.sin(x) * 2))(jnp.ones((SIZE, SIZE)))
        session.look_at_programs()
    drawn = session.to_svg(overlay="xla")
    assert "kernel" in drawn
    return "boxes coloured by kernel"


def memory() -> str:
    """A recording keeps no array on the device, and copies none to the host."""
    device = jax.devices()[0]
    stats: Callable[[], dict[str, int] | None] = device.memory_stats

    def large(x: jax.Array) -> jax.Array:
        return jnp.sin(x) + x

    with jax.transfer_guard_device_to_host("disallow"), jax_trace_viz.trace() as session:
        held = jnp.ones((SIZE, SIZE, 16))
        used = (stats() or {}).get("bytes_in_use")
        jax.jit(large)(held).block_until_ready()
        session.document()
    if used is None:
        raise NotHereError("no memory statistics here; nothing was copied to the host")
    added = (stats() or {})["bytes_in_use"] - used
    assert added < held.nbytes // 4, f"{added:,} bytes are still held"
    return f"{added:,} bytes held, nothing copied to the host"


def shardings() -> str:
    """Placing an argument on all devices, or on one, is told as the cause of its compilation."""
    found = jax.devices()

    @jax.jit
    def double(x: jax.Array) -> jax.Array:
        return x * 2

    x = jnp.ones((8 * len(found), 4))
    mesh = Mesh(np.array(found), ("batch",))
    placed = jax.device_put(x, NamedSharding(mesh, PartitionSpec("batch")))
    with jax_trace_viz.trace() as session:
        double(x)
        double(placed)
    document = session.document()
    told = [reason.kind for reason in _told(document, "double") + _compiled(document)]
    assert told, "nothing was told"
    assert set(told) <= {"sharding_or_device", "committed"}, told
    assert max(len(one.devices) for one in document.compilations) == len(found)
    return f"over {len(found)}: {', '.join(dict.fromkeys(told))}"


def memories() -> str:
    """An argument in the host's memory is told as such."""
    device = jax.devices()[0]
    kinds = {one.kind for one in device.addressable_memories()} - {device.default_memory().kind}
    kind = next((kind for kind in ("pinned_host", "unpinned_host") if kind in kinds), None)
    if kind is None:
        raise NotHereError("one kind of memory only")

    @jax.jit
    def double(x: jax.Array) -> jax.Array:
        return x * 2

    x = jnp.ones(8)
    away = jax.device_put(x, x.sharding.with_memory_kind(kind))
    with jax_trace_viz.trace() as session:
        double(x)
        try:
            double(away)
        except ValueError as error:
            raise NotHereError(f"no program takes an argument in {kind} here") from error
    document = session.document()
    told = _told(document, "double") + _compiled(document)
    assert any(kind in (reason.after or "") for reason in told), told
    return kind


def _told(document: Document, name: str) -> list[Reason]:
    """Why the function was traced again, the causes of all its retraces in order."""
    (function,) = (one for one in document.functions if one.name == name)
    traces = [one for one in document.traces if one.function == function.id]
    return [reason for trace in traces[1:] for reason in trace.reasons]


def _compiled(document: Document) -> list[Reason]:
    again: list[Compilation] = document.compilations[1:]
    return [reason for compilation in again for reason in compilation.reasons]


CHECKS: list[Callable[[], str]] = [devices, reasons, outputs, analysis, programs, memory, shardings, memories]


def checked(check: Callable[[], str]) -> tuple[str, str]:
    """How one check ended, and what it has to say."""
    try:
        return "passed", check()
    except NotHereError as error:
        return "not here", str(error)
    except Exception as error:  # noqa: BLE001  (the table tells)
        return "FAILED", f"{type(error).__name__}: {error}"[:200]


def main() -> int:
    """Prints the table. One if a check failed."""
    print(f"JAX {jax.__version__}, {jax.default_backend()}, Python {sys.version.split()[0]}")
    failed = False
    for check in CHECKS:
        began = time.perf_counter()
        outcome, said = checked(check)
        failed |= outcome == "FAILED"
        print(f"{check.__name__:<10} {outcome:<9} {time.perf_counter() - began:5.1f} s  {said}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
