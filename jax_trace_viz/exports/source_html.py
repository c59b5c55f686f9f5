"""The user's source with its marks as HTML, without script: what the Source tab shows, of the newest trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.exports.escaping import text
from jax_trace_viz.exports.source_lines import source_lines
from jax_trace_viz.session.wording import count_text, trace_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.document import Function, Trace
    from jax_trace_viz.contract.environment import Environment
    from jax_trace_viz.contract.source import Annotation, LineMark

FUNCTIONS = 5
"""Functions whose source is written out; the others are counted."""
LINES = 200
"""Lines of one function; the others are counted."""
_COLUMN = 56
"""Marks begin behind the longest marked line, but no further right than this."""
_ALL_LINES = (3, 12)
"""The Python that tells of every line."""
_UNSEEN = (
    "Not every line was seen (Python tells of all from 3.12 on): what did not run, rounds of loops and side effects "
    "are marked as far as equations and the source show them, and names inside helpers are not told."
)
_LEGEND = "● traced, ■ static, ◐ traced in part, ◆ baked in, ! changed since, ✕ failed"


def sources(
    functions: Sequence[Function],
    traces: Sequence[Trace],
    annotations: Sequence[Annotation],
    line_marks: Sequence[LineMark],
    environment: Environment,
    room: int | None = None,
) -> str:
    """The functions that were traced, each as it was in its newest trace; nothing where there are none.

    Args:
        functions: In the order in which to show them.
        traces: In order of start.
        annotations: What names were.
        line_marks: What became of lines.
        environment: Where the program ran.
        room: What does not fit into so many bytes is left out and counted.
    """
    newest = {trace.function: trace for trace in traces}
    shown = [f for f in functions if f.origin == "user" and f.source and f.id in newest]
    unseen = "" if _sees_all(environment) else f"<p>{_UNSEEN}</p>"
    head = f"<p>{_LEGEND}</p>"
    room = None if room is None else room - len((head + unseen).encode())
    parts: list[str] = []
    for function in shown[:FUNCTIONS]:
        part = _section(function, newest[function.id], annotations, line_marks)
        if room is not None and len(part.encode()) > room:
            break
        room = None if room is None else room - len(part.encode())
        parts.append(part)
    more = len(shown) - len(parts)
    rest = f"<p>and the source of {count_text(more, 'more function')}</p>" if parts and more > 0 else ""
    return f"{head}{''.join(parts)}{rest}{unseen}" if parts else ""


def _sees_all(environment: Environment) -> bool:
    version = tuple(int(part) for part in environment.python.split(".")[:2] if part.isdigit())
    return version >= _ALL_LINES and "lines" not in environment.limited


def _section(
    function: Function, trace: Trace, annotations: Sequence[Annotation], line_marks: Sequence[LineMark]
) -> str:
    lines = source_lines(function, trace, annotations, line_marks)
    digits = len(str(lines[-1].number)) if lines else 1
    column = min(_COLUMN, max((len(line.text) for line in lines[:LINES] if line.told), default=0))
    rows: list[str] = []
    for line in lines[:LINES]:
        marks = "   ".join(line.told)
        code = line.text.ljust(column) + "   " if marks else line.text
        rows.append(f"{line.number:>{digits}}  {text(code)}{f'<b>{text(marks)}</b>' if marks else ''}")
    more = len(lines) - LINES
    rows += [f"and {count_text(more, 'more line')}"] if more > 0 else []
    head = f"<summary>{text(function.name)}, as it was in {text(trace_name(function.name, trace.id))}</summary>"
    return f"<details>{head}<pre>{chr(10).join(rows)}</pre></details>"
