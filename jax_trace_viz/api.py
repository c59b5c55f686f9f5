"""The Python API: record what JAX does, look at it, save it."""

from __future__ import annotations

import platform
import sys
import threading
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, get_args

from jax_trace_viz.contract.document import Secrets
from jax_trace_viz.contract.environment import Environment, Outcome
from jax_trace_viz.contract.events import EnvironmentSeen, Fault
from jax_trace_viz.exports.exportable import Exportable, SavedSession
from jax_trace_viz.outcome import outcome_of
from jax_trace_viz.session import History, Session
from jax_trace_viz.session.recorded.memory import limit_mb

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from jax_trace_viz.capture.capture import Capture
    from jax_trace_viz.capture.sinks import Sink
    from jax_trace_viz.contract.document import Document
    from jax_trace_viz.imports import AfterImport
    from jax_trace_viz.jupyter.widget import TraceWidget

_FLUSH_SECONDS = 0.1
_LONGEST_PAUSE = 1.0
"""Seconds that notes wait at most for a flush while JAX traces, if nobody reads them."""
_BUSY = 20
"""A flush that took 10 ms of processor time is followed by a pause of 200 ms: the program keeps the processor."""


class _Histories:
    """Earlier keys of this process.

    Recordings that overlap get copies, or each would take its own keys for earlier ones.
    """

    def __init__(self) -> None:
        self._history = History()
        self._open = 0
        self._lock = threading.RLock()  # a handler of a signal may record too

    def join(self) -> History:
        with self._lock:
            self._open += 1
            return self._history if self._open == 1 else self._history.copy()

    def leave(self) -> None:
        with self._lock:
            self._open -= 1


_HISTORIES = _Histories()


class RecordedSession(Session, Exportable):
    """A session that can be drawn and saved. It may be read while it fills, and stays as it is afterwards.

    A copy, pickled or not, is what `load` would give of its file.
    """

    def __reduce__(self) -> tuple[type[SavedSession], tuple[Document]]:
        """What it holds by now, without the recording that fills it."""
        return SavedSession, (self.document(),)

    def save(self, path: str | Path) -> None:
        """Saves the session document as JSON, with what XLA made of small programs; `jax_trace_viz.load` reads it.

        Raises:
            OSError: The file cannot be written.
        """
        self.look_at_programs()
        super().save(path)

    def widget(self, function: str | None = None) -> TraceWidget:
        """The session as an anywidget, for front ends without our JupyterLab extension."""
        from jax_trace_viz.jupyter.widget import TraceWidget

        return TraceWidget(self, function)


