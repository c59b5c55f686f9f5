"""What every workload prints: its result, and how often JAX traced, lowered and compiled, as JAX's own log tells.

A workload is a script whose `main()` returns a number and notes; `report(main)` runs it and prints one line of JSON.
"""

from __future__ import annotations

import json
import logging
import math
from typing import TYPE_CHECKING

import jax

if TYPE_CHECKING:
    from collections.abc import Callable

MESSAGES = {
    "traces": "Finished tracing",
    "lowers": "Finished jaxpr to MLIR",
    "compiles": "Finished XLA compilation",
}


class Counter(logging.Handler):
    """Counts JAX's messages, and says nothing of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.counts = dict.fromkeys(MESSAGES, 0)

    def emit(self, record: logging.LogRecord) -> None:
        """Counts one message."""
        for count, beginning in MESSAGES.items():
            self.counts[count] += record.getMessage().startswith(beginning)


def report(main: Callable[[], tuple[object, dict[str, object]]]) -> None:
    """Runs a workload and prints its line."""
    jax.config.update("jax_log_compiles", True)
    counter = Counter()
    logger = logging.getLogger("jax")
    logger.handlers = [counter]
    logger.propagate = False
    value, notes = main()
    assert math.isfinite(float(value))
    print(json.dumps({"value": float(value), "notes": notes, **counter.counts}))
