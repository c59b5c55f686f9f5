"""Marks for the names of a user function: what each parameter was at entry and each local at return or raise."""

from __future__ import annotations

import dis
from typing import TYPE_CHECKING, Any

from jax_trace_viz.capture.values import preview, status, type_of
from jax_trace_viz.contract.events import Mark

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from jax_trace_viz.contract.document import Binding

_VARARGS, _VARKEYWORDS = 0x4, 0x8
_MAX_NAMES = 200
_binding_lines: dict[int, tuple[CodeType, dict[str, int]]] = {}


def parameters(frame: FrameType) -> dict[str, Any]:
    """The parameters of a body at entry. The values are the user's: do not keep them."""
    code, values = frame.f_code, frame.f_locals
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & _VARARGS) + bool(code.co_flags & _VARKEYWORDS)
    return {name: values[name] for name in code.co_varnames[:count] if name in values}


def of_parameters(code: CodeType, values: dict[str, Any]) -> list[Mark]:
    """Marks of the parameters, on the line of the `def`."""
    return [_mark(name, value, "parameter", code.co_firstlineno) for name, value in values.items()]


def of_locals(code: CodeType, frame: FrameType) -> list[Mark]:
    """Marks of all locals as they stand, each on the last line that binds it."""
    lines = _lines(code)
    values = frame.f_locals
    own = {*code.co_varnames, *code.co_cellvars}
    names = [name for name in values if name in own][:_MAX_NAMES]
    return [_mark(name, values[name], "local", lines.get(name, code.co_firstlineno)) for name in names]


def _mark(name: str, value: Any, binding: Binding, line: int) -> Mark:
    kind = status(value)
    shown = preview(value) if kind == "static" else None
    return Mark(line=line, name=name, binding=binding, status=kind, value=shown, type=type_of(value))


def _lines(code: CodeType) -> dict[str, int]:
    """Name → the last line of the body that binds it."""
    known = _binding_lines.get(id(code))
    if known is None:
        known = _binding_lines[id(code)] = (code, _find_lines(code))
    return known[1]


def _find_lines(code: CodeType) -> dict[str, int]:
    lines: dict[str, int] = {}
    for instruction in dis.get_instructions(code):
        line = instruction.positions.lineno if instruction.positions else None
        if line is None or not instruction.opname.startswith(("STORE_FAST", "STORE_DEREF")):
            continue
        bound = instruction.argval if isinstance(instruction.argval, tuple) else (instruction.argval,)
        for name in bound:
            lines[name] = max(line, lines.get(name, 0))
    return lines
