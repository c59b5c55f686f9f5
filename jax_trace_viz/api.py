"""The Python API: record what JAX does, look at it, save it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Document, Outcome
from jax_trace_viz.imports import AfterImport
from jax_trace_viz.session import History, Session

if TYPE_CHECKING:
    from jax_trace_viz.capture import Capture

_history = History()
_active: list[Recording] = []
_FLUSH_SECONDS = 0.1


class Recording:
    """One started capture and the session it fills.

    JAX is never imported by us: until the program has imported it, the capture waits.
    """

    def __init__(self, *, cell_file: str | None = None) -> None:
        history = History() if _active else _history  # two recordings at once must not take each other's keys for earlier ones
        self.session = Session(history=history, cell_file=cell_file, refresh=self.flush)
        self._capture: Capture | None = None
        self._waiting: AfterImport | None = None
        self._stopped = threading.Event()
        _active.append(self)
        if "jax" in sys.modules:
            self._start()
        else:
            self._waiting = AfterImport("jax", self._start)
        threading.Thread(target=self._flush_regularly, name="jax_trace_viz-flush", daemon=True).start()

    def _start(self) -> None:
        from jax_trace_viz.capture import Capture  # imports jax, so not before the program does

        self._capture = Capture(self.session.apply, self.session.clock)
        self._capture.start()

    def flush(self) -> None:
        """Brings what is still being formatted into the session. Safe on any thread."""
        if self._capture is not None:
            self._capture.flush()

    def stop(self, outcome: Outcome | None = None) -> None:
        """Takes all hooks out and closes the session. Idempotent."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        if self._waiting is not None:
            self._waiting.cancel()
        if self._capture is not None:
            self._capture.stop()
        self.session.finish(outcome or Outcome())
        _active.remove(self)

    def _flush_regularly(self) -> None:
        # While XLA compiles, the program holds no lock of Python's: what was traced is formatted then.
        while not self._stopped.wait(_FLUSH_SECONDS):
            self.flush()


def start_recording(*, cell_file: str | None = None) -> Recording:
    """Starts recording; `Recording.stop` ends it.

    Args:
        cell_file: The name under which the recorded notebook cell was compiled.
    """
    return Recording(cell_file=cell_file)


@contextmanager
def trace() -> Iterator[Session]:
    """Records what JAX traces and compiles inside the block.

    Yields:
        The session; it may be read while it fills, and stays as it is after the block.
    """
    recording = start_recording()
    try:
        yield recording.session
    finally:
        recording.stop()
