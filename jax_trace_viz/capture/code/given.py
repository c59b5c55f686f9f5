"""What the transformations on the call stack were given to transform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.code import stack
from jax_trace_viz.capture.code.functions import code_of
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

_NAMES = (
    "f",
    "fun",
    "func",
    "body_fun",
    "cond_fun",
    "true_fun",
    "false_fun",
    "branches",
    "fwd",
    "bwd",
    "jvp",
    "self",
)
"""What JAX's public transformations call the callables they are given."""


def callable_of(frame: FrameType | None, code: CodeType) -> Any:
    """The callable that a transformation was given, if a body with this code is what it runs; None if it is not found.

    Only frames of the transformations themselves are read: the machinery below them holds tracers, and looking into a
    frame keeps its values until it ends.
    """
    return next((one for one in _callables(frame) if code_of(one) is code), None)


def code_given(frame: FrameType | None) -> list[CodeType]:
    """The code of what the transformations at and outside `frame` were given, up to the innermost user frame."""
    return [code for one in _callables(frame) if (code := code_of(one)) is not None]


def _callables(frame: FrameType | None) -> Iterator[Any]:
    while frame is not None and origin(frame.f_code.co_filename) != "user":
        if stack.kind_of(frame.f_code) and "interpreters" not in frame.f_code.co_filename:
            values = frame.f_locals
            for name in _NAMES:
                one = values.get(name)
                yield from filter(callable, one if isinstance(one, (tuple, list)) else (one,))
        frame = frame.f_back
