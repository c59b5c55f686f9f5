"""Tracebacks without our frames: as they are when nothing is recorded."""

from __future__ import annotations

import os

_HERE = os.path.dirname(__file__)
_LENGTH = len(_HERE)


def leave_us_out(error: BaseException) -> None:
    """Takes the hook that an exception is passing through off its traceback.

    For an `except` block that ends in a bare `raise`: that adds no entry for the function it stands in, which has got
    its own already. JAX's own filtering, which knows our files too, leaves interrupts alone and can be turned off.
    """
    entry = error.__traceback__
    # Nothing is called here: the program may be at the end of its stack.
    while entry is not None and entry.tb_frame.f_code.co_filename[:_LENGTH] == _HERE:
        entry = entry.tb_next
    error.__traceback__ = entry
