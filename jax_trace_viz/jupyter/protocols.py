"""What the notebook side needs from the wiring above it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from jax_trace_viz.contract.document import Secrets
    from jax_trace_viz.contract.environment import Outcome
    from jax_trace_viz.session import Session


class Recording(Protocol):
    """A started capture that fills one session."""

    @property
    def session(self) -> Session:
        """What it fills."""
        ...

    def flush(self) -> None:
        """Tells the session what is pending. May be called on any thread."""
        ...

    def stop(self, outcome: Outcome | None = None) -> None:
        """Ends the recording and leaves JAX as it was."""
        ...


class Start(Protocol):
    """Starts a recording. Never imports JAX: the recording waits until the program does."""

    def __call__(self, *, memory_mb: float | None = None, secrets: Secrets = "mask") -> Recording:
        """A recording that goes on until it is stopped."""
        ...
