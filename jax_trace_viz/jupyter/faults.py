"""Our own errors stay ours: a cell runs and ends as if we were not there."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from IPython.core.error import UsageError

if TYPE_CHECKING:
    from collections.abc import Generator


def complain(sentence: str) -> None:
    """Says one sentence below the cell."""
    with contextlib.suppress(OSError, ValueError):  # a stream that is closed or no longer there
        print(f"jaxtrace: {sentence}", file=sys.stderr)  # noqa: T201


@contextlib.contextmanager
def guarded(consequence: str) -> Generator[None]:
    """Turns an error of ours into one sentence that says what it means for the user.

    An interrupt is caught as well: in our code it comes too late or too early for the cell, and IPython would print it
    as an error of an event callback. What the user wrote wrongly is no error of ours, and IPython says so.
    """
    try:
        yield
    except UsageError:
        raise
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001
        complain(f"{consequence} ({_said(error)}).".replace("\n", " "))


def _said(error: BaseException) -> str:
    """What an error says; of a file without its path, which the sentence names already."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"{type(error).__name__}: {error}"
