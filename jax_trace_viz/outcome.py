"""How a recorded program ended, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Outcome
from jax_trace_viz.origin import origin

if TYPE_CHECKING:
    from types import TracebackType

_MAX_MESSAGE = 2_000


def outcome_of(error: BaseException | None) -> Outcome:
    """Describes the exception that ended a program, or its success.

    Args:
        error: What the program raised. Leaving with `sys.exit()` or `sys.exit(0)` is a success.
    """
    if error is None or (isinstance(error, SystemExit) and not error.code):
        return Outcome(status="ok")
    file, line, call_line = _lines(error.__traceback__)
    return Outcome(
        status="error",
        type=type(error).__name__,
        bases=[base.__name__ for base in type(error).__mro__[1:]],
        message=str(error)[:_MAX_MESSAGE],
        file=file,
        line=line,
        call_line=call_line,
    )


def _lines(traceback: TracebackType | None) -> tuple[str | None, int | None, int | None]:
    """File and line of the innermost user frame, and the line of the first module-level one."""
    file = line = call_line = None
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if origin(code.co_filename) == "user":
            file, line = code.co_filename, traceback.tb_lineno
            if call_line is None and code.co_name == "<module>":
                call_line = line
        traceback = traceback.tb_next
    return file, line, call_line