class Recording:
    """One started capture and the session it fills.

    JAX is never imported by us: until the program has imported it, the capture waits.
    """

    def __init__(self, *, memory_mb: float | None = None, secrets: Secrets = "mask") -> None:
        if secrets not in get_args(Secrets):
            raise ValueError(f"secrets is {secrets!r}: it must be 'mask' or 'show'")
        limit = limit_mb(memory_mb)  # before anything is held that only `stop` lets go of
        self.session = RecordedSession(
            history=_HISTORIES.join(),
            refresh=self.flush,
            read_program=self._read_program,
            memory_mb=limit,
            secrets=secrets,
        )
        self._capture: Capture | None = None
        """Known once JAX is imported. Importing it again may give another, where the program removes modules."""
        self._sink: Sink | None = None
        self._hooks_before = 0.0
        self._waiting: AfterImport | None = None
        self._stopped = threading.Event()
        self._ended = False
        try:
            if "jax" in sys.modules:
                self._start()
            else:
                from jax_trace_viz.imports import AfterImport

                self._waiting = AfterImport("jax", self._start)
            threading.Thread(target=self._flush_regularly, name="jax_trace_viz-flush", daemon=True).start()
        except BaseException:  # an interrupt: nobody has this recording yet who could end it
            self.stop()
            raise

    def flush(self) -> None:
        """Brings what is still being formatted into the session. Safe on any thread."""
        if self._capture is not None and self._sink is not None:
            with self._guarded("flush"), self._measured():
                self._capture.flush()
                self.session.hook_seconds = self._capture.hook_seconds - self._hooks_before

    def _is_tracing(self) -> bool:
        if self._capture is None or self._sink is None:
            return False
        with self._guarded("flush"):
            return self._capture.is_tracing
        return False

    def _read_program(self, number: int) -> str | None:
        return None if self._capture is None else self._capture.program(number)

    def stop(self, outcome: Outcome | None = None) -> None:
        """Ends the recording; the last one takes all hooks out. Idempotent.

        Args:
            outcome: How the recorded program ended; a success if not given.
        """
        outcome = outcome or Outcome()
        try:
            self._end(outcome)
        except BaseException:  # an interrupt: what is half done is done to the end, so that no hook stays
            self._end(outcome)
            raise

    def _end(self, outcome: Outcome) -> None:
        if self._ended:
            return
        self._stopped.set()
        if self._waiting is not None:
            self._waiting.cancel()
        if self._capture is not None and self._sink is not None:
            with self._measured():
                self._insist(partial(self._capture.leave, self._sink))
            with self._guarded("stop"):
                self.session.hook_seconds = self._capture.hook_seconds - self._hooks_before
            self._sink = None  # its tables are as large as a part of the session, which may live long
        self._insist(partial(self.session.finish, outcome))
        self._ended = True
        _HISTORIES.leave()
        with self._guarded("names"):
            self.session.read_ahead()

    def _insist(self, act: Callable[[], None]) -> None:
        """Does what must not be left undone, again where it fails: a sink that stays keeps all hooks in."""
        for _ in range(2):
            with self._guarded("stop"):
                act()
                return

    def _start(self) -> None:
        # Inside the program's own `import jax`, maybe: a JAX that we do not know costs the recording, not the program.
        with self._guarded("start"):
            from jax_trace_viz.capture.capture import CAPTURE

            self._capture = CAPTURE
            self._hooks_before = CAPTURE.hook_seconds
            self._sink = CAPTURE.join(self.session.apply, self.session.clock)
            return
        unseen = Environment(python=platform.python_version(), limited=["everything"])
        self.session.apply(EnvironmentSeen(environment=unseen))

    @contextmanager
    def _measured(self) -> Generator[None]:
        began = thread_time()
        try:
            yield
        finally:
            self.session.own_seconds += thread_time() - began

    @contextmanager
    def _guarded(self, seam: str) -> Generator[None]:
        """An exception of ours is told as a fault; the program goes on."""
        try:
            yield
        except Exception as error:  # noqa: BLE001
            with suppress(Exception):
                self.session.apply(Fault(seam=seam, text=f"{type(error).__name__}: {error}"))

    def _flush_regularly(self) -> None:
        # While XLA compiles, the program holds no lock of Python's: what was traced is formatted then. While JAX
        # traces, every flush makes the program wait. Whoever reads the session, as a live view does, flushes anyway.
        flushed, pause = perf_counter(), _FLUSH_SECONDS
        while not self._stopped.wait(_FLUSH_SECONDS):
            if perf_counter() - flushed < (_LONGEST_PAUSE if self._is_tracing() else pause):
                continue
            before = self.session.own_seconds
            self.flush()
            flushed, pause = perf_counter(), min(_BUSY * (self.session.own_seconds - before), _LONGEST_PAUSE)


def start_recording(*, memory_mb: float | None = None, secrets: Secrets = "mask") -> Recording:
    """Starts recording; `Recording.stop` ends it.

    Args:
        memory_mb: How many megabytes the session may hold, about; 64 if neither this nor the environment variable
            `JAX_TRACE_VIZ_MEMORY_MB` says otherwise. Beyond it the oldest equations and arguments go, and the session
            says how many; counts stay.
        secrets: `show` keeps what looks like a secret (a text named `password`, a key such as `ghp_…`) in the session;
            otherwise it is masked before anything is kept.

    Raises:
        ValueError: `memory_mb` is no positive number, or `secrets` is neither `mask` nor `show`.
    """
    return Recording(memory_mb=memory_mb, secrets=secrets)


@contextmanager
def trace(*, memory_mb: float | None = None, secrets: Secrets = "mask") -> Generator[RecordedSession]:
    """Records what JAX traces and compiles inside the block.

    Args:
        memory_mb: As for `start_recording`.
        secrets: As for `start_recording`.

    Yields:
        The session; it may be read while it fills, and stays as it is after the block.

    Raises:
        ValueError: As for `start_recording`.
    """
    recording = start_recording(memory_mb=memory_mb, secrets=secrets)
    error: BaseException | None = None
    try:
        yield recording.session
    except BaseException as raised:
        error = raised
        raise
    finally:
        try:
            recording.stop(outcome_of(error))
        finally:
            recording.stop()  # an interrupt may have come before the other began
            del error


def load(path: str | Path) -> SavedSession:
    """Reads a saved session; it can be drawn and exported as the one that was recorded.

    Raises:
        UnreadableDocumentError: The file is no session document, or one of another version.
        OSError: The file cannot be read.
    """
    from jax_trace_viz.exports import json_document

    return SavedSession(json_document.load(Path(path)))
