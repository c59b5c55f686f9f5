"""Findings about exceptions that ended a trace or the program: what JAX needed, and why it was not there."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.contract.document import Finding, Place, Trace, TraceError
from jax_trace_viz.session.errors.explaining import explain
from jax_trace_viz.session.errors.leaks import CHECKED, of_checked_leak, of_leak
from jax_trace_viz.session.errors.problems import Problem
from jax_trace_viz.session.errors.sites import SCOPES, function_around, locate, located
from jax_trace_viz.session.errors.written import written
from jax_trace_viz.session.provenance import provenance
from jax_trace_viz.session.wording import cut, error_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.environment import Outcome
    from jax_trace_viz.session.errors.sites import Site
    from jax_trace_viz.session.evidence import Evidence

_LEAK = "UnexpectedTracerError"
_FIRST = re.compile(r"(?:`[^`]*`|[^`])*?(?=, but |: |\. |$)")
"""The first part of an explanation; code between backticks is not cut."""
_MEANT = frozenset({"GeneratorExit", "KeyboardInterrupt", "SystemExit"})
"""What ends a program because somebody wants it to."""


def errors(evidence: Evidence) -> Iterator[Finding]:
    """The exceptions that ended traces, each told once: at the innermost trace of the user's that it came through."""
    for told in _all(evidence):
        yield told.finding


def headline(evidence: Evidence) -> str | None:
    """What ended the program, in one sentence; None if that cannot be explained."""
    outcome = evidence.outcome
    for told in _all(evidence):
        place = told.finding.place
        if told.summary and place is not None and (place.file, place.line) == (outcome.file, outcome.line):
            return told.summary
    return None


class _Told(NamedTuple):
    finding: Finding
    summary: str | None
    """The first sentence, without the details; None for what is no error of JAX's."""


def _all(evidence: Evidence) -> Iterator[_Told]:
    innermost: dict[TraceError, Trace] = {}
    for trace in evidence.failed:
        if trace.error is not None and evidence.functions[trace.function].origin == "user":
            innermost[trace.error] = trace
    for error, trace in innermost.items():
        if error.type not in _MEANT:
            yield _ended_trace(evidence, trace, error)
    outcome = evidence.outcome
    if outcome.status == "error" and not any(error.type == outcome.type for error in innermost):
        yield from _ended_program(evidence, outcome)


def _ended_trace(evidence: Evidence, trace: Trace, error: TraceError) -> _Told:
    if error.type == _LEAK:
        return _leaked(evidence, error)
    helper = evidence.functions[trace.function].name if trace.kind == "call" else None
    innermost, trace = trace, _traced(evidence, trace)
    function = evidence.functions[trace.function]
    problem = _problem(evidence, trace, error)
    problem = replace(problem, types=_types_at(evidence, innermost, error, problem.site))
    if error.message.startswith(CHECKED):
        told = "leaked_tracer", of_checked_leak(error.message, function.name)
    else:
        told = explain(problem, evidence)
    kind, (why, fix) = told or ("tracing_error", (error_text(error.type, error.message).rstrip("."), None))
    inside = f" in `{helper}`" if helper and helper != function.name else ""
    at = _at(evidence, error)
    where = f"{at}{_source(evidence, error, problem.site)}{inside}"
    finding = Finding(
        kind=kind,
        function=function.id,
        trace=trace.id,
        text=f"Tracing `{function.name}` stopped{where}: {why}.",
        fix=fix,
        place=Place(file=error.file, line=error.line) if error.file and error.line else None,
        seconds=trace.seconds,
    )
    return _Told(finding, _summary(f"Tracing {function.name}", at, why, error.type) if told else None)


def _ended_program(evidence: Evidence, outcome: Outcome) -> Iterator[_Told]:
    """Errors of JAX that are raised at a call, before or after a trace."""
    message = outcome.message or ""
    if outcome.type == _LEAK:
        yield _leaked(evidence, outcome)
        return
    site = located(outcome.source)
    in_helper = outcome.call_line not in (None, outcome.line)
    if outcome.holder is not None and (not in_helper or not outcome.holder.isidentifier()):
        # A tracer outside of all traces. A plain local of a function may be one of a trace that was not recorded.
        yield _leaked(evidence, outcome)
        return
    told = explain(Problem(outcome.type or "", message, site, in_helper=in_helper), evidence)
    if told is None:
        return
    kind, (why, fix) = told
    source = f", `{_on_one_line(outcome.source, site)}`" if outcome.source else ""
    at = _at(evidence, outcome)
    finding = Finding(
        kind=kind,
        function=None,
        trace=None,
        text=f"The program stopped{at}{source}: {why}.",
        fix=fix,
        place=Place(file=outcome.file, line=outcome.line) if outcome.file and outcome.line else None,
    )
    yield _Told(finding, _summary("The program", at, why, outcome.type or ""))


