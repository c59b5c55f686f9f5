"""`python -m tests.promises.retracing plain|recorded number` traces a function anew so many times.

As in a long day with a notebook: fifty retraces, of which two are compiled and run, in one recording after the
other, of which none is kept. Prints one line of JSON: by how many megabytes what Python has allocated, and what the
process takes, have grown since the first recordings.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
import tracemalloc

import jax
import jax.numpy as jnp
import numpy as np

import jax_trace_viz

AT_ONCE = 50
"""Retraces in one recording."""
WARM = 4
"""Recordings after which all is loaded and each cache has its size."""


def retraced() -> None:
    """One recording's worth."""
    jax.clear_caches()

    @jax.jit
    def step(weights, x):
        return jnp.tanh(x @ weights["w"] + weights["b"])

    weights = {"w": np.ones((3, 2), np.float32), "b": np.zeros(2, np.float32)}
    for rows in range(1, AT_ONCE + 1):
        x = np.ones((rows, 3), np.float32)
        if rows % 25 == 0:
            step(weights, x)
        else:
            step.trace(weights, x)


def held() -> dict[str, float]:
    """What is held now, in megabytes."""
    jax.clear_caches()
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as statistics:  # noqa: PTH123  (nothing more is to be made)
        pages = int(statistics.read().split()[1])
    return {"python": tracemalloc.get_traced_memory()[0] / 1e6, "process": pages * os.sysconf("SC_PAGE_SIZE") / 1e6}


def main(mode: str, number: str) -> None:
    """See the module's docstring."""
    recording = {"plain": contextlib.nullcontext, "recorded": jax_trace_viz.trace}[mode]
    before = {}
    tracemalloc.start()
    for turn in range(WARM + int(number) // AT_ONCE):
        if turn == WARM:
            before = held()
        with recording():
            retraced()
    after = held()
    print(json.dumps({name: after[name] - before[name] for name in before}))


if __name__ == "__main__":
    main(*sys.argv[1:])
