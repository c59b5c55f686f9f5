"""How the capture learns that a user function's body starts and ends: one protocol, two ways.

Python 3.12 and later have `sys.monitoring`; before, a profiler is armed for the moment between the begin of a trace
and the first user function it calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from types import TracebackType

    from jax_trace_viz.capture.state import Stage, ThreadState


class Watcher(Protocol):
    """Told by the seams what JAX does; tells `Runs` which bodies run."""

    name: str

    def install(self) -> None:
        """Starts watching.

        Raises:
            MissingSeamError: This way is not open here.
        """
        ...

    def remove(self) -> None:
        """Stops watching; nothing stays behind."""
        ...

    def staging_begins(self, state: ThreadState, stage: Stage) -> None:
        """A staging trace begins on this thread."""
        ...

    def staging_ends(
        self, state: ThreadState, stage: Stage, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """A staging trace ends; frames kept for it must be let go of now."""
        ...


class NoWatcher:
    """Stands in where no way of seeing bodies is open: then no runs are told."""

    name = "bodies"

    def install(self) -> None:
        """Nothing to install."""

    def remove(self) -> None:
        """Nothing to remove."""

    def staging_begins(self, state: ThreadState, stage: Stage) -> None:
        """Nobody watches."""

    def staging_ends(
        self, state: ThreadState, stage: Stage, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Nobody watches."""
