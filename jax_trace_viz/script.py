"""Runs a script, a folder or an archive as `python script.py` would, or a module as `python -m module` would."""

from __future__ import annotations

import builtins
import importlib.util
import marshal
import os
import pkgutil
import sys
import threading
from contextlib import contextmanager, suppress
from importlib.abc import InspectLoader
from importlib.machinery import SourceFileLoader, SourcelessFileLoader
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Generator
    from importlib.machinery import ModuleSpec
    from types import CodeType

_PYC_HEADER = 16
"""Bytes before the code of a compiled file."""


class Script:
    """A script about to run as `__main__`, with its own `sys.argv` and its folder first on the path.

    Raises:
        OSError: The file cannot be read.
    """

    def __init__(self, given: str, arguments: list[str]) -> None:
        path = Path(given)
        self.given = str(path)
        self.file = _absolute(given)
        """The name that Python gives to a script's code: in its `__file__`, and in tracebacks."""
        self._source = path.read_bytes()
        self._folder = str(path.resolve().parent)
        self._arguments = [given, *arguments]
        self._start()

    def _start(self) -> None:
        self._started_in = Path.cwd()
        self._our_path = [str(self._started_in / folder) for folder in sys.path]
        self._interrupted = False

    def run(self) -> BaseException | None:
        """Runs it and returns what it raised; nothing is printed about it."""
        try:
            self._lead_path()
            code, attributes = self._load()
            main = ModuleType("__main__")
            names = vars(main)
            names.update(__file__=self.file, __builtins__=builtins, **attributes)
            if sys.version_info < (3, 14):
                names["__annotations__"] = {}
            sys.modules["__main__"] = main
            exec(code, names)  # noqa: S102  (what it is for)
        except BaseException as error:  # noqa: BLE001  (whatever the script raises)
            error.__traceback__ = _without_ours(error.__traceback__)
            return error
        return None

    def _lead_path(self) -> None:
        if not sys.flags.safe_path:
            sys.path[0] = self._folder

    def _load(self) -> tuple[CodeType, dict[str, Any]]:
        """The code to run, and the attributes of its module."""
        sys.argv[:] = self._arguments
        compiled = self.file.endswith(".pyc")
        loader = (SourcelessFileLoader if compiled else SourceFileLoader)("__main__", self.file)
        code = _compiled(self._source) if compiled else compile(self._source, self.file, "exec", dont_inherit=True)
        return code, {"__cached__": None, "__loader__": loader}

    def exit_status(self, error: BaseException | None) -> int:
        """What Python would exit with, after printing what Python would print."""
        if error is None:
            return 0
        if isinstance(error, SystemExit):
            return _status_of(error)
        # As the interpreter does it: a hook is the script's code too, and may be gone, raise or leave.
        try:
            hook = vars(sys).get("excepthook", sys.__excepthook__)
            hook(type(error), error, error.__traceback__)
        except SystemExit as left:
            return _status_of(left)
        except BaseException as failed:  # noqa: BLE001
            failed.__traceback__ = _without_ours(failed.__traceback__)
            _say("Error in sys.excepthook:")
            sys.__excepthook__(type(failed), failed, failed.__traceback__)
            _say("\nOriginal exception was:")
            sys.__excepthook__(type(error), error, error.__traceback__)
        self._interrupted = isinstance(error, KeyboardInterrupt)
        return 1

    def go_on(self) -> None:
        """Raises the interrupt that ended the script, for which Python ends by the signal; else does nothing.

        A shell that runs a loop of commands looks at that to end the loop.
        """
        if self._interrupted:
            sys.excepthook = _silent  # it is told already
            raise KeyboardInterrupt

    @contextmanager
    def as_started(self) -> Generator[Path]:
        """Finds our modules wherever the script has turned `sys.path`; gives the folder that it was started in."""
        theirs = sys.path[:]
        sys.path[:] = self._our_path
        try:
            yield self._started_in
        finally:
            sys.path[:] = theirs


