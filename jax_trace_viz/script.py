"""Runs a script as `python script.py` would."""

from __future__ import annotations

import builtins
import os
import signal
import sys
import threading
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from types import FrameType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

_INTERRUPTED = 130
_TERMINATED = 143


class Script:
    """A script about to run as `__main__`, with its own `sys.argv` and its folder first on the path.

    Raises:
        OSError: The file cannot be read.
    """

    def __init__(self, path: Path, arguments: list[str]) -> None:
        self.given = str(path)
        self.file = str(path.absolute())
        """The name that Python gives to a script's code: in its `__file__`, and in tracebacks."""
        self._source = path.read_bytes()
        self._folder = str(path.resolve().parent)
        self._arguments = [self.given, *arguments]

    def run(self) -> BaseException | None:
        """Runs it and returns what it raised; nothing is printed about it."""
        main = ModuleType("__main__")
        loader = SourceFileLoader("__main__", self.file)
        names = vars(main)
        names.update(__file__=self.file, __builtins__=builtins, __cached__=None, __loader__=loader)
        if sys.version_info < (3, 14):
            names["__annotations__"] = {}
        sys.modules["__main__"] = main
        sys.argv[:] = self._arguments
        sys.path[0] = self._folder
        try:
            code = compile(self._source, self.file, "exec", dont_inherit=True)
            exec(code, names)  # noqa: S102  (what it is for)
        except BaseException as error:  # noqa: BLE001  (whatever the script raises)
            error.__traceback__ = _without_ours(error.__traceback__)
            return error
        return None

    def exit_status(self, error: BaseException | None) -> int:
        """What Python would exit with, after printing what Python would print."""
        if error is None:
            return 0
        if isinstance(error, SystemExit):
            if error.code is None or isinstance(error.code, int):
                return error.code or 0
            print(error.code, file=sys.stderr)
            return 1
        sys.excepthook(type(error), error, error.__traceback__)
        return _INTERRUPTED if isinstance(error, KeyboardInterrupt) else 1


def wait_for_threads() -> None:
    """Waits for the threads and pools that a script has left running, as Python does before it ends.

    Python's own function does it, which tells pools that no more work will come before it joins their threads. Python
    calls it again in the end, and then it has nothing to do.
    """
    wait = getattr(threading, "_shutdown", None)
    if wait is not None:
        with suppress(KeyboardInterrupt):  # the user waits no longer; what was recorded is still written
            wait()


class Termination:
    """Lets a script that is told to terminate (SIGTERM) unwind, so that what was recorded can be written.

    Only where nobody else handles the signal. Children that are forked die of it as ever; `go_on` then ends this
    process by the signal too, as it would have ended without us.
    """

    def __init__(self) -> None:
        self._came = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
            signal.signal(signal.SIGTERM, self._unwind)
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

    def _unwind(self, _number: int, _frame: FrameType | None) -> None:
        self._came = True
        self._give_back()  # a second one ends the process at once
        raise SystemExit(_TERMINATED)

    def _give_back(self) -> None:
        if signal.getsignal(signal.SIGTERM) == self._unwind:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def for_process(file: Path, index: int | None, count: int | None) -> Path:
    """`session.p1.json` for process 1 of several, which all run the same command."""
    several = index is not None and count is not None and count > 1
    return file.with_name(f"{file.stem}.p{index}{file.suffix}") if several else file


def _without_ours(traceback: TracebackType | None) -> TracebackType | None:
    """Drops our own frame, so that the script's traceback reads as without us."""
    while traceback is not None and traceback.tb_frame.f_code.co_filename == __file__:
        traceback = traceback.tb_next
    return traceback
