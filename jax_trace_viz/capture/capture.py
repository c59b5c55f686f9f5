"""Starts and stops all seams together."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from jax._src import source_info_util, traceback_util

from jax_trace_viz.capture.bodies.runs import Runs
from jax_trace_viz.capture.bodies.watch_monitoring import MonitoringWatcher
from jax_trace_viz.capture.bodies.watch_profile import ProfileWatcher
from jax_trace_viz.capture.bodies.watching import NoWatcher, Watcher
from jax_trace_viz.capture.context import Context
from jax_trace_viz.capture.environment import environment
from jax_trace_viz.capture.patching import MissingSeamError
from jax_trace_viz.capture.progress import Progress
from jax_trace_viz.capture.seams.compiling import Compiling
from jax_trace_viz.capture.seams.dispatching import Dispatching
from jax_trace_viz.capture.seams.eager import EagerOperations
from jax_trace_viz.capture.seams.fast_path import FastPath
from jax_trace_viz.capture.seams.jit_switch import JitSwitch
from jax_trace_viz.capture.seams.staging import Staging
from jax_trace_viz.capture.sinks import Sink
from jax_trace_viz.contract.events import AnyEvent, EnvironmentSeen

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax_trace_viz.contract.environment import Environment


class Seam(Protocol):
    """One hook point. Its constructor probes: it raises `MissingSeamError` where this JAX does not have it."""

    name: str

    def install(self) -> None:
        """Puts the hook in."""
        ...

    def remove(self) -> None:
        """Takes the hook out; nothing stays behind. Idempotent, also where an interrupt ended it half-way."""
        ...


SeamT = TypeVar("SeamT", bound=Seam)


class Capture:
    """Watches JAX in this process while somebody listens.

    Make one, see `CAPTURE`: hooks are the process's, not yours.
    """

    def __init__(self) -> None:
        self._context = Context()
        self._progress = Progress(self._context)
        self._eager = EagerOperations(self._context)
        self._limited: list[str] = []
        self._seams: list[Seam] = []
        self._environment: Environment | None = None
        self._lock = threading.RLock()
        self._always_limited = [] if _hide_our_frames() else ["tracebacks"]
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)
        atexit.register(self._process_ends)

    def join(self, emit: Callable[[AnyEvent], None], clock: Callable[[], float]) -> Sink:
        """Starts telling `emit` what happens; the first listener installs the hooks.

        Args:
            emit: Takes each event, on the thread that flushes.
            clock: Seconds since the listener's session began.
        """
        context = self._context
        with self._lock:
            first = not context.sinks
            sink = Sink(emit, context.clock() - clock(), context.functions)
            context.sinks = (*context.sinks, sink)  # before the hooks: it hears what goes wrong with them
            if first:
                try:
                    self._install()
                except BaseException:  # an interrupt too: nobody has this sink yet who could take it back
                    context.faults.guard("capture").insist(partial(self.leave, sink))
                    raise
            with context.faults.guard("environment"):
                self._environment = environment(self._off())
                sink.tell(EnvironmentSeen(environment=self._environment))
            return sink

    def leave(self, sink: Sink) -> None:
        """Stops telling; the last listener takes the hooks out.

        Idempotent: where an interrupt ended it half-way, calling it again does the rest.
        """
        context = self._context
        with self._lock:
            if sink not in context.sinks:
                return
            guard = context.faults.guard("capture")
            removed = len(context.sinks) == 1 and guard.insist(self._remove)
            guard.insist(self.flush)
            if removed:
                self._seams = []
            context.sinks = tuple(other for other in context.sinks if other is not sink)

    def flush(self) -> None:
        """Formats and tells what is pending. Safe on any thread; never asks JAX to trace, compile or wait."""
        context = self._context
        with self._lock, context.faults.guard("flush"):
            for seam in self._seams:
                if isinstance(seam, (Compiling, FastPath, JitSwitch)):
                    seam.flush()
            self._eager.flush()
            self._progress.flush()
            context.pending.write()
        with self._lock, context.faults.guard("environment"):
            now = environment(self._off())
            if now != self._environment:
                self._environment = now
                context.emit(EnvironmentSeen(environment=now))
        with self._lock:
            for sink in context.sinks:
                while not self._passed_on(sink):
                    pass

    def _passed_on(self, sink: Sink) -> bool:
        """Whether all is passed on; an event that cannot be taken in costs itself alone."""
        with self._context.faults.guard("session"):
            sink.pass_on()
            return True
        return False

    @property
    def is_tracing(self) -> bool:
        """Whether a staging trace is in progress, on whichever thread."""
        return bool(self._context.live)

    @property
    def hook_seconds(self) -> float:
        """How long the program has waited for the hooks of calls and bodies since the process began."""
        return self._context.hook_seconds

    def program(self, number: int) -> str | None:
        """The optimised HLO of an executable that an event named; None if that can no longer be told.

        Safe on any thread, also after everybody has left.
        """
        return self._context.programs.text(number)

    def _install(self) -> None:
        context = self._context
        self._remove()  # what a fault had left in
        context.begin()
        self._seams, self._limited = [], []
        runs = Runs(context)
        watcher = self._watcher(runs)
        self._add("staging", lambda: Staging(context, watcher, runs.library))
        self._add("dispatch", lambda: Dispatching(context, self._eager))
        self._add("compiles", lambda: Compiling(context))
        self._add("jit_switch", lambda: JitSwitch(context))
        self._add("fast_path", lambda: FastPath(context, self._eager))

    def _remove(self) -> None:
        self._context.faults.end()
        for seam in reversed(self._seams):
            self._take_out(seam)

    def _take_out(self, seam: Seam) -> None:
        # What stays in would keep the seam out for the rest of the process.
        self._context.faults.guard(seam.name).insist(seam.remove)

    def _watcher(self, runs: Runs) -> Watcher:
        for make in (MonitoringWatcher, ProfileWatcher):
            watcher = self._installed(lambda make=make: make(self._context, runs))
            if watcher is not None:
                if make is ProfileWatcher and hasattr(sys, "monitoring"):
                    self._limited.append("lines")  # other tools hold all ids that are free for anybody
                return watcher
        self._limited.append("bodies")
        return NoWatcher()

    def _add(self, name: str, make: Callable[[], Seam]) -> None:
        if self._installed(make) is None:
            self._limited.append(name)

    def _installed(self, make: Callable[[], SeamT]) -> SeamT | None:
        """Puts a seam in; None where that fails, and then nothing of it stays in."""
        seam: SeamT | None = None
        try:
            seam = make()
            self._seams.append(seam)  # before it is in: an interrupt half-way has it taken out with the others
            seam.install()
        except Exception as error:  # noqa: BLE001  (an unknown JAX costs a feature, never the program)
            if not isinstance(error, (MissingSeamError, AttributeError)):
                self._context.faults.caught("install", error)
            if seam is not None:
                self._take_out(seam)
                self._seams.remove(seam)
            return None
        return seam

    def _forked(self) -> None:
        """A forked child records nothing: locks that other threads held at the fork are never released there."""
        self._context.faults.end()
        self._context.sinks = ()
        self._context.live.clear()
        self._lock = threading.RLock()

    def _process_ends(self) -> None:
        """Nobody may have ended the last recording: our hooks must not outlive the modules that they need."""
        with self._lock:
            self._remove()

    def _off(self) -> list[str]:
        return [*self._always_limited, *self._limited, *sorted(self._context.faults.disabled)]


def _hide_our_frames() -> bool:
    """Keeps our hooks out of the tracebacks and source lines that JAX shows, also in a development install.

    Returns whether this JAX can do that.

    `jax.extend` offers the same, but importing it registers configuration states, after which JAX traces everything
    anew.
    """
    here = str(Path(__file__).resolve().parent)
    try:
        traceback_util.register_exclusion(here)
        source_info_util.register_exclusion(here)
    except AttributeError:
        return False
    return True


CAPTURE = Capture()
"""The one capture of this process."""
