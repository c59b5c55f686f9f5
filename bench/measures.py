"""Times and sizes in this process. All are CPU time of the thread or process: the machine may be busy with others."""

from __future__ import annotations

import contextlib
import gc
import time
import tracemalloc
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

import jax_trace_viz
from bench import model

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

CALLS = 5_000


@contextlib.contextmanager
def without_collector() -> Generator[None]:
    """Keeps Python's garbage collector from running in the middle of a measure."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def plain_and_recorded(rounds: int, seconds: Callable[[], float]) -> tuple[list[float], list[float]]:
    """A measure taken without and with a recording, in turns."""
    plain: list[float] = []
    recorded: list[float] = []
    for _ in range(rounds):
        plain.append(seconds())
        with jax_trace_viz.trace():
            recorded.append(seconds())
    return plain, recorded


def traced() -> tuple[float, Any]:
    """Seconds of this thread for one trace of the model, and its jaxpr."""
    params, xs, step = model.parameters(), model.batch(), jax.jit(model.make_step())
    with without_collector():
        began = time.thread_time()
        jaxpr = step.trace(params, xs).jaxpr
        return time.thread_time() - began, jaxpr


def trace_seconds() -> float:
    """Seconds of this thread for one trace of the model."""
    return traced()[0]


def called() -> Callable[[], float]:
    """A measure of seconds per call of one jitted function, on JAX's fast path."""
    step = jax.jit(lambda x: x + 1)
    x = jnp.zeros(3)
    step(x).block_until_ready()

    def seconds() -> float:
        with without_collector():
            began = time.thread_time()
            for _ in range(CALLS):
                step(x)
            return (time.thread_time() - began) / CALLS

    return seconds


def kept_bytes(work: Callable[[], object]) -> int:
    """Bytes that Python still holds for what `work` returned, when JAX has let go of all it can."""
    gc.collect()
    tracemalloc.start()
    try:
        result = work()
        jax.clear_caches()
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
        del result
        return kept
    finally:
        tracemalloc.stop()