def _summary(what: str, at: str, why: str, type: str) -> str:
    found = _FIRST.match(why)
    short = found[0] if found else why
    traced = ", which is traced" if why.startswith(f"{short}, but that is traced") else ""
    return f"{what} stopped{at}: {short}{traced} ({type})."


def _leaked(evidence: Evidence, error: TraceError | Outcome) -> _Told:
    function, (why, fix) = of_leak(error.message or "", evidence.outcome, evidence)
    at, file, line = _at(evidence, error), error.file, error.line
    traces = evidence.newest(function.id) if function is not None else []
    source = evidence.outcome.source if (evidence.outcome.file, evidence.outcome.line) == (file, line) else None
    finding = Finding(
        kind="leaked_tracer",
        function=function.id if function is not None else None,
        trace=traces[0].id if traces else None,
        text=f"The program stopped{at}{f', `{cut(source)}`' if source else ''}: {why}.",
        fix=fix,
        place=Place(file=file, line=line) if file and line else None,
    )
    return _Told(finding, _summary("The program", at, why, _LEAK))


def _problem(evidence: Evidence, trace: Trace, error: TraceError) -> Problem:
    """The error with its piece of source, and with the value that was needed, if one was."""
    functions = list(evidence.functions.values())
    owner = _owner(evidence, trace)
    origin = None
    if owner is not None:
        jaxpr = evidence.jaxprs[owner.jaxpr or ""]
        assert jaxpr.needed is not None
        origin = provenance(jaxpr, evidence.frames, functions, jaxpr.needed, function_around(functions, error))
    of = evidence.functions[owner.function].name if owner is not None and owner is not trace else ""
    site = locate(functions, error)
    defined = (
        one for one in (site.parents if site is not None else ()) if isinstance(one, ast.FunctionDef | ast.Lambda)
    )
    around = next(defined, None)
    name = around.name if isinstance(around, ast.FunctionDef) else "<lambda>"
    in_helper = name != evidence.functions[trace.function].name
    if origin is None and site is not None and not in_helper and trace.jaxpr is None:
        shift = (evidence.functions[trace.function].line or 0) - 2
        is_numpys = error.type == "TracerArrayConversionError"
        origin = written(site, trace, evidence.marks.get(trace.id, ()), shift, numpys=is_numpys)
    return Problem(error.type, error.message, site, origin, owner or trace, of, in_helper)


def _types_at(evidence: Evidence, trace: Trace, error: TraceError, site: Site | None) -> dict[str, str]:
    """What the names at a place were when the error rose, if the place is in this trace's own body."""
    function, line = evidence.functions[trace.function], error.line or 0
    inside = function.file == error.file and (function.line or 0) <= line <= (function.end_line or 0)
    scope = next((one for one in site.parents if isinstance(one, SCOPES)), None) if site is not None else None
    if not inside or not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef) or scope.name != function.name:
        return {}
    found: dict[str, str] = {}
    for mark in sorted(evidence.marks.get(trace.id, ()), key=lambda mark: mark.binding == "local"):
        if mark.status in ("traced", "concrete_array"):
            found[mark.name] = mark.type
        found.update((f"{mark.name}{part.path}", part.type) for part in mark.parts if part.status != "static")
    return found


def _traced(evidence: Evidence, trace: Trace) -> Trace:
    """The trace that JAX caused, for a helper that plain Python called inside it."""
    while trace.kind == "call" and trace.parent in evidence.traces:
        trace = evidence.traces[trace.parent]
    return trace


def _owner(evidence: Evidence, trace: Trace) -> Trace | None:
    """The trace that the needed value belongs to: this one, or one around it that failed with it."""
    here: Trace | None = trace
    while here is not None:
        jaxpr = evidence.jaxprs.get(here.jaxpr or "")
        if here.error is not None and jaxpr is not None and jaxpr.needed is not None:
            return here
        here = evidence.traces.get(here.parent or "")
    return None


def _at(evidence: Evidence, error: TraceError | Outcome) -> str:
    name = evidence.line_text(error.file, error.line)
    return f" at {name}" if name else ""


def _source(evidence: Evidence, error: TraceError, site: Site | None) -> str:
    """The text of the line, if it is one of a recorded function's; of an expression on several lines, all of it."""
    for function in evidence.functions.values():
        index = (error.line or 0) - (function.line or 0)
        if function.source and function.file == error.file and error.line and function.line:
            lines = function.source.splitlines()
            if 0 <= index < len(lines):
                several = (error.end_line or 0) > error.line and site is not None and isinstance(site.node, ast.expr)
                text = site.text if several and site is not None else lines[index].strip()
                return f", `{text.removesuffix(':')}`"
    return ""


def _on_one_line(source: str, site: Site | None) -> str:
    return site.text if site is not None and "\n" in source.strip() else cut(source)
