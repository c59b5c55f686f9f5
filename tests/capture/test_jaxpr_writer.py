"""A writer of jaxprs tells each once, keeps none alive, and counts what it leaves out."""

from __future__ import annotations

import functools
import gc
import threading
import weakref
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from jax_trace_viz.capture.jaxprs.writer import JaxprWriter, Part
from tests.capture.written import Recording, loops, plain, primitives, walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.contract.events import JaxprSeen

X, W = np.ones((4, 4), np.float32), np.ones((4, 4), np.float32)


def test_same_jaxpr_is_told_once() -> None:
    recording = Recording()
    closed = jax.make_jaxpr(loops)(X, W)
    first = recording.write(closed)
    id, events = recording.writer.write(closed)
    assert (id, events) == (first.id, [])


def test_shared_inner_jaxprs_are_told_once() -> None:
    def nest(depth: int) -> Callable[[Any], Any]:
        function: Callable[[Any], Any] = jnp.sin
        for _ in range(depth):
            function = jax.jit(functools.partial(lambda f, v: f(f(v)), function))
        return function

    recording = Recording()
    jaxpr = jax.make_jaxpr(nest(40))(1.0)
    record = recording.write(jaxpr)
    count = recording.writer.count(jaxpr)
    assert len(recording.jaxprs) <= 45
    assert count.distinct <= 2 * 45
    assert count.expanded > 2**40
    assert record.id == list(recording.jaxprs)[-1]


def test_counts_stay_below_what_javascript_can_hold() -> None:
    function: Callable[[Any], Any] = jnp.sin
    for _ in range(60):
        function = jax.jit(functools.partial(lambda f, v: f(f(v)), function))
    assert JaxprWriter().count(jax.make_jaxpr(function)(1.0)).expanded == 2**53 - 1


def test_nothing_is_kept_alive() -> None:
    recording = Recording()

    def record() -> list[weakref.ref[Any]]:
        table = jnp.ones((64, 64))
        jaxpr = jax.make_jaxpr(jax.jit(lambda v: v @ table))(table)
        recording.write(jaxpr)
        recording.writer.count(jaxpr)
        return [weakref.ref(plain(jaxpr)), weakref.ref(table)]

    held = record()
    jax.clear_caches()
    gc.collect()
    assert [reference() for reference in held] == [None, None]


def test_a_new_jaxpr_at_an_old_address_is_not_mistaken() -> None:
    recording = Recording()
    for size in range(1, 60):
        record = recording.write(jax.make_jaxpr(lambda x: x * 2)(np.ones(size, np.float32)))
        assert record.types[record.inputs[0]] == f"f32[{size}]"


def test_equations_beyond_the_cap_are_counted() -> None:
    recording = Recording(max_equations=5)

    def f(x: jax.Array) -> jax.Array:
        for _ in range(9):
            x = jnp.sin(x)
        return x

    record = recording.write(jax.make_jaxpr(f)(X))
    assert (len(record.equations), record.dropped_equations) == (5, 4)
    assert isinstance(record.outputs[0], int)
    assert recording.write(jax.make_jaxpr(f)(X[0])).dropped_equations == 9


def test_another_thread_may_write() -> None:
    recording, jaxpr = Recording(), jax.make_jaxpr(loops)(X, W)
    results: list[tuple[str, list[JaxprSeen]]] = []
    threads = [threading.Thread(target=lambda: results.append(recording.writer.write(jaxpr))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id for id, _ in results}) == 1
    recording.add([event for _, events in results for event in events])
    assert list(primitives(recording.jaxprs, results[0][0])) == list(walk(jaxpr))


def test_part_of_a_jaxpr_can_be_written() -> None:
    jaxpr = plain(jax.make_jaxpr(loops)(X, W))
    recording = Recording()
    part = Part(jaxpr.invars, jaxpr.constvars, jaxpr.eqns[:3], jaxpr.debug_info)
    id, events = recording.writer.write_part(part)
    recording.add(events)
    record = recording.jaxprs[id]
    assert [e.primitive for e in record.equations] == [e.primitive.name for e in jaxpr.eqns[:3]]
    assert (record.outputs, record.input_names) == ([], ["x", "w"])


def test_a_growing_part_keeps_its_id_and_the_whole_takes_its_place() -> None:
    closed = jax.make_jaxpr(loops)(X, W)
    jaxpr = plain(closed)
    recording = Recording()
    first, _ = recording.writer.write_part(Part(jaxpr.invars, jaxpr.constvars, jaxpr.eqns[:1], None))
    more = Part(jaxpr.invars, jaxpr.constvars, jaxpr.eqns[:3], None)
    second, events = recording.writer.write_part(more, replaces=first)
    whole, last = recording.writer.write(closed, replaces=second)
    assert first == second == whole
    assert (len(events[-1].jaxpr.equations), len(last[-1].jaxpr.equations)) == (3, len(jaxpr.eqns))
