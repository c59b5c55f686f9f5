"""Runs each test program plainly and recorded, once, and keeps what both did."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import gc
import pathlib
import tempfile

import jax
import jax.numpy as jnp
import numpy as np
from tests.capture.counting import Ran
from tests.capture.programs import PROGRAMS
from tests.capture.told import Told, recorded

_events: list[str] = []
jax.monitoring.register_event_duration_secs_listener(lambda event, _seconds, **_about: _events.append(event))


@dataclasses.dataclass(frozen=True)
class Behaviour:
    """What one execution of a program did, as seen by JAX and by the program itself."""

    result: list[object]
    counts: dict[str, int]
    events: dict[str, int]
    """JAX's own events: trace, lower, compile and cache, each with its number."""
    compiled: list[str]
    """The text of each program that JAX gave to XLA, with the jaxpr where JAX writes it too."""
    tracers_alive: int


@dataclasses.dataclass(frozen=True)
class Observation:
    """A program without and with a recording."""

    plain: Behaviour
    recorded: Behaviour
    told: Told


@functools.cache
def observe(name: str) -> Observation:
    """The first, unobserved execution fills JAX's caches of its own library functions."""
    PROGRAMS[name](Ran())
    behaviours: list[Behaviour] = []
    for recording in (contextlib.nullcontext(), recorded()):
        with recording as told:
            behaviours.append(_execute(name))  # from one line, for it is part of what is compiled
    assert told is not None
    return Observation(*behaviours, told)


def _execute(name: str) -> Behaviour:
    ran = Ran()
    _events.clear()
    with tempfile.TemporaryDirectory() as folder:
        jax.config.update("jax_dump_ir_to", folder)
        try:
            result = [np.asarray(x) if isinstance(x, jax.Array) else x for x in jax.tree.leaves(PROGRAMS[name](ran))]
        finally:
            jax.config.update("jax_dump_ir_to", None)
        compiled = sorted(path.read_text(encoding="utf-8") for path in pathlib.Path(folder).iterdir())
    gc.collect()
    alive = sum(issubclass(type(thing), jax.core.Tracer) for thing in gc.get_objects())
    return Behaviour(result, ran.counts, dict(collections.Counter(_events)), compiled, alive)
