"""The programs of executables, read when somebody asks.

An executable is held weakly, so that it is freed when the program lets go of it. It is never compiled anew.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

_MOST_COMPUTATIONS = 200_000
"""A larger program is not printed."""


class Programs:
    """Executables of this process, by number. Used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._executables: dict[int, weakref.ref[Any]] = {}

    def keep(self, executable: Any) -> int | None:
        """Gives an executable a number, if it can be asked later."""
        if executable is None:
            return None
        with self._lock:
            self._count += 1
            number = self._count
        try:
            self._executables[number] = weakref.ref(executable, lambda _: self._executables.pop(number, None))
        except TypeError:  # of a kind that cannot be held weakly
            return None
        return number

    def text(self, number: int) -> str | None:
        """The optimised program as XLA prints it; None if the executable is gone or keeps it to itself."""
        held = self._executables.get(number)
        executable = held() if held is not None else None
        if executable is None:
            return None
        try:
            modules = executable.xla_executable.hlo_modules()
            if not modules or len(modules[0].computations()) > _MOST_COMPUTATIONS:
                return None
            return str(modules[0].to_string())
        except (AttributeError, NotImplementedError, RuntimeError):  # not on this platform, or not in this version
            return None
