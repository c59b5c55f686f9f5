"""Operations that run outside any jit, one by one, counted by the user's line.

JAX runs `jnp.sin(x)` outside of a jit as a small jitted function of its own. Both hooks that see calls of jitted
functions (`dispatching`, `fast_path`) tell here of those that are JAX's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from jax._src import core

from jax_trace_viz.capture.code import stack
from jax_trace_viz.contract.events import OperationsRan

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from jax_trace_viz.capture.context import Context


class EagerOperations:
    """The counts since the last flush, per function of the user's and line."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._codes: dict[int, tuple[CodeType, dict[tuple[int, str], int]]] = {}
        """Code by identity → by instruction and operation. Operations are many: lines are looked up at the flush."""

    def note(self, name: str, caller: FrameType) -> None:
        """An operation of this name ran; `caller` is the frame that asked for it, or one inside."""
        if not core.trace_state_clean():
            return  # a value that is known while tracing: its operation is a part of the trace's cost
        frame = stack.user_frame(caller)
        if frame is None:
            return
        code = frame.f_code
        known = self._codes.get(id(code))
        if known is None:
            known = self._codes.setdefault(id(code), (code, {}))
        counts, operation = known[1], (frame.f_lasti, name)
        counts[operation] = counts.get(operation, 0) + 1

    def flush(self) -> None:
        """Tells the operations since the last flush."""
        taken, self._codes = self._codes, {}
        for code, counts in taken.values():
            lines: defaultdict[int, Counter[str]] = defaultdict(Counter)
            for (instruction, name), count in dict(counts).items():
                lines[_line(code, instruction)][name] += count
            self._context.emit(
                OperationsRan(
                    file=code.co_filename,
                    function=code.co_qualname,
                    first_line=code.co_firstlineno,
                    lines={line: dict(ran) for line, ran in lines.items()},
                )
            )


def _line(code: CodeType, instruction: int) -> int:
    return next((line for start, end, line in code.co_lines() if start <= instruction < end and line), 0)
