"""Programs over a mesh, run by test_sharded.py in a process of their own: eight devices must exist from the start."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from tests.capture.counting import Ran
from tests.capture.told import Told, recorded


def sharded_map(ran: Ran) -> Told:
    """shard_map under jit, with a collective and a scan in its body, and under grad."""
    mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("x", "y"))
    spec = PartitionSpec("x", "y")

    def cell(total, row):
        ran("cell")
        return total + row.sum(), None

    def block(x):
        ran("block")
        total, _ = jax.lax.scan(cell, x.sum() * 0, x)
        return x * jax.lax.psum(total, "x")

    @jax.jit
    def run(x):
        ran("run")
        return jax.shard_map(block, mesh=mesh, in_specs=spec, out_specs=spec)(x)

    def loss(x):
        ran("loss")
        return run(x).sum()

    x = jax.device_put(jnp.ones((8, 4)), NamedSharding(mesh, spec))
    with recorded() as told:
        run(x)
        run(x)
        jax.jit(jax.grad(loss))(x)
    assert told.parent(told.traces("block")[0]) == "run"
    return told


def sharded_jit(ran: Ran) -> Told:
    """The same program for one device and for eight: the sharding decides about traces and compilations."""
    mesh = Mesh(np.array(jax.devices()), ("x",))

    @jax.jit
    def double(x):
        ran("double")
        return x * 2

    x = jnp.ones(8)
    with recorded() as told:
        double(x)
        double(jax.device_put(x, NamedSharding(mesh, PartitionSpec("x"))))
        with jax.default_matmul_precision("highest"):
            double(x)
    (placed,), (setting,) = (trace.reasons for trace in told.traces("double")[1:])
    assert (placed.kind, placed.path, placed.before) == ("sharding_or_device", "x", "cpu:0")
    assert (placed.after or "").startswith("P('x') on mesh x=8"), "as it was placed, not as its type is written"
    assert (setting.kind, setting.path) == ("config_context", "jax_default_matmul_precision")
    programs = [c for c in told.document.compilations if c.function == told.function("double").id]
    assert [len(c.devices) for c in programs] == [1, 8, 1]
    assert [(c.in_shardings, c.out_shardings) for c in programs[::2]] == [([], [])] * 2
    (inputs,), (outputs,) = programs[1].in_shardings, programs[1].out_shardings
    assert inputs == placed.after
    assert outputs.startswith("P('x'")
    return told


def mesh_of_the_program(ran: Ran) -> Told:
    """A mesh set for the program is a part of the key."""

    @jax.jit
    def double(x):
        ran("double")
        return x * 2

    with recorded() as told:
        double(1.0)
        with jax.set_mesh(jax.sharding.Mesh(jax.devices(), ("i",))):
            double(1.0)
    (reason,) = told.traces("double")[1].reasons
    assert (reason.kind, reason.path, reason.after) == ("config_context", "mesh in jax.set_mesh", "i=8")
    return told


def mapped_over_devices(ran: Ran) -> Told:
    """The mesh that `jax.pmap` and `jax.shard_map` map over is none that the user set: its axes are what is named."""

    @jax.jit
    def double(x):
        ran("double")
        return x * 2

    def row(x):
        ran("row")
        return double(x) + jax.lax.psum(x, "rows")

    with recorded() as told:
        for size in (4, 8):
            jax.pmap(row, axis_name="rows")(np.ones((size, 3), np.float32))
    parts = {(reason.path, reason.before, reason.after) for reason in told.traces("double")[1].reasons}
    assert ("named axes", "rows=4", "rows=8") in parts
    assert not any((path or "").startswith("mesh ") for path, _, _ in parts)
    return told


def main() -> None:
    """Checks each program's runs against the counts of its own bodies."""
    assert len(jax.devices()) == 8
    programs = [sharded_map, sharded_jit, mapped_over_devices]
    if hasattr(jax, "set_mesh"):  # since 0.7
        programs.append(mesh_of_the_program)
    for program in programs:
        ran = Ran()
        told = program(ran)
        assert told.runs() == ran.counts, (program.__name__, told.runs(), ran.counts)
        assert [device.id for device in told.document.environment.devices] == list(range(8))
        print(program.__name__)


if __name__ == "__main__":
    main()
