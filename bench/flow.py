"""What goes on while a program runs: retraces in quick succession, and the messages to the front end."""

from __future__ import annotations

import statistics
import threading
import time
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import msgspec

import jax_trace_viz
from bench import measures, programs
from bench.results import Result, ratio
from jax_trace_viz.contract.cell import Cell
from jax_trace_viz.jupyter.feed import Feed
from jax_trace_viz.jupyter.stream import Pump

if TYPE_CHECKING:
    from collections.abc import Callable

RETRACES = 36
A_SECOND = 12


def _retraces() -> float:
    """Processor time of the process for one function traced for many shapes, our threads counted."""

    def step(x: jax.Array) -> jax.Array:
        for _ in range(20):
            x = jnp.tanh(x) * 0.5 + x.sum()
        return x

    jitted = jax.jit(step)
    shapes = [jnp.zeros(size) for size in range(2, RETRACES + 2)]
    with measures.without_collector():
        began = time.process_time()
        for x in shapes:
            jitted.trace(x)
        return time.process_time() - began


def _recorded(work: Callable[[], float]) -> float:
    with jax_trace_viz.trace():
        return work()


def retraces(rounds: int) -> list[Result]:
    """One small function, traced again and again for other shapes."""
    plain: list[float] = []
    recorded: list[float] = []
    for _ in range(rounds):
        plain.append(_retraces())
        recorded.append(_recorded(_retraces))
    added = (min(recorded) - min(plain)) / RETRACES
    return [
        ratio(f"{RETRACES} retraces of a small function / plain, our threads counted", recorded, plain),
        Result("added to each retrace", added * 1e3, "ms"),
        Result(f"of one core, at {A_SECOND} retraces a second", added * A_SECOND * 100, "%"),
    ]


class _Sent:
    """What would have gone to the front end."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self.sizes: list[int] = []
        self.errors: list[Exception] = []
        self._lock = threading.Lock()

    def step(self) -> None:
        """One step of the pump."""
        update = self._feed.changes()
        if update is not None:
            with self._lock:
                self.sizes.append(len(msgspec.json.encode(update)))


def messages() -> list[Result]:
    """The updates while the transformer is traced again and again, and the complete one at the end."""
    function, arguments = programs.transformer()
    began = time.perf_counter()
    with jax_trace_viz.trace() as session:
        feed = Feed(session, Cell())
        sent = _Sent(feed)
        pump = Pump(sent.step, sent.errors.append)
        while time.perf_counter() - began < 3:
            jax.clear_caches()
            jax.jit(function).trace(*arguments)
        pump.stop()
    seconds = time.perf_counter() - began
    assert not sent.errors, sent.errors
    with jax_trace_viz.trace() as once:
        jax.clear_caches()
        jax.jit(function).trace(*arguments)
    took = time.process_time()
    complete = Feed(once, Cell()).next_complete()
    took = time.process_time() - took
    return [
        Result("messages a second while the transformer is traced", len(sent.sizes) / seconds, "/s", 20),
        Result("median message of those", statistics.median(sent.sizes) / 1e3, "kB"),
        Result("largest message of those", max(sent.sizes) / 1e3, "kB", 1000),
        Result("complete update of the transformer", len(msgspec.json.encode(complete)) / 1e3, "kB", 200),
        Result("time to make it", took, "s"),
    ]
