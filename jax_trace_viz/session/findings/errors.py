"""Findings about exceptions that ended a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.contract.document import Finding, Outcome, Place, Trace, TraceError
from jax_trace_viz.session.wording import cut, error_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Function
    from jax_trace_viz.session.evidence import Evidence

_FIXES = {
    "TracerBoolConversionError": (
        "Choose by value with `jnp.where` or `jax.lax.cond`; or declare the argument that decides as static, "
        "if it has few values."
    ),
    "TracerIntegerConversionError": (
        "Where a Python integer is needed (`range`, a list index, a shape), declare the argument as static; "
        "else loop with `jax.lax.fori_loop` and index an array with `jnp.take`."
    ),
    "TracerArrayConversionError": (
        "NumPy needs the values, which are not known while tracing: call the `jax.numpy` function of the same name."
    ),
    "ConcretizationTypeError": (
        "What decides about shapes or Python control flow must be static (`static_argnums`, `static_argnames`); "
        "else work with a fixed size and a mask."
    ),
    "NonConcreteBooleanIndexError": (
        "The size of the result depends on values: use `jnp.where(mask, x, fill)`, or `jnp.nonzero(mask, size=…)`."
    ),
    "UnexpectedTracerError": (
        "Return the value from the function instead of storing it in a global, a list or an object."
    ),
    "KeyReuseError": "Split the key with `jax.random.split` and use each new key once.",
}
_KINDS = {"UnexpectedTracerError": "leaked_tracer", "KeyReuseError": "key_reuse"}
_MEANT = frozenset({"GeneratorExit", "KeyboardInterrupt", "SystemExit"})
"""What ends a program because somebody wants it to."""

_UNHASHABLE = "Non-hashable static arguments"
_UNHASHABLE_FIX = (
    "Pass something hashable: a tuple instead of a list, `@dataclass(frozen=True)` instead of a plain dataclass."
)


def errors(evidence: Evidence) -> Iterator[Finding]:
    """The exceptions that ended traces, each told once: at the innermost trace of the user's that it came through."""
    innermost: dict[TraceError, Trace] = {}
    for trace in evidence.failed:
        if trace.error is not None and evidence.functions[trace.function].origin == "user":
            innermost[trace.error] = trace
    for error, trace in innermost.items():
        if error.type not in _MEANT:
            yield _ended_trace(evidence.functions[trace.function], trace, error)
    outcome = evidence.outcome
    if outcome.status == "error" and not any(error.type == outcome.type for error in innermost):
        yield from _ended_program(outcome)


def _ended_trace(function: Function, trace: Trace, error: TraceError) -> Finding:
    if error.type == "UnexpectedTracerError":
        text = f"A value traced in `{function.name}` was used outside of that trace{_at(error.line)}."
    else:
        text = f"Tracing `{function.name}` stopped{_at(error.line)}{_source(function, error)}: {_summary(error)}"
    return Finding(
        kind=_KINDS.get(error.type, "tracing_error"),
        function=function.id,
        trace=trace.id,
        text=text,
        fix=_FIXES.get(error.type),
        place=Place(file=error.file, line=error.line) if error.file and error.line else None,
        seconds=trace.seconds,
    )


def _ended_program(outcome: Outcome) -> Iterator[Finding]:
    """Errors of JAX that are raised at a call, before or after a trace."""
    message = outcome.message or ""
    place = Place(file=outcome.file, line=outcome.line) if outcome.file and outcome.line else None
    kind, text, fix = None, "", None
    if message.startswith(_UNHASHABLE):
        kind, fix = "unhashable_static", _UNHASHABLE_FIX
        text = f"The call{_at(outcome.line)} passes a static argument that cannot be hashed: {cut(message)}"
    elif outcome.type in _KINDS:
        kind, fix = _KINDS[outcome.type], _FIXES[outcome.type]
        text = f"{outcome.type}{_at(outcome.line)}: {cut(message)}"
    if kind is not None:
        yield Finding(kind=kind, function=None, trace=None, text=text, fix=fix, place=place)


def _at(line: int | None) -> str:
    return f" at line {line}" if line else ""


def _source(function: Function, error: TraceError) -> str:
    """The text of the line, if it is one of the function's own."""
    if function.source is None or function.line is None or error.line is None or error.file != function.file:
        return ""
    lines = function.source.splitlines()
    index = error.line - function.line
    return f", `{lines[index].strip()}`" if 0 <= index < len(lines) else ""


def _summary(error: TraceError) -> str:
    return error_text(error.type, error.message)
