"""Marks for the names of a user function: what each parameter was at entry and each local at return or raise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jax.core import Tracer
from msgspec.structs import replace

from jax_trace_viz.capture.bodies.holders import holders
from jax_trace_viz.capture.code.places import places_of
from jax_trace_viz.capture.values.kinds import MAX_PARTS, length, parts, preview, status_and_leaves, type_of
from jax_trace_viz.capture.values.real_types import is_a
from jax_trace_viz.contract.events import Mark

if TYPE_CHECKING:
    from types import CodeType, FrameType

    from jax_trace_viz.capture.state import Run
    from jax_trace_viz.contract.source import Binding

_VARARGS, _VARKEYWORDS = 0x4, 0x8
_MAX_NAMES = 200


def parameters(frame: FrameType) -> dict[str, Any]:
    """The parameters of a body at entry. The values are the user's: do not keep them."""
    code, values = frame.f_code, frame.f_locals
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & _VARARGS) + bool(code.co_flags & _VARKEYWORDS)
    return {name: values[name] for name in code.co_varnames[:count] if name in values}


def of_parameters(code: CodeType, values: dict[str, Any]) -> list[Mark]:
    """Marks of the parameters, on the lines of the function's head that name them."""
    lines = places_of(code).parameters
    return [_mark(name, value, "parameter", lines[name], 1) for name, value in values.items()]


def of_locals(run: Run, frame: FrameType) -> list[Mark]:
    """Marks of all locals as they stand at return or raise, each on the line that bound it."""
    code, values, places = run.code, frame.f_locals, places_of(run.code)
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
        marks.append(_mark(name, values[name], "local", at, places.times(at, run.lines) if run.all_lines else 1))
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
    return places_of(code).rebinds


def _mark(name: str, value: Any, binding: Binding, line: int, runs: int) -> Mark:
    if is_a(value, Tracer):  # most are, and have no parts
        return Mark(
            line=line,
            name=name,
            binding=binding,
            status="traced",
            value=None,
            type=type_of(value),
            runs=runs,
            tracers=holders([value]),
        )
    kind, leaves = status_and_leaves(value)
    told = kind == "mixed" or (kind != "static" and len(leaves) <= MAX_PARTS)
    return Mark(
        line=line,
        name=name,
        binding=binding,
        status=kind,
        value=preview(value) if kind == "static" else None,
        type=type_of(value),
        runs=runs,
        parts=(inside := parts(value, leaves) if told else []),
        leaves=len(leaves) if inside else 0,
        length=length(value) if inside else None,
        tracers=holders(leaves),
    )
