"""Tracebacks without our frames: as they are when nothing is recorded."""

from __future__ import annotations

import os
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

_HERE = os.path.dirname(__file__)
_LENGTH = len(_HERE)
_PACKAGE = os.path.dirname(_HERE)


def leave_us_out(error: BaseException) -> None:
    """Takes the hook that an exception is passing through off its traceback.

    And those further in: a handler of a signal may have raised before the first instruction of one, where nothing could
    take it off.

    For an `except` block that ends in a bare `raise`: that adds no entry for the function it stands in, which has got
    its own already. JAX's own filtering, which knows our files too, leaves interrupts alone and can be turned off.
    """
    entry = error.__traceback__
    # Nothing is called here: the program may be at the end of its stack.
    while entry is not None and entry.tb_frame.f_code.co_filename[:_LENGTH] == _HERE:
        entry = entry.tb_next
    error.__traceback__ = entry
    if error.__class__ is RecursionError:
        return  # long, and passing through as many hooks
    while entry is not None:
        inner = entry.tb_next
        while inner is not None and inner.tb_frame.f_code.co_filename[:_LENGTH] == _HERE:
            inner = inner.tb_next
        if inner is not entry.tb_next:
            entry.tb_next = inner
        entry = inner


def of_handler(traceback: TracebackType | None) -> TracebackType | None:
    """The part of a traceback where the program's handler of a signal was called in the middle of our work, else None.

    Python calls a handler with the frame that it interrupts, which may have been taken off already.
    """
    before: TracebackType | None = None
    while traceback is not None:
        if _was_given(traceback.tb_frame, before):
            return before or traceback
        before, traceback = traceback, traceback.tb_next
    return None


def _was_given(frame: FrameType, before: TracebackType | None) -> bool:
    if frame.f_code.co_filename.startswith(_PACKAGE):  # we hand frames on as well
        return False
    for value in frame.f_locals.values():
        for part in value if type(value) is tuple else (value,):
            if type(part) is FrameType and (
                (before is not None and part is before.tb_frame) or part.f_code.co_filename[:_LENGTH] == _HERE
            ):
                return True
    return False
