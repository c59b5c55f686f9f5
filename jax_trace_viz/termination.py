"""SIGTERM while a script is recorded."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

_TERMINATED = 143


class Termination:
    """Lets a script that is told to terminate (SIGTERM) unwind, so that what was recorded can be written.

    Only where nobody else handles the signal. Children that are forked die of it as ever; `go_on` then ends this
    process by the signal too, as it would have ended without us.
    """

    def __init__(self) -> None:
        self._came = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _LikeDefault(self._unwind))
            if hasattr(os, "register_at_fork"):
                os.register_at_fork(after_in_child=self._give_back)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        self._give_back()
        return self._came and kind is SystemExit  # it came while the script's threads were waited for

    def go_on(self) -> None:
        """Ends the process if it was told to terminate; else does nothing."""
        if self._came:
            sys.stdout.flush()
            sys.stderr.flush()
            os.kill(os.getpid(), signal.SIGTERM)

    def _unwind(self) -> None:
        self._came = True
        self._give_back()  # a second one ends the process at once
        raise SystemExit(_TERMINATED)

    def _give_back(self) -> None:
        if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:  # ours, too, looks like it
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


class _LikeDefault(int):
    """A handler that is `SIG_DFL` to whoever asks: programs do other things where they find one of somebody's."""

    _then: Callable[[], None]

    def __new__(cls, then: Callable[[], None]) -> Self:
        self = super().__new__(cls, signal.SIG_DFL)
        self._then = then
        return self

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        self._then()

    def __int__(self) -> int:
        raise TypeError  # `signal.signal` would make the number of it that it stands for
