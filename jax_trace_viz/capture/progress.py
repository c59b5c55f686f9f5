"""How far the traces in progress have come, looked at from another thread so that tracing itself pays nothing."""

from __future__ import annotations

import weakref
from itertools import islice
from typing import Any

from jax_trace_viz.capture import partial
from jax_trace_viz.capture.context import Context
from jax_trace_viz.capture.jaxprs import Part
from jax_trace_viz.capture.state import Stage
from jax_trace_viz.contract.events import RunAdvanced
from jax_trace_viz.origin import origin

_PART_SECONDS = 0.5
"""A growing trace is written again at most this often,"""
_PART_EQUATIONS = 1_500
"""and not when it has more equations than this: the cost grows with their number."""


class Progress:
    """Tells, at each flush, of every staging trace that has staged equations since the last one."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def flush(self) -> None:
        """Looks at all traces in progress."""
        context = self._context
        parts: list[tuple[int, Part]] = []
        # The lock keeps a trace from ending while we hold references into it, which JAX would take for a leak.
        with context.live_lock:
            for stage in context.live.values():
                if stage.run is not None and self._advanced(stage, stage.run.number) and self._due(stage):
                    parts.append((stage.run.number, partial.part(stage.frame)))
        for run, part in parts:
            context.pending.write_part(run, part, [])

    def _advanced(self, stage: Stage, run: int) -> bool:
        equations = partial.staged(stage.frame)
        count = len(equations)
        if count == stage.seen:
            return False
        stage.seen = count
        self._context.emit(RunAdvanced(run=run, equations=count, line=_line(equations[count - 1])))
        return True

    def _due(self, stage: Stage) -> bool:
        now = self._context.clock()
        if stage.seen > _PART_EQUATIONS or now - stage.part_at < _PART_SECONDS:
            return False
        stage.part_at = now
        return True


def _line(equation: Any) -> int | None:
    """The innermost user line that staged an equation."""
    if isinstance(equation, weakref.ref):
        equation = equation()
    traceback = equation.source_info.traceback if equation is not None else None
    if traceback is None:
        return None
    for code, instruction in zip(*traceback.raw_frames(), strict=True):
        if origin(code.co_filename) == "user":
            return next(islice(code.co_positions(), instruction // 2, None), (None,))[0]
    return None
