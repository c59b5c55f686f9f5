"""Plain Python inside a traced body: rounds of a loop, and calls of helpers, which stage nothing."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

import jax_trace_viz
from bench import measures
from bench.results import Result

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 100_000
CALLS = 20_000


def _looping() -> Callable[[jax.Array], jax.Array]:
    def looping(x: jax.Array) -> jax.Array:
        total = 0.0
        for i in range(ROUNDS):
            total += i
        return x + total

    return looping


def _calling() -> Callable[[jax.Array], jax.Array]:
    def helper(i: int) -> float:
        return i * 2.5

    def calling(x: jax.Array) -> jax.Array:
        total = 0.0
        for i in range(CALLS):
            total += helper(i)
        return x + total

    return calling


def _seconds(make: Callable[[], Callable[[jax.Array], jax.Array]]) -> float:
    jitted, x = jax.jit(make()), jnp.zeros(3)
    with measures.without_collector():
        began = time.process_time()
        jitted.trace(x)
        return time.process_time() - began


def _added(make: Callable[[], Callable[[jax.Array], jax.Array]], times: int, rounds: int) -> float:
    """Microseconds added to each time."""
    plain: list[float] = []
    recorded: list[float] = []
    for _ in range(rounds):
        plain.append(_seconds(make))
        with jax_trace_viz.trace():
            recorded.append(_seconds(make))
    return (min(recorded) - min(plain)) / times * 1e6


def added(rounds: int) -> list[Result]:
    """What one round and one call cost more."""
    return [
        Result("added to each round of a plain Python loop while traced", _added(_looping, ROUNDS, rounds), "µs"),
        Result("added to each call of a plain Python helper while traced", _added(_calling, CALLS, rounds), "µs"),
    ]
