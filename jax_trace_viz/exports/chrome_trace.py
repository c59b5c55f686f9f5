"""The timeline in the Trace Event Format, which Perfetto and `chrome://tracing` read.

The format: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU (Google, 2016). Times are
microseconds from the session's begin. Only what was waited for is a span: tracing, lowering and compiling on the
program's threads; what devices did is not recorded.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jax_trace_viz.exports.home import without_home
from jax_trace_viz.session.wording import reason_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Compilation, Document, Function, Place, Trace

_PROCESS = 1
_MICROSECONDS = 1e6
Event = dict[str, Any]


def text(document: Document) -> str:
    """A document's spans as JSON."""
    functions = {function.id: function for function in document.functions}
    threads = {name: number for number, name in enumerate(dict.fromkeys(t.thread for t in document.traces), 1)}
    thread_of = {trace.id: threads[trace.thread] for trace in document.traces}
    spans = [
        *(_trace(trace, functions[trace.function], threads) for trace in document.traces if trace.kind != "call"),
        *(event for one in document.compilations for event in _compilation(one, functions, thread_of)),
    ]
    events = [*_names(threads), *sorted(spans, key=lambda event: (event["ts"], -event["dur"]))]
    return without_home(json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}))


def _names(threads: dict[str, int]) -> Iterator[Event]:
    yield {"ph": "M", "pid": _PROCESS, "name": "process_name", "args": {"name": "JAX tracing"}}
    for name, number in threads.items():
        yield {"ph": "M", "pid": _PROCESS, "tid": number, "name": "thread_name", "args": {"name": name}}


def _trace(trace: Trace, function: Function, threads: dict[str, int]) -> Event:
    details = {
        "trace": trace.id,
        "kind": trace.kind,
        "why": [reason_text(reason) for reason in trace.reasons],
        "arguments": {argument.path: argument.type for argument in trace.arguments},
        "equations": trace.equations.expanded,
    }
    what = f"trace {function.name}"
    return _span(what, "trace", trace.started, trace.seconds, threads[trace.thread], trace.call_site, details)


def _compilation(
    compilation: Compilation, functions: dict[str, Function], thread_of: dict[str, int]
) -> Iterator[Event]:
    thread = thread_of.get(compilation.trace or "", 1)  # of one that followed no trace, the thread is not recorded
    name, began = functions[compilation.function].name, compilation.started
    details: Event = {
        "compilation": compilation.id,
        "trace": compilation.trace,
        "why": [reason_text(reason) for reason in compilation.reasons],
        "persistent cache": compilation.persistent_cache,
        "flops": compilation.flops,
        "bytes accessed": compilation.bytes_accessed,
        "devices": compilation.devices,
    }
    if compilation.lower_seconds:
        lowered = began - compilation.lower_seconds
        yield _span(f"lower {name}", "lower", lowered, compilation.lower_seconds, thread, compilation.call_site, {})
    yield _span(f"compile {name}", "compile", began, compilation.seconds, thread, compilation.call_site, details)


def _span(
    name: str, category: str, started: float, seconds: float, thread: int, place: Place | None, details: Event
) -> Event:
    where = {} if place is None else {"line": f"{place.file}:{place.line}"}
    return {
        "ph": "X",
        "name": name,
        "cat": category,
        "pid": _PROCESS,
        "tid": thread,
        "ts": started * _MICROSECONDS,
        "dur": seconds * _MICROSECONDS,
        "args": {**where, **details},
    }
