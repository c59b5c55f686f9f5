"""How far the traces in progress have come, looked at from another thread so that tracing itself pays nothing."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.jaxprs import unfinished
from jax_trace_viz.contract.events import RunAdvanced
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from jax_trace_viz.capture.context import Context
    from jax_trace_viz.capture.jaxprs.writer import Part
    from jax_trace_viz.capture.state import Stage

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
        advanced, parts = self._look_at_all()
        for event in advanced:
            context.emit(event)
        for run, part in parts:
            context.pending.write_part(run, part, [])

    def _look_at_all(self) -> tuple[list[RunAdvanced], list[tuple[int, Part]]]:
        with self._context.live.look() as stages:
            advanced = [event for stage in stages if (event := self._look(stage))]
            runs = [(stage.frame, stage.run) for stage in stages if self._due(stage)]
            return advanced, [(run.number, unfinished.part(frame, run.inputs)) for frame, run in runs if run]

    def _look(self, stage: Stage) -> RunAdvanced | None:
        equations = unfinished.staged(stage.frame)
        count = len(equations)
        if stage.run is None or count == stage.seen:
            return None
        stage.seen = count
        return RunAdvanced(run=stage.run.number, equations=count, line=_line(equations[count - 1]))

    def _due(self, stage: Stage) -> bool:
        """Whether what a trace has staged is to be written now."""
        if stage.run is None or stage.seen == stage.part_seen or stage.seen > _PART_EQUATIONS:
            return False
        now = self._context.clock()
        if now - stage.part_at < _PART_SECONDS:
            return False
        stage.part_at, stage.part_seen = now, stage.seen
        return True


def _line(held: Any) -> int | None:
    """The innermost user line that staged an equation."""
    equation = unfinished.equation(held)
    traceback = equation.source_info.traceback if equation is not None else None
    if traceback is None:
        return None
    for code, instruction in zip(*traceback.raw_frames(), strict=True):
        if origin(code.co_filename) == "user":
            return next(islice(code.co_positions(), instruction // 2, None), (None,))[0]
    return None
