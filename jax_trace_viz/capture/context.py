"""What all seams of one capture share."""

from __future__ import annotations

import threading
from collections.abc import Callable

from jax_trace_viz.capture.bodies import Bodies
from jax_trace_viz.capture.faults import Faults
from jax_trace_viz.capture.functions import FunctionNumbers, Functions, ObjectNumbers
from jax_trace_viz.capture.keys import Keys
from jax_trace_viz.capture.pending import Pending
from jax_trace_viz.capture.state import Stage, ThreadState
from jax_trace_viz.contract.events import AnyEvent


class Registry:
    """What is remembered from one capture to the next in the same process, so that their keys can be compared."""

    def __init__(self) -> None:
        self.functions = FunctionNumbers()
        self.callables = ObjectNumbers()
        self.bodies = Bodies()


class Context:
    """Services and state of one capture. `emit` may be called on any thread."""

    def __init__(self, emit: Callable[[AnyEvent], None], clock: Callable[[], float], registry: Registry) -> None:
        self.emit = emit
        self.clock = clock
        """Seconds since the session began."""
        self.faults = Faults(emit)
        self.functions = Functions(emit, registry.functions)
        self.callables = registry.callables
        self.bodies = registry.bodies
        self.keys = Keys(self.callables)
        self.pending = Pending(emit)
        self.state = ThreadState()
        self.live: dict[int, Stage] = {}
        """Staging traces in progress on all threads, by identity."""
        self.live_lock = threading.Lock()
        """Held while another thread looks into a trace in progress, so that it does not end meanwhile."""
