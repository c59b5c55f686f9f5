"""What a staging trace holds before it has a jaxpr."""

from __future__ import annotations

import weakref
from types import FunctionType
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.jaxprs.writer import Part

if TYPE_CHECKING:
    from types import CodeType

_MAX_EQUATIONS = 5_000


def staged(frame: Any) -> list[Any]:
    """The equations of a JaxprStackFrame: `tracing_eqns` since JAX 0.8, `eqns` before."""
    equations = getattr(frame, "tracing_eqns", None)
    return frame.eqns if equations is None else equations


def equation(held: Any) -> Any:
    """What `staged` gave as JAX holds it: itself, a weak reference, or (0.8) a function that returns it. Maybe None."""
    return held() if isinstance(held, (weakref.ref, FunctionType)) else held


def part(frame: Any, inputs: dict[int, str]) -> Part:
    """Inputs, constants and equations so far. Holds JAX's variables, but no tracer.

    Args:
        frame: JAX's JaxprStackFrame.
        inputs: What the user's body calls input variables, by their identity, where JAX has other names.
    """
    equations = frame.get_eqns() if hasattr(frame, "get_eqns") else list(frame.eqns)
    constants = getattr(frame, "constvar_to_val", {})
    return Part(list(frame.invars), list(constants), equations, getattr(frame, "debug_info", None), inputs=inputs)


def lines(frame: Any, code: CodeType) -> dict[int, int]:
    """Lines of one function that staged equations → how many, the newest last: lines that surely ran."""
    positions = list(code.co_positions())
    found: dict[int, int] = {}
    for held in staged(frame)[:_MAX_EQUATIONS]:
        known = equation(held)
        traceback = known.source_info.traceback if known is not None else None
        for one, instruction in zip(*traceback.raw_frames(), strict=True) if traceback is not None else ():
            if one is code:
                line = positions[instruction // 2][0]
                if line is not None:
                    found[line] = found.pop(line, 0) + 1
                break
    return found
