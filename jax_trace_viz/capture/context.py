"""What all seams of the capture share."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from jax_trace_viz.capture.bodies.held import Held
from jax_trace_viz.capture.code.functions import FunctionNumbers, ObjectNumbers
from jax_trace_viz.capture.code.user_functions import Bodies
from jax_trace_viz.capture.faults import Faults
from jax_trace_viz.capture.jaxprs.pending import Pending
from jax_trace_viz.capture.jaxprs.programs import Programs
from jax_trace_viz.capture.keys.cache_keys import Keys
from jax_trace_viz.capture.live import Live
from jax_trace_viz.capture.lives import Lives
from jax_trace_viz.capture.outside.stale import Stale
from jax_trace_viz.capture.seams.calls import Calls
from jax_trace_viz.capture.state import ThreadState

if TYPE_CHECKING:
    from jax_trace_viz.capture.sinks import Sink
    from jax_trace_viz.contract.events import AnyEvent


class Context:
    """Services and state of the capture. Numbers go on for the life of the process, so that keys can be compared."""

    def __init__(self) -> None:
        self.sinks: tuple[Sink, ...] = ()
        """Replaced as a whole, never changed: it is read without a lock on the program's threads."""
        self.faults = Faults(self.emit)
        self.functions = FunctionNumbers()
        self.lives = Lives()
        self.object_numbers = ObjectNumbers(self.lives.end)
        self.bodies = Bodies()
        self.calls = Calls()
        self.keys = Keys(self.object_numbers)
        self.stale = Stale(self.emit)
        self.held = Held()
        self.met: set[int] = set()
        """Functions that have run under our eyes."""
        self.misses = 0
        """What JAX's cache of calls had counted when it was last looked at."""
        self.programs = Programs()
        self.pending = Pending(lambda: self.sinks)
        self.clock = perf_counter
        self.hook_seconds = 0.0
        """How long the program has waited for hooks since the process began. Threads may lose a little of it."""
        self.state = ThreadState()
        self.live = Live()

    def emit(self, event: AnyEvent) -> None:
        """Tells everybody who listens. May be called on any thread."""
        for sink in self.sinks:
            sink.tell(event)

    def mention(self, function: int) -> None:
        """Tells everybody who listens what function a number stands for."""
        for sink in self.sinks:
            sink.mention(function)

    def begin(self) -> None:
        """The capture starts again after a pause: nothing is in progress, and old faults count no more."""
        self.faults = Faults(self.emit)
        self.state = ThreadState()
        self.held = Held()
        self.live.clear()
