"""The call as the user wrote it, where a library's callable stands between it and the user's body.

`jax.jit(transform.apply)` takes parameters and keys that the user's body never sees, and `filter_jit` keeps a call that
spells a default out apart from one that leaves it out. JAX's cache tells them apart; the body's parameters do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING

from jax_trace_viz.capture import stack
from jax_trace_viz.capture.functions import owner_of
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from types import CodeType, FrameType

_INFER = "_infer_params"
_VARIADIC = 0x4 | 0x8
"""Code flags of a function that takes `*args` and `**kwargs`."""


@dataclass(frozen=True, slots=True)
class OuterCall:
    """How the user's line called what led to a body."""

    direct: bool
    """Whether it called what JAX's jit returned, so that the call's arguments are those of the library's callable."""
    positional: int | None = None
    """Arguments by position that a library's wrapper was called with; None where that is not known."""
    keywords: tuple[str, ...] = ()


def outer_call(frame: FrameType | None) -> OuterCall:
    """Looks outwards from a body's caller."""
    while frame is not None and frame.f_code.co_name != _INFER:
        frame = frame.f_back
    outermost, through_library = None, False
    while frame is not None and not stack.is_user(frame):
        through_library = through_library or owner_of(frame.f_code) == "library"
        outermost, frame = frame, frame.f_back
    if not through_library or outermost is None:
        return OuterCall(direct=True)
    code = outermost.f_code
    if code.co_flags & _VARIADIC != _VARIADIC:
        return OuterCall(direct=False)
    named = code.co_argcount + code.co_kwonlyargcount
    values = outermost.f_locals
    args, kwargs = (values.get(name) for name in code.co_varnames[named : named + 2])
    if not isinstance(args, tuple) or not isinstance(kwargs, dict):
        return OuterCall(direct=False)
    return OuterCall(direct=False, positional=len(args), keywords=tuple(sorted(map(str, kwargs))))


def run_by_library(frame: FrameType | None, code: CodeType) -> FunctionType | None:
    """The function with this code, if the library's frame that calls it has it in a variable."""
    if frame is None or origin(frame.f_code.co_filename) != "library":
        return None
    values = frame.f_locals.values()
    return next((one for one in values if type(one) is FunctionType and one.__code__ is code), None)
