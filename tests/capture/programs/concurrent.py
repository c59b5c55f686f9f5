"""Tracing on several threads, and between the steps of coroutines."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from tests.capture.counting import Ran


def threads_that_trace_at_the_same_time(ran: Ran) -> object:
    """All are inside their own trace when the first goes on."""
    together = threading.Barrier(4, timeout=60)

    @jax.jit
    def inner(x):
        ran("inner")
        return x * 2

    @jax.jit
    def outer(x):
        ran("outer")
        together.wait()
        return inner(x).sum()

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(outer, [jnp.ones(size) for size in range(1, 5)]))


def threads_that_call_the_same_program(ran: Ran) -> object:
    together = threading.Barrier(4, timeout=60)

    @jax.jit
    def step(x):
        ran("step")
        return x + 1

    def work(_):
        together.wait()
        return step(jnp.ones(3))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return list(pool.map(work, range(4)))


def coroutines_that_take_turns(ran: Ran) -> object:
    @jax.jit
    def step(x):
        ran("step")
        return x + 1

    async def work(size):
        total = jnp.zeros(size)
        for _ in range(3):
            total = step(total)
            await asyncio.sleep(0)
        return total

    async def main():
        return await asyncio.gather(*(work(size) for size in (1, 2, 3)))

    return asyncio.run(main())
