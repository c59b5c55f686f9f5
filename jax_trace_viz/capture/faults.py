"""Keeps our own exceptions away from the user's program.

Every hook runs its work inside a `Guard`. An exception is counted and told as a `Fault`; after `LIMIT` of them the
seam is turned off. `KeyboardInterrupt`, `SystemExit` and what a handler of a signal raises pass: they are the user's.
"""

from __future__ import annotations

import traceback
import weakref
from collections import Counter
from pathlib import PurePath
from typing import TYPE_CHECKING, TypeVar

from jax_trace_viz.capture.tracebacks import of_handler
from jax_trace_viz.contract.events import AnyEvent, Fault
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

T = TypeVar("T")

LIMIT = 5
"""Faults after which a seam is turned off."""


class Guard:
    """Context manager for the work of one seam; reusable and re-entrant, since it holds no per-use state."""

    __slots__ = ("_faults", "off", "seam")

    def __init__(self, seam: str, faults: Faults, *, off: bool) -> None:
        self.seam = seam
        self.off = off
        """Whether the seam is to do nothing: it has failed too often, or the capture has ended."""
        self._faults = faults

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        if kind is None or error is None:
            return False
        if issubclass(kind, RecursionError):
            return True  # the program is at its own limit: there is no room to tell it, and it is no fault of ours
        handler = of_handler(traceback)
        if handler is not None or not issubclass(kind, Exception):
            error.__traceback__ = handler  # it came while we worked: to the program, where JAX had called us
            return False
        self._faults.caught(self.seam, error)
        return True

    def insist(self, act: Callable[[], object]) -> bool:
        """Does what must not be left undone, again where it fails; returns whether it succeeded."""
        for _ in range(2):
            with self:
                act()
                return True
        return False


class Faults:
    """Counts what went wrong, per seam."""

    def __init__(self, emit: Callable[[AnyEvent], None]) -> None:
        self.disabled: set[str] = set()
        self._ended = False
        self._guards: dict[str, Guard] = {}
        self._counts: Counter[str] = Counter()
        self._emit = emit

    def guard(self, seam: str) -> Guard:
        """The guard of one seam."""
        off = self._ended or seam in self.disabled
        return self._guards.setdefault(seam, Guard(seam, self, off=off))

    def end(self) -> None:
        """The capture ends: hooks that somebody patched over stay in JAX and only pass through from now on."""
        self._ended = True
        for guard in list(self._guards.values()):
            guard.off = True

    def _turn_off(self, seam: str) -> None:
        self.disabled.add(seam)
        self.guard(seam).off = True

    def caught(self, seam: str, error: BaseException | None) -> None:
        """Records one exception; never raises."""
        self._counts[seam] += 1
        if self._counts[seam] > LIMIT:
            return  # told often enough; some seams cannot be turned off
        if self._counts[seam] == LIMIT:
            self._turn_off(seam)
        try:
            self._emit(Fault(seam=seam, text=_text(error)))
        except Exception:  # noqa: BLE001  (nothing may reach the user's program)
            self._turn_off(seam)


def when_gone(thing: T, do: Callable[[], object]) -> weakref.ref[T]:
    """A weak reference that has something done when its object is gone.

    What fails then can be told to nobody: the interpreter would print it on the program's standard error, and it may
    be the program's own recursion that left no room.

    Raises:
        TypeError: Objects of this type allow no weak reference.
    """

    def gone(_: object) -> None:
        try:  # noqa: SIM105  (at the interpreter's end there is no contextlib any more)
            do()
        except Exception:  # noqa: BLE001, S110
            pass

    return weakref.ref(thing, gone)


def _text(error: BaseException | None) -> str:
    """The error in one line, with the place in our code: enough to report it, and nothing of the user's paths."""
    if error is None:
        return "unknown error"
    frames = traceback.extract_tb(error.__traceback__)
    ours = next((f for f in reversed(frames) if origin(f.filename) == "ours"), None)
    where = f" ({PurePath(ours.filename).name}:{ours.lineno})" if ours else ""
    return f"{type(error).__name__}: {str(error)[:300]}{where}"
