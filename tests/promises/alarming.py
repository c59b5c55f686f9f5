"""`python -m tests.promises.alarming number seed` records a program whose timer goes off again and again.

As with a limit of time that is kept by SIGALRM: the handler raises an exception of the program's, at a random place of
the recorded program. Prints one line of JSON: how often the timer went off, how often the program heard it, how often
Python had nobody to tell (in a callback of the garbage collector), the faults and what was turned off.
"""

from __future__ import annotations

import json
import random
import signal
import sys
from typing import Any

import jax
import jax.numpy as jnp

import jax_trace_viz

LONGEST = 0.02
"""Seconds after which the timer has gone off."""
COUNTS = {"gone_off": 0, "heard": 0, "nobody_to_tell": 0}


class Late(Exception):  # noqa: N818  (as a program may call it)
    """Raised by the handler."""


def _ring(_number: int, _frame: Any) -> None:
    COUNTS["gone_off"] += 1
    raise Late


def _count(told: Any) -> None:
    COUNTS["nobody_to_tell"] += told.exc_type is Late


def many(x):
    """Small traces, where much of the time is ours."""
    for _ in range(50):
        x = jax.jit(lambda y: y + 1)(x)
    return x


def alarmed(delay: float) -> None:
    """Traces until the timer has gone off."""
    before = COUNTS["gone_off"]
    try:
        signal.setitimer(signal.ITIMER_REAL, delay)
        while COUNTS["gone_off"] == before:
            jax.jit(lambda x: many(x)).trace(jnp.float32(1))  # noqa: PLW0108  (a new one each time)
    except (Late, ValueError) as error:
        # While JAX compares the keys of its caches, it tells of it in an error of its own.
        COUNTS["heard"] += isinstance(error, Late) or "Late" in str(error)


def main(number: str, seed: str) -> None:
    """See the module's docstring."""
    sys.unraisablehook = _count
    signal.signal(signal.SIGALRM, _ring)
    draw = random.Random(int(seed))
    with jax_trace_viz.trace() as session:
        many(jnp.float32(1))
        jax.jit(lambda x: many(x)).trace(jnp.float32(1))  # noqa: PLW0108
        for _ in range(int(number)):
            alarmed(draw.uniform(0.001, LONGEST))
    document = session.document()
    print(json.dumps(COUNTS | {"faults": document.faults, "limited": document.environment.limited}))


if __name__ == "__main__":
    main(*sys.argv[1:])
