"""Work that somebody waits for, and may cancel: what takes long looks now and then whether it is still wanted.

Whoever does the work says how to tell, for all that runs below: `with cancelled_by(asked_to_stop): draw(...)`. What
takes long calls `check`, between steps after which nothing is left half done. Nobody else needs to know.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator


class CancelledError(BaseException):
    """Nobody waits for this work any more.

    Like asyncio's it is no `Exception`: who makes the best of those lets it by.
    """


def _never() -> bool:
    return False


_is_cancelled: ContextVar[Callable[[], bool]] = ContextVar("is_cancelled", default=_never)


@contextmanager
def cancelled_by(is_cancelled: Callable[[], bool]) -> Generator[None]:
    """What runs in here may be cancelled: `is_cancelled` tells whether it was, and is asked often."""
    token = _is_cancelled.set(is_cancelled)
    try:
        yield
    finally:
        _is_cancelled.reset(token)


def check() -> None:
    """Ends the work if it was cancelled; does nothing where nobody can cancel it.

    Raises:
        CancelledError: Nobody waits for it any more.
    """
    if _is_cancelled.get()():
        raise CancelledError
