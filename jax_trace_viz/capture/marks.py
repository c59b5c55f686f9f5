"""Marks for the names of a user function: what each parameter was at entry and each local at return or raise."""

from __future__ import annotations

import dis
import linecache
import re
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from jax_trace_viz.capture.values import preview, status, type_of
from jax_trace_viz.contract.events import Mark

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from jax_trace_viz.capture.state import Run
    from jax_trace_viz.contract.document import Binding

_VARARGS, _VARKEYWORDS = 0x4, 0x8
_MAX_NAMES = 200
_DEF = re.compile(r"\s*(async\s+)?def\b")


class _Places:
    """Where a function's names stand: the head line of each parameter, and the lines that bind each name."""

    __slots__ = ("bindings", "code", "head", "parameters", "rebinds")

    def __init__(self, code: CodeType) -> None:
        self.code = code  # kept, since its identity is the key
        self.bindings = _find_lines(code)
        self.rebinds = any(len(lines) > 1 for lines in self.bindings.values())
        self.head = _head(code)
        self.parameters = {name: _head_line(code, self.head, name) for name in code.co_varnames}


_known: dict[int, _Places] = {}


def _places(code: CodeType) -> _Places:
    known = _known.get(id(code))
    if known is None:
        known = _known[id(code)] = _Places(code)
    return known


def parameters(frame: FrameType) -> dict[str, Any]:
    """The parameters of a body at entry. The values are the user's: do not keep them."""
    code, values = frame.f_code, frame.f_locals
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & _VARARGS) + bool(code.co_flags & _VARKEYWORDS)
    return {name: values[name] for name in code.co_varnames[:count] if name in values}


def of_parameters(code: CodeType, values: dict[str, Any]) -> list[Mark]:
    """Marks of the parameters, on the lines of the function's head that name them."""
    lines = _places(code).parameters
    return [_mark(name, value, "parameter", lines[name], 1) for name, value in values.items()]


def of_locals(run: Run, frame: FrameType) -> list[Mark]:
    """Marks of all locals as they stand at return or raise, each on the line that bound it."""
    code, values, places = run.code, frame.f_locals, _places(run.code)
    own = {*code.co_varnames, *code.co_cellvars}
    unchanged = {mark.name: mark for mark in run.marks if mark.name not in places.bindings}
    marks: list[Mark] = []
    for name in [name for name in values if name in own][:_MAX_NAMES]:
        if name in unchanged:
            marks.append(replace(unchanged[name], binding="local"))
            continue
        passed = run.at_entry.get(name) == id(values[name])
        line = _bound_at(places.bindings.get(name, []), run, passed=passed)
        at = places.parameters.get(name, places.head[0]) if line is None else line
        marks.append(_mark(name, values[name], "local", at, run.lines.get(at, 1) if run.all_lines else 1))
    return marks


def _bound_at(lines: list[int], run: Run, *, passed: bool) -> int | None:
    """The line that bound a name last; None if that was the call. A branch that was not taken bound nothing.

    Where not all lines that ran are known, a value that was `passed` for the name was bound by the call, and any other
    by the last line that may have.
    """
    if passed and not run.all_lines:
        return None
    line = next((line for line in reversed(run.lines) if line in lines), None)
    return max(lines, default=None) if line is None and not run.all_lines else line


def rebinds(code: CodeType) -> bool:
    """Whether some name is bound on several lines, so that it matters which of them ran."""
    return _places(code).rebinds


def _mark(name: str, value: Any, binding: Binding, line: int, runs: int) -> Mark:
    kind = status(value)
    shown = preview(value) if kind == "static" else None
    return Mark(line=line, name=name, binding=binding, status=kind, value=shown, type=type_of(value), runs=runs)


def _find_lines(code: CodeType) -> dict[str, list[int]]:
    lines: dict[str, list[int]] = {}
    for instruction in dis.get_instructions(code):
        line = instruction.positions.lineno if instruction.positions else None
        if line is None or not instruction.opname.startswith(("STORE_FAST", "STORE_DEREF")):
            continue
        names = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
        stores = instruction.opname.count("STORE")  # since Python 3.13 one instruction may store one and load the next
        for name in names[:stores]:
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


def _head_line(code: CodeType, head: list[int], name: str) -> int:
    """The line of the function's head on which a parameter stands."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    return next((line for line in head if word.search(linecache.getline(code.co_filename, line))), head[0])
