"""How a recorded program ended, as plain data."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.contract.environment import Outcome
from jax_trace_viz.file_lines import file_lines
from jax_trace_viz.leaks import holder
from jax_trace_viz.origin import origin, owner_of

if TYPE_CHECKING:
    from types import TracebackType

_MAX_MESSAGE = 2_000
_LAST = 500
"""Characters of it that are the end of a long one: some messages hold a traceback, whose last line says what it was."""
_MAX_SOURCE = 300


class Span(NamedTuple):
    """An expression in a file. Lines count from 1, columns are UTF-8 bytes from 0; None where Python keeps none."""

    file: str
    line: int
    end_line: int | None
    column: int | None
    end_column: int | None


def outcome_of(error: BaseException | None) -> Outcome:
    """Describes the exception that ended a program, or its success.

    Args:
        error: What the program raised. Leaving with `sys.exit()` or `sys.exit(0)` is a success.
    """
    if error is None or (isinstance(error, SystemExit) and not error.code):
        return Outcome(status="ok")
    message = message_of(error)
    span, user = innermost(error.__traceback__), innermost_user(error.__traceback__)
    return Outcome(
        status="error",
        type=type(error).__name__,
        bases=[base.__name__ for base in type(error).__mro__[1:]],
        message=message,
        file=span.file if span else None,
        line=span.line if span else None,
        call_line=_call_line(error.__traceback__),
        end_line=span.end_line if span else None,
        column=span.column if span else None,
        end_column=span.end_column if span else None,
        source=_source(span) if span else None,
        holder=holder(error, message, user.tb_frame if user is not None else None),
    )


def message_of(error: BaseException) -> str:
    """What an exception says; empty where it fails to, for that is the program's code too."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001
        return ""
    return text if len(text) <= _MAX_MESSAGE else f"{text[: _MAX_MESSAGE - _LAST]}\n…\n{text[-_LAST:]}"


def innermost_user(traceback: TracebackType | None) -> TracebackType | None:
    """The part of a traceback that begins at the innermost user frame."""
    found: TracebackType | None = None
    while traceback is not None:
        if owner_of(traceback.tb_frame.f_code) == "user":
            found = traceback
        traceback = traceback.tb_next
    return found


def innermost(traceback: TracebackType | None) -> Span | None:
    """The user's expression that a traceback came through last."""
    found = innermost_user(traceback)
    if found is None:
        return None
    code = found.tb_frame.f_code
    _, *rest = next(islice(code.co_positions(), found.tb_lasti // 2, None), (None,) * 4)
    return Span(code.co_filename, found.tb_lineno, *rest)


def _call_line(traceback: TracebackType | None) -> int | None:
    """The line of the first module-level frame."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_name == "<module>" and origin(code.co_filename) == "user":
            return traceback.tb_lineno
        traceback = traceback.tb_next
    return None


def _source(span: Span) -> str | None:
    """The text of an expression, columns counted in bytes."""
    if span.end_line is None or span.column is None or span.end_column is None:
        return None
    lines = [line.encode(errors="replace") for line in file_lines(span.file)[span.line - 1 : span.end_line]]
    if not lines:
        return None
    lines[-1] = lines[-1][: span.end_column]
    lines[0] = lines[0][span.column :]
    return b"".join(lines).decode(errors="replace")[:_MAX_SOURCE]