class Module(Script):
    """A module about to run as `__main__`, as after `python -m`: the current folder is first on the path."""

    def __init__(self, name: str, arguments: list[str]) -> None:
        self.given = self.file = name
        self._folder = str(Path.cwd())
        self._arguments = ["-m", *arguments]
        self._start()

    def _load(self) -> tuple[CodeType, dict[str, Any]]:
        sys.argv[:] = self._arguments  # a package that is imported on the way sees no name of a file yet
        spec = _spec(self.given)
        sys.argv[0] = str(spec.origin)
        return self._load_from(spec)

    def _load_from(self, spec: ModuleSpec) -> tuple[CodeType, dict[str, Any]]:
        self.file = str(spec.origin)
        self.given = os.path.relpath(self.file) if Path(self.file).is_relative_to(self._started_in) else self.file
        code = cast("InspectLoader", spec.loader).get_code(spec.name)
        assert code is not None
        loaded = {"__cached__": spec.cached, "__loader__": spec.loader, "__spec__": spec}
        return code, loaded | {"__package__": spec.parent}


class Application(Module):
    """A folder or a zip archive with a `__main__.py`, which is first on the path itself."""

    def __init__(self, given: str, arguments: list[str]) -> None:
        super().__init__(given, arguments)
        self._folder = _absolute(given)
        self._arguments = [given, *arguments]

    def _lead_path(self) -> None:
        sys.path[: not sys.flags.safe_path] = [self._folder]

    def _load(self) -> tuple[CodeType, dict[str, Any]]:
        sys.argv[:] = self._arguments
        finder = pkgutil.get_importer(self._folder)
        spec = finder.find_spec("__main__", None) if finder is not None else None
        if spec is None:
            sys.exit(f"{sys.executable}: can't find '__main__' module in {self._folder!r}")
        return self._load_from(spec)


def script_at(given: str, arguments: list[str]) -> Script:
    """What `python given arguments…` would run.

    Raises:
        OSError: The file cannot be read.
    """
    application = pkgutil.get_importer(_absolute(given)) is not None
    return (Application if application else Script)(given, arguments)


def _absolute(given: str) -> str:
    return os.path.join(Path.cwd(), given)  # noqa: PTH118  (as Python does: `./` stays)


def _compiled(data: bytes) -> CodeType:
    if not data.startswith(importlib.util.MAGIC_NUMBER):
        raise RuntimeError("Bad magic number in .pyc file")
    return marshal.loads(data[_PYC_HEADER:])  # noqa: S302  (a program that the user runs)


def _spec(name: str, package: str | None = None) -> ModuleSpec:
    """Finds a module, or the `__main__` of a package; where there is none, exits as Python does."""
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise  # a package on the way imports what is not there
        sys.exit(
            f"{sys.executable}: Error while finding module specification for {name!r} (ModuleNotFoundError: {error})"
        )
    if spec is not None and spec.submodule_search_locations is not None:
        return _spec(f"{name}.__main__", name)
    if spec is None or not spec.has_location or not isinstance(spec.loader, InspectLoader):
        what = f"; {package!r} is a package and cannot be directly executed" if package else ""
        sys.exit(f"{sys.executable}: No module named {name}{what}")
    return spec


def _status_of(left: SystemExit) -> int:
    if left.code is None or isinstance(left.code, int):
        return left.code or 0
    try:
        text = str(left.code)
    except Exception:  # noqa: BLE001  (an object of the script's own)
        text = ""
    _say(text)
    return 1


def _say(text: str) -> None:
    with suppress(Exception):  # the stream may be closed, or an object of the script's own
        sys.stderr.write(f"{text}\n")


def _silent(*_: object) -> None:
    pass


def wait_for_threads() -> None:
    """Waits for the threads and pools that a script has left running, as Python does before it ends.

    Python's own function does it, which tells pools that no more work will come before it joins their threads. Python
    calls it again in the end, and then it has nothing to do.
    """
    wait = getattr(threading, "_shutdown", None)
    if wait is not None:
        with suppress(KeyboardInterrupt):  # the user waits no longer; what was recorded is still written
            wait()


def for_process(file: Path, index: int | None, count: int | None) -> Path:
    """`session.p1.json` for process 1 of several, which all run the same command."""
    several = index is not None and count is not None and count > 1
    return file.with_name(f"{file.stem}.p{index}{file.suffix}") if several else file


def _without_ours(traceback: TracebackType | None) -> TracebackType | None:
    """Drops our own frame, so that the script's traceback reads as without us."""
    while traceback is not None and traceback.tb_frame.f_code.co_filename == __file__:
        traceback = traceback.tb_next
    return traceback
