"""Starts and stops all seams together."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Protocol

from jax._src import traceback_util
from jax.extend import source_info_util

from jax_trace_viz.capture.compiling import Compiling
from jax_trace_viz.capture.context import Context, Registry
from jax_trace_viz.capture.dispatching import Dispatching
from jax_trace_viz.capture.environment import environment
from jax_trace_viz.capture.fast_path import FastPath
from jax_trace_viz.capture.patching import MissingSeamError
from jax_trace_viz.capture.progress import Progress
from jax_trace_viz.capture.runs import Runs
from jax_trace_viz.capture.staging import Staging
from jax_trace_viz.capture.watch_monitoring import MonitoringWatcher
from jax_trace_viz.capture.watch_profile import ProfileWatcher
from jax_trace_viz.capture.watching import Watcher
from jax_trace_viz.contract.events import AnyEvent, EnvironmentSeen


_REGISTRY = Registry()


class Seam(Protocol):
    """One hook point. Its constructor probes; it raises `MissingSeamError` where this JAX does not have it."""

    name: str

    def install(self) -> None: ...

    def remove(self) -> None: ...


class Capture:
    """Watches JAX in this process from `start` to `stop` and tells what happens.

    Args:
        emit: Takes each event, on the thread where it happened or on the one that flushes.
        clock: Seconds since the session began.
    """

    def __init__(self, emit: Callable[[AnyEvent], None], clock: Callable[[], float]) -> None:
        self._context = Context(emit, clock, _REGISTRY)
        self._progress = Progress(self._context)
        self._limited: list[str] = []
        self._seams: list[Seam] = []
        self._told = None
        self._lock = threading.RLock()

    def start(self) -> None:
        """Installs every seam this JAX has; the others are named in the environment's `limited`."""
        context = self._context
        _hide_our_frames()
        watcher = self._watcher(Runs(context))
        makers: list[Callable[[], Seam]] = [
            lambda: Staging(context, watcher),
            lambda: Dispatching(context),
            lambda: Compiling(context),
            lambda: FastPath(context),
        ]
        for name, make in zip(("staging", "dispatch", "compiles", "fast_path"), makers, strict=True):
            self._add(name, make)
        self._tell_environment()

    def flush(self) -> None:
        """Formats and tells what is pending. Safe on any thread; never asks JAX to trace, compile or wait."""
        with self._lock, self._context.faults.guard("flush"):
            for seam in self._seams:
                if isinstance(seam, (Compiling, FastPath)):
                    seam.flush()
            self._progress.flush()
            self._context.pending.write()
            self._tell_environment()

    def stop(self) -> None:
        """Takes all seams out, newest first, and tells the rest. Idempotent."""
        with self._lock:
            seams, self._seams = self._seams, []
            for seam in reversed(seams):
                with self._context.faults.guard(seam.name):
                    seam.remove()
            self._seams = [seam for seam in seams if isinstance(seam, (Compiling, FastPath))]
            self.flush()
            self._seams = []

    def _watcher(self, runs: Runs) -> Watcher:
        for make in (MonitoringWatcher, ProfileWatcher):
            try:
                watcher = make(self._context, runs)
                watcher.install()
            except MissingSeamError:
                continue
            self._seams.append(watcher)
            return watcher
        self._limited.append("bodies")
        return NoWatcher()

    def _add(self, name: str, make: Callable[[], Seam]) -> None:
        try:
            seam = make()
            seam.install()
        except (MissingSeamError, AttributeError):
            self._limited.append(name)
        else:
            self._seams.append(seam)

    def _tell_environment(self) -> None:
        now = environment([*self._limited, *sorted(self._context.faults.disabled)])
        if now != self._told:
            self._told = now
            self._context.emit(EnvironmentSeen(environment=now))


class NoWatcher:
    """Stands in where no way of seeing bodies is open: traces are then known by their staging only."""

    name = "bodies"

    def install(self) -> None: ...

    def remove(self) -> None: ...

    def staging_begins(self, state: object) -> None: ...

    def staging_ends(self, state: object, stage: object, error: object, traceback: object) -> None: ...


def _hide_our_frames() -> None:
    """Keeps our hooks out of the tracebacks and source lines that JAX shows, also in a development install."""
    here = os.path.dirname(os.path.abspath(__file__))
    traceback_util.register_exclusion(here)
    source_info_util.register_exclusion(here)
