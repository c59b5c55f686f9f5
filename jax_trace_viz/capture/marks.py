"""Marks for the names of a user function: what each parameter was at entry and each local at return or raise."""

from __future__ import annotations

import dis
import linecache
import re
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.values import preview, status, type_of
from jax_trace_viz.contract.events import Mark

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from jax_trace_viz.contract.document import Binding

_VARARGS, _VARKEYWORDS = 0x4, 0x8
_MAX_NAMES = 200
_DEF = re.compile(r"\s*(async\s+)?def\b")
_bindings: dict[int, tuple[CodeType, dict[str, list[int]]]] = {}


def parameters(frame: FrameType) -> dict[str, Any]:
    """The parameters of a body at entry. The values are the user's: do not keep them."""
    code, values = frame.f_code, frame.f_locals
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & _VARARGS) + bool(code.co_flags & _VARKEYWORDS)
    return {name: values[name] for name in code.co_varnames[:count] if name in values}


def of_parameters(code: CodeType, values: dict[str, Any]) -> list[Mark]:
    """Marks of the parameters, on the lines of the function's head that name them."""
    return [_mark(name, value, "parameter", _head_line(code, name), 1) for name, value in values.items()]


def of_locals(code: CodeType, frame: FrameType, ran: dict[int, int], *, complete: bool) -> list[Mark]:
    """Marks of all locals as they stand, each on the line that bound it.

    Args:
        code: The body's code.
        frame: Its frame, at return or raise.
        ran: Line → how often it ran, the newest last.
        complete: Whether `ran` has all lines that ran, or only some.
    """
    values, bindings = frame.f_locals, _lines(code)
    own = {*code.co_varnames, *code.co_cellvars}
    marks: list[Mark] = []
    for name in [name for name in values if name in own][:_MAX_NAMES]:
        lines = bindings.get(name, [])
        # A branch that was not taken bound nothing.
        line = next((line for line in reversed(ran) if line in lines), None)
        if line is None and not complete:
            line = max(lines, default=None)
        at = _head_line(code, name) if line is None else line
        marks.append(_mark(name, values[name], "local", at, ran.get(at, 1) if complete else 1))
    return marks


def rebinds(code: CodeType) -> bool:
    """Whether some name is bound on several lines, so that it matters which of them ran."""
    return any(len(lines) > 1 for name, lines in _lines(code).items() if name)


def _mark(name: str, value: Any, binding: Binding, line: int, runs: int) -> Mark:
    kind = status(value)
    shown = preview(value) if kind == "static" else None
    return Mark(line=line, name=name, binding=binding, status=kind, value=shown, type=type_of(value), runs=runs)


def _lines(code: CodeType) -> dict[str, list[int]]:
    """Name → the lines of the body that bind it."""
    known = _bindings.get(id(code))
    if known is None:
        known = _bindings[id(code)] = (code, {**_find_lines(code), "": _head(code)})
    return known[1]


def _find_lines(code: CodeType) -> dict[str, list[int]]:
    lines: dict[str, list[int]] = {}
    for instruction in dis.get_instructions(code):
        line = instruction.positions.lineno if instruction.positions else None
        if line is None or not instruction.opname.startswith(("STORE_FAST", "STORE_DEREF")):
            continue
        bound = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
        for name in bound:
            lines.setdefault(name, []).append(line)
    return lines


def _head(code: CodeType) -> list[int]:
    """The lines from `def` to the first statement; `co_firstlineno` is that of the first decorator."""
    first = code.co_firstlineno
    body = min((line for _, _, line in code.co_lines() if line and line > first), default=first)
    for line in range(first, body + 1):
        if _DEF.match(linecache.getline(code.co_filename, line)):
            return list(range(line, max(body, line + 1)))
    return [first]


def _head_line(code: CodeType, name: str) -> int:
    """The line of the function's head on which a parameter stands."""
    lines = _lines(code)[""]
    word = re.compile(rf"\b{re.escape(name)}\b")
    return next((line for line in lines if word.search(linecache.getline(code.co_filename, line))), lines[0])
