"""A session as plain text: for terminals, logs, and wherever nothing else can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.exports.escaping import for_terminal
from jax_trace_viz.exports.home import without_home
from jax_trace_viz.session.call_sites import call_sites
from jax_trace_viz.session.evidence import Evidence, total
from jax_trace_viz.session.recorded.memory import dropped_text
from jax_trace_viz.session.source.line_names import LineNames
from jax_trace_viz.session.verdict import verdict
from jax_trace_viz.session.wording import count_text, reason_text, seconds_text, trace_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.document import Document, Finding, Function, Trace
    from jax_trace_viz.contract.view import Update

FUNCTIONS = 20
"""Functions listed; the others are counted."""

TRACES = 50
"""Traces explained in a report; the others are counted."""

_HEADS = ("function", "calls", "traces", "hits", "compiles", "seconds")


def summary(update: Update) -> str:
    """Verdict, findings and functions: what a notebook shows where it can show no picture."""
    parts = [update.verdict, _findings(update.findings), _functions(update.functions), update.note]
    return for_terminal(without_home("\n\n".join(part for part in parts if part)))


def line(update: Update) -> str:
    """The verdict alone."""
    return for_terminal(without_home(update.verdict))


def verdict_line(document: Document, seconds: float) -> str:
    """The verdict of a whole document. `seconds` is how long a running session lasts so far."""
    return for_terminal(without_home(verdict(document, document.outcome.status, seconds)))


def short(document: Document) -> str:
    """Verdict, findings and functions of a whole document."""
    parts = [verdict(document, document.outcome.status), _findings(document.findings)]
    parts += [_functions(Evidence(document).ranked), dropped_text(document.dropped)]
    return for_terminal(without_home("\n\n".join(part for part in parts if part) + "\n"))


def report(document: Document) -> str:
    """The whole document in words: the summary, then why each of the user's traces happened."""
    evidence = Evidence(document)
    state = document.outcome.status
    parts = [verdict(document, state), _findings(document.findings), _functions(evidence.ranked)]
    names = LineNames.of_document(document)
    parts += [_call_sites(document, evidence, names), _traces(evidence, names)]
    if document.environment.limited:
        parts.append(f"This recording is incomplete; not all was watched: {', '.join(document.environment.limited)}.")
    parts.append(dropped_text(document.dropped))
    return for_terminal(without_home("\n\n".join(part for part in parts if part) + "\n"))


def _findings(findings: Sequence[Finding]) -> str:
    lines: list[str] = []
    for finding in findings:
        cost = f" ({seconds_text(finding.seconds)})" if finding.seconds else ""
        lines.append(f"• {finding.text}{cost}")
        if finding.fix:
            lines.append(f"  What usually helps: {finding.fix}")
    return "\n".join(lines)


def _functions(functions: Sequence[Function]) -> str:
    users = [function for function in functions if function.origin == "user"]
    if not users:
        return ""
    rows = [_HEADS, *(_row(function) for function in users[:FUNCTIONS])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    lines = ["  ".join(_aligned(row, widths)) for row in rows]
    if len(users) > FUNCTIONS:
        lines.append(f"and {count_text(len(users) - FUNCTIONS, 'more function')}")
    return "\n".join(lines)


def _aligned(row: tuple[str, ...], widths: list[int]) -> list[str]:
    """The name to the left, numbers to the right."""
    numbers = zip(row[1:], widths[1:], strict=True)
    return [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in numbers)]


def _row(function: Function) -> tuple[str, ...]:
    counts = (function.calls, function.traces, function.cache_hits, function.compiles)
    return (function.qualname, *map(str, counts), seconds_text(total(function)))


def _call_sites(document: Document, evidence: Evidence, names: LineNames) -> str:
    """Which lines caused what; of one line alone the functions say it all."""
    users = {function.id for function in document.functions if function.origin == "user"}
    sites = call_sites(document.traces, document.compilations, users)
    if len(sites) < 2:
        return ""
    lines = [
        f"{names.long(site.place)} called {evidence.functions[site.function].qualname}: "
        f"{count_text(site.traces, 'trace')}, {count_text(site.compiles, 'compilation')}, {seconds_text(site.seconds)}"
        for site in sites[:FUNCTIONS]
    ]
    if len(sites) > FUNCTIONS:
        lines.append(f"and {count_text(len(sites) - FUNCTIONS, 'more call site')}")
    return "\n".join(lines)


def _traces(evidence: Evidence, names: LineNames) -> str:
    users = [t for f in evidence.ranked for t in evidence.traces_of(f.id)]
    lines = [_trace(evidence, names, trace) for trace in users[:TRACES]]
    if len(users) > TRACES:
        lines.append(f"and {count_text(len(users) - TRACES, 'more trace')}")
    return "\n".join(lines)


def _trace(evidence: Evidence, names: LineNames, trace: Trace) -> str:
    reasons = "; ".join(reason_text(reason) for reason in trace.reasons)
    place = f", {names.long(trace.call_site)}" if trace.call_site else ""
    name = evidence.functions[trace.function].qualname
    compared = f" (compared with {trace_name(name, trace.compared_with)})" if trace.compared_with else ""
    return f"{trace_name(name, trace.id)}{place}: {reasons}{compared}, {seconds_text(evidence.cost(trace))}"
