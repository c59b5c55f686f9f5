"""Which traced value Python needed when a tracing error was raised.

JAX's errors keep only text. The tracer itself stands in the frames between the user's line and the `raise`, under
names that agree in all versions from 0.6.2 to 0.12; frames of the user's are not looked into.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jax import errors
from jax._src import core
from jax.core import Tracer

from jax_trace_viz.origin import origin
from jax_trace_viz.outcome import message_of

if TYPE_CHECKING:
    from types import FrameType, TracebackType

_CONVERSIONS = (
    errors.ConcretizationTypeError,
    errors.TracerArrayConversionError,
    errors.TracerIntegerConversionError,
    errors.NonConcreteBooleanIndexError,
)
_OTHERS = (
    (TypeError, "Shapes must be 1D sequences of concrete values"),
    (IndexError, "Array slice indices must have static"),
    (IndexError, "Slice entries must be static integers"),
    (ValueError, "The truth value of an array with more than one element"),
    (ValueError, "setting an array element with a sequence"),
)
"""Errors of Python's own types, by how their messages begin."""
_NAMES = ("tracer", "arg", "val", "i", "idx", "item", "shape", "newshape", "slc", "num", "self")
"""What JAX calls the value there, the surest first."""
_MAX_WRAPS = 20


def tracer(error: BaseException, traceback: TracebackType | None) -> Any:
    """The tracer whose value was needed, or None: for other errors, and where it is not found.

    The tracer is the user's: do not keep it.
    """
    if not _is_about_a_value(error):
        return None
    if isinstance(error, ValueError) and isinstance(error.__cause__, errors.ConcretizationTypeError):
        return tracer(error.__cause__, error.__cause__.__traceback__)  # NumPy tells in its own words what JAX raised
    masks = isinstance(error, errors.NonConcreteBooleanIndexError)
    for frame in reversed(_inside(traceback)):
        values = frame.f_locals
        for name in _NAMES:
            for found in _tracers(values.get(name)):
                if not masks or found.dtype == bool:
                    return found
    return None


def variable(value: Any, frame: Any) -> Any:
    """The variable that a tracer stands for in JAX's JaxprStackFrame, or None if it belongs to another trace.

    Tracers of `vmap` and of derivatives wrap those of the staging trace around them.
    """
    for _ in range(_MAX_WRAPS):
        if not isinstance(value, Tracer):
            return None
        if getattr(getattr(value, "_trace", None), "frame", None) is frame:
            names = getattr(frame, "tracer_to_var", None)  # before JAX 0.8
            found = getattr(value, "val", None) if names is None else names.get(id(value))
            return found if isinstance(found, core.Var) else None
        value = getattr(value, "val", None) if hasattr(value, "batch_dim") else getattr(value, "primal", None)
    return None


def _is_about_a_value(error: BaseException) -> bool:
    if isinstance(error, _CONVERSIONS):
        return True
    return any(isinstance(error, kind) and message_of(error).startswith(words) for kind, words in _OTHERS)


def _inside(traceback: TracebackType | None) -> list[FrameType]:
    """The frames of JAX inside the innermost user frame, which have all ended."""
    frames: list[FrameType] = []
    while traceback is not None:
        match origin(traceback.tb_frame.f_code.co_filename):
            case "user":
                frames.clear()
            case "jax":
                frames.append(traceback.tb_frame)
            case _:
                pass
        traceback = traceback.tb_next
    return frames


def _tracers(value: Any) -> list[Any]:
    """The tracers among what one name holds: itself, the parts of a shape or an index, the bounds of a slice."""
    if isinstance(value, Tracer):
        return [value]
    if isinstance(value, slice):
        return [part for part in (value.start, value.stop, value.step) if isinstance(part, Tracer)]
    if type(value) in (tuple, list):
        return [found for part in value for found in _tracers(part)]
    return []
