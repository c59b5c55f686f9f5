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
import numpy as np

from tests.capture.counting import Ran
from tests.capture.programs import PROGRAMS
from tests.capture.told import Told, recorded

_events: list[str] = []


def _count_event(event: str, _seconds: float, **_about: object) -> None:
    """Also stands for a listener of the user: JAX calls it in the middle of traces, and it is none."""
    _events.append(event)


jax.monitoring.register_event_duration_secs_listener(_count_event)


@dataclasses.dataclass(frozen=True)
class Behaviour:
    """What one execution of a program did, as seen by JAX and by the program itself."""

    result: list[object]
    counts: dict[str, int]
    events: dict[str, int]
    """JAX's own events: trace, lower, compile and cache, each with its number."""
    compiled: list[str]
    """The text of each program that JAX gave to XLA, with the jaxpr where JAX writes it too."""
    tracers_left: int
    """How many more tracers are alive than before."""


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
    plain, watched = behaviours
    return Observation(plain, watched, told)


def _execute(name: str) -> Behaviour:
    ran = Ran()
    before = _tracers_alive()
    _events.clear()
    with tempfile.TemporaryDirectory() as folder:
        jax.config.update("jax_dump_ir_to", folder)
        try:
            result = [np.asarray(x) if isinstance(x, jax.Array) else x for x in jax.tree.leaves(PROGRAMS[name](ran))]
        finally:
            jax.config.update("jax_dump_ir_to", None)
        compiled = sorted(path.read_text(encoding="utf-8") for path in pathlib.Path(folder).iterdir())
    left = _tracers_alive() - before
    return Behaviour(result, ran.counts, dict(collections.Counter(_events)), compiled, left)


def _tracers_alive() -> int:
    gc.collect()
    return sum(issubclass(type(thing), jax.core.Tracer) for thing in gc.get_objects())
