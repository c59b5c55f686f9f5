"""`python -m tests.promises.interrupting number seed folder [function…]` interrupts recordings at random places.

Each round records a program anew. Every other one sends this process a SIGINT after a random part of the time that a
recording takes, from before it begins until after it ends. As most of that time goes to XLA, the rounds between have
the interrupt come at a random call of a random function of the capture's. After these `number` rounds there is one for
each `function…` that is named. Prints one line of JSON about the aftermath.
"""

from __future__ import annotations

import gc
import json
import os
import pathlib
import random
import signal
import sys
import threading
import time
import traceback
from typing import Any

from tests.promises import probing

PROBES = probing.install("jax_trace_viz.capture")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax._src import core  # noqa: E402

import jax_trace_viz  # noqa: E402
from tests.capture.patches import changed, snapshot  # noqa: E402
from tests.promises import small_program  # noqa: E402

OUTSIDE = "outside"
"""Where an interrupt came that came in no code of JAX's, of ours or of the program's."""


def healthy() -> bool:
    """Whether JAX traces, transforms and computes as ever, and is in the middle of nothing."""

    @jax.jit
    def fresh(x):
        squares = jax.vmap(jax.grad(lambda one: one**3))(x)
        return jax.lax.scan(lambda total, one: (total + one, total), jnp.float32(0), squares)

    total, sums = fresh(jnp.arange(4.0))
    return bool(core.trace_state_clean()) and float(total) == 42.0 and np.array_equal(sums, [0.0, 0.0, 3.0, 15.0])


def recorded(kept: list[jax_trace_viz.Session]) -> None:
    """One recording of the program; its session is left in `kept` however it ends."""
    jax.clear_caches()
    with jax_trace_viz.trace() as session:
        kept.append(session)
        small_program.main()


def interrupted(delay: float | None) -> tuple[KeyboardInterrupt | None, list[jax_trace_viz.Session]]:
    """The interrupt (None where it was swallowed), and the session if there was one yet.

    Args:
        delay: After how many seconds a signal is sent; None where the probes interrupt.
    """
    kept: list[jax_trace_viz.Session] = []
    sender = threading.Timer(delay or 0, os.kill, (os.getpid(), signal.SIGINT))
    try:
        if delay is not None:
            sender.start()
        recorded(kept)
        if delay is not None:
            sender.join()
            time.sleep(0.05)  # so that a signal that comes after the recording comes here
    except KeyboardInterrupt as interrupt:
        return interrupt, kept
    return None, kept


def _place(interrupt: BaseException) -> str:
    """The innermost frame of the program, of JAX or of ours."""
    for frame in reversed(traceback.extract_tb(interrupt.__traceback__)):
        path = pathlib.PurePath(frame.filename)
        for package in ("jax_trace_viz", "jax"):
            if package in path.parts:
                return f"{package}: {path.name}:{frame.lineno}"
        if path.name == "small_program.py":
            return f"program: {frame.lineno}"
    return OUTSIDE


def _shown(interrupt: BaseException) -> list[str]:
    """Frames of ours that the traceback shows where the program has called JAX, and not us."""
    paths = [pathlib.PurePath(frame.filename) for frame in traceback.extract_tb(interrupt.__traceback__)]
    called = next((n for n, path in enumerate(paths) if path.name == "small_program.py"), len(paths))
    return [str(path) for path in paths[called:] if "jax_trace_viz" in path.parts]


def aftermath(delay: float | None, before: Any, folder: pathlib.Path) -> dict[str, Any]:
    """Interrupts one recording and looks at what is left."""
    interrupt, kept = interrupted(delay)
    where, shown = (_place(interrupt), _shown(interrupt)) if interrupt is not None else (None, [])
    del interrupt
    raised = list(PROBES.raised)
    PROBES.begin({})
    gc.collect()
    left = changed(before, snapshot())
    written = []
    for session in kept:
        session.save(folder / "session.json")
        written.append(jax_trace_viz.load(folder / "session.json").document().outcome.status)
    told = {"where": where, "shown": shown, "raised": raised, "written": written}
    return told | {"hooks": left, "healthy": healthy()}


def main(number: str, seed: str, folder: str, *names: str) -> None:
    """See the module's docstring."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has jobs in the background ignore it
    recorded([])  # what JAX and the capture load late is loaded before anything is compared
    PROBES.begin({})
    began = time.perf_counter()
    recorded([])
    length = time.perf_counter() - began
    counts = dict(PROBES.counts)
    PROBES.begin({})
    healthy()
    before = snapshot()
    draw = random.Random(int(seed))
    rounds: list[dict[str, Any]] = []
    for turn, named in enumerate([*[""] * int(number), *names]):
        delay = None if named or turn % 2 else draw.uniform(0, 1.1 * length)
        if delay is None:
            name = named or draw.choice(sorted(counts))
            PROBES.begin({name: (draw.randint(1, counts[name]), KeyboardInterrupt)})
        rounds.append(aftermath(delay, before, pathlib.Path(folder)))
    print(json.dumps({"rounds": rounds}))
    PROBES.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
