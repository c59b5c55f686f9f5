"""A session as HTML that needs no script and no network: a notebook's fallback, and a page of its own.

All text of the user's is escaped; pictures are images with the data in their address, which notebooks let through even
where they trust nothing.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from jax_trace_viz.exports.escaping import prose, text
from jax_trace_viz.exports.home import without_home
from jax_trace_viz.exports.source_html import sources
from jax_trace_viz.exports.svg import svg
from jax_trace_viz.exports.why_html import why
from jax_trace_viz.session.evidence import Evidence, total
from jax_trace_viz.session.findings import advice
from jax_trace_viz.session.front_end.selection import newest_traces
from jax_trace_viz.session.graph import build_graph
from jax_trace_viz.session.recorded.memory import dropped_text
from jax_trace_viz.session.source.line_names import LineNames
from jax_trace_viz.session.verdict import verdict as verdict_of
from jax_trace_viz.session.why import Cards
from jax_trace_viz.session.wording import count_text, reason_text, seconds_text, trace_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jax_trace_viz.contract.document import Document, Finding, Function
    from jax_trace_viz.contract.picture import Graph
    from jax_trace_viz.contract.view import Update

FALLBACK_BYTES = 150_000
"""A notebook's fallback is kept below this; a picture that does not fit is left out, with words."""

FUNCTIONS = 50
"""Functions listed; the others are counted."""

SOURCE_BYTES = 30_000
"""The sources with their marks in a notebook's fallback."""

GRAPHS = 6
"""Graphs drawn in a page."""

CARDS = 10
"""Why cards in a notebook's fallback; the others are counted."""

PAGE_CARDS = 100
"""Why cards in a page."""

_HEADS = ("Function", "Calls", "Traces", "Cache hits", "Compiles", "Cost")

_STYLE = """
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
code, td { font-family: ui-monospace, monospace; font-size: 13px; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid; padding: 0.2rem 0.8rem; text-align: right; }
th:first-child, td:first-child { text-align: left; }
img { max-width: 100%; height: auto; }
details { margin: 0.4rem 0; }
"""


def verdict(update: Update) -> str:
    """One line, for a cell that nobody asked to record."""
    return without_home(f"<div><p>{prose(update.verdict)}</p></div>")


def fallback(update: Update) -> str:
    """What a notebook shows of a cell where our front end is missing."""
    cards = Cards(update.functions, update.traces, update.compilations, update.advice).again()
    words = "".join(
        [
            f"<p><b>{prose(update.verdict)}</b></p>",
            _titled("Findings", _findings(update.findings)),
            _functions(update.functions),
            _titled("Why again?", why(cards, CARDS, LineNames.of_update(update))),
        ]
    )
    note = f"<p>{text(update.note)}</p>" if update.note else ""
    room = min(SOURCE_BYTES, (FALLBACK_BYTES - len(words.encode())) // 4)
    told = update.annotations, update.line_marks, update.environment
    body = words + _titled("Source", sources(update.functions, update.traces, *told, room)) + note
    shown = [graph for graph in update.graphs if graph.trace == update.selected]
    return without_home(f"<div>{body}{_graphs(shown, FALLBACK_BYTES - len(body.encode()))}</div>")


def page(document: Document) -> str:
    """A page of its own, with the graphs of the costliest functions."""
    evidence, names = Evidence(document), LineNames.of_document(document)
    title = verdict_of(document, document.outcome.status)
    cards = Cards(document.functions, document.traces, document.compilations, advice(evidence))
    missing = dropped_text(document.dropped)
    graphs = [build_graph(document, trace.id) for trace in newest_traces(evidence)[:GRAPHS]]
    body = "".join(
        [
            f"<h1>JAX Trace</h1><p><b>{prose(title)}</b></p>",
            _part("Findings", _findings(document.findings)),
            _part("Functions", _functions(evidence.ranked)),
            _part("Why again?", why(cards.again(), PAGE_CARDS, names)),
            _part(
                "Source",
                sources(
                    evidence.ranked, document.traces, document.annotations, document.line_marks, document.environment
                ),
            ),
            _part("Graphs", _graphs(graphs, None)),
            _part("Traces", _traces(evidence, names)),
            f"<p>{text(missing)}</p>" if missing else "",
        ]
    )
    head = f'<meta charset="utf-8"><title>JAX Trace</title><style>{_STYLE}</style>'
    return without_home(f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n')


def _part(title: str, body: str) -> str:
    """A part of a page under its heading; nothing where there is none."""
    return f"<h2>{title}</h2>{body}" if body else ""


def _titled(title: str, body: str) -> str:
    """Bold, no heading: in a notebook that would stand among the notebook's own."""
    return f"<p><b>{title}</b></p>{body}" if body else ""


def _findings(findings: Iterable[Finding]) -> str:
    items: list[str] = []
    for finding in findings:
        cost = f" ({seconds_text(finding.seconds)})" if finding.seconds else ""
        fix = f"<br>What usually helps: {prose(finding.fix)}" if finding.fix else ""
        items.append(f"<li>{prose(finding.text)}{cost}{fix}</li>")
    return f'<ul aria-label="Findings">{"".join(items)}</ul>' if items else ""


def _functions(functions: Sequence[Function]) -> str:
    users = [function for function in functions if function.origin == "user" and not _is_helper(function)]
    if not users:
        return ""
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    rows = "".join(_row(function) for function in users[:FUNCTIONS])
    more = len(users) - FUNCTIONS
    rest = f"<p>and {count_text(more, 'more function')}</p>" if more > 0 else ""
    head = f"<thead><tr>{heads}</tr></thead>"
    return f'<table aria-label="Functions">{head}<tbody>{rows}</tbody></table>{rest}'


def _is_helper(function: Function) -> bool:
    """Plain Python that traced functions called: it has no traces of its own."""
    return not (function.calls or function.traces or function.compiles)


def _row(function: Function) -> str:
    counts = (function.calls, function.traces, function.cache_hits, function.compiles)
    cells = [text(function.qualname), *map(str, counts), seconds_text(total(function))]
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _graphs(graphs: Iterable[Graph], room: int | None) -> str:
    parts: list[str] = []
    for graph in graphs:
        data = base64.b64encode(svg(graph).encode()).decode()
        name = text(f"Computation graph of {graph.name}")
        if room is not None and len(data) > room:
            parts.append(f"<p>{name}: too large for this view.</p>")
            continue
        room = None if room is None else room - len(data)
        parts.append(f'<p><img alt="{name}" src="data:image/svg+xml;base64,{data}"></p>')
    return "".join(parts)


def _traces(evidence: Evidence, names: LineNames) -> str:
    rows: list[str] = []
    for function in evidence.ranked:
        for trace in evidence.traces_of(function.id):
            reasons = text("; ".join(reason_text(reason) for reason in trace.reasons))
            place = text(names.long(trace.call_site)) if trace.call_site else ""
            cost = seconds_text(evidence.cost(trace))
            name = text(trace_name(function.qualname, trace.id))
            rows.append(f"<li><code>{name}</code> {place}: {reasons}, {cost}</li>")
    return f"<ul>{''.join(rows)}</ul>" if rows else ""
