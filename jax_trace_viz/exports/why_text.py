"""Why cards as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from jax_trace_viz.exports.escaping import for_terminal
from jax_trace_viz.session.evidence import Evidence
from jax_trace_viz.session.findings import advice
from jax_trace_viz.session.front_end.selection import not_traced
from jax_trace_viz.session.jaxpr_diff import compare
from jax_trace_viz.session.source.line_names import LineNames
from jax_trace_viz.session.why import Cards, costliest
from jax_trace_viz.session.wording import count_text, seconds_text, trace_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.contract.document import Document
    from jax_trace_viz.contract.listing import DiffLine, JaxprDiff
    from jax_trace_viz.session.why import Card, Part

CARDS = 50
"""Cards written; the others are counted."""

DIFFERENT = 40
"""Parts that changed, or may have, which a table lists, and"""
SAME = 8
"""parts that did not; the others are counted."""

VERDICTS = {
    "cause": "the cause",
    "changed": "changed too",
    "same": "same",
    "differs": "differs",
    "unknown": "not known",
}
SIGNS = {"cause": "↻", "changed": "↻", "same": "", "differs": "", "unknown": "?"}
_DIFF_SIGNS = {"same": " ", "skipped": " ", "removed": "-", "before": "-", "added": "+", "after": "+"}


def why(document: Document, function: str | None = None, *, diff: bool = False) -> str:
    """The why cards of a document: of all retraces and recompilations of the user's functions, in order of time.

    Where there are more than 50, the costliest are told. What changed after a trace, so that a new one was due and did
    not come, follows them.

    Args:
        document: The session.
        function: Name, qualified name or id of a function: then all its traces, in order.
        diff: Whether to tell what each retrace changed in the jaxpr.

    Raises:
        LookupError: No such function was traced or compiled. The message is one sentence for people.
    """
    evidence = Evidence(document)
    found = Cards(document.functions, document.traces, document.compilations, advice(evidence))
    cards = found.again() if function is None else found.of_function(function)
    names = LineNames.of_document(document)
    stale = _not_traced_again(document, function, names)
    if not cards and not stale and function is not None:
        raise LookupError(not_traced(evidence, function))
    if not cards and not stale:
        return "Nothing of yours was traced or compiled again.\n"
    shown = costliest(cards, CARDS)
    parts = [card_text(card, names) + (_changes(document, card) if diff else "") for card in shown]
    if len(cards) > CARDS:
        parts.append(f"and {count_text(len(cards) - CARDS, 'more retrace')}")
    return for_terminal("\n\n".join([*parts, *stale]) + "\n")


def _not_traced_again(document: Document, function: str | None, lines: LineNames) -> list[str]:
    """What changed after a trace had read it, while calls went on being answered by the cached program."""
    names = {f.id: (f.id, f.name, f.qualname) for f in document.functions}
    parts: list[str] = []
    for finding in document.findings:
        of = names.get(finding.function or "", ())
        if finding.kind == "stale_value" and of and (function is None or function in of):
            helps = [f"  What usually helps: {finding.fix}"] if finding.fix else []
            where = [f"  Read at {lines.long(finding.place)}."] if finding.place else []
            question = f"Why was {of[1]} not traced again?"
            parts.append("\n".join([question, f"  {finding.text}", *where, *helps]))
    return parts


def card_text(card: Card, names: LineNames) -> str:
    """One card."""
    called = f"Called at {names.long(card.call_site)}." if card.call_site else ""
    lines = [card.question, f"  {card.answer}"]
    shown, more = table_of(card)
    if shown:
        lines += ["", *_table(shown), *([f"    {more}"] if more else []), ""]
    facts = (card.compared, f"Cost: {cost_text(card)}", card.caches, called)
    lines += [f"  {fact}" for fact in facts if fact]
    if card.advice:
        lines.append(f"  What usually helps: {card.advice}")
    return "\n".join(lines)


def cost_text(card: Card) -> str:
    """`31 ms: trace 5 ms (3 ms of it in 2 nested traces), lower 6 ms, compile 20 ms.`."""
    cost = card.cost
    parts: list[str] = []
    if cost.trace or not card.subject.startswith("c"):
        inside = (
            f" ({seconds_text(cost.nested)} of it in {count_text(cost.inner, 'nested trace')})" if cost.inner else ""
        )
        parts.append(f"trace {seconds_text(cost.trace)}{inside}")
    if cost.lower or cost.compile:
        parts += [f"lower {seconds_text(cost.lower)}", f"compile {seconds_text(cost.compile)}"]
    outer = f" Its time is contained in that of {card.outer}." if card.outer else ""
    return f"{seconds_text(cost.total)}: {', '.join(parts)}.{outer}"


def table_of(card: Card) -> tuple[list[Part], str]:
    """The parts to list, and how many more there are."""
    left = {"same": SAME, "different": DIFFERENT}
    shown: list[Part] = []
    for part in card.parts:
        sort = "same" if part.verdict == "same" else "different"
        left[sort] -= 1
        if left[sort] >= 0:
            shown.append(part)
    words = {"different": ("more part is not", "more parts are not"), "same": ("more part is", "more parts are")}
    more = [f"{count_text(-left[sort], *forms)} the same" for sort, forms in words.items() if left[sort] < 0]
    return shown, f"and {', '.join(more)}" if more else ""


def _table(parts: Sequence[Part]) -> list[str]:
    rows = [("part", "before", "now", "same?"), *((p.name, p.before, p.now, VERDICTS[p.verdict]) for p in parts)]
    signs = ["", *(SIGNS[part.verdict] for part in parts)]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return [
        f"  {sign or ' '} {'  '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=False))}  {row[3]}"
        for sign, row in zip(signs, rows, strict=True)
    ]


def _changes(document: Document, card: Card) -> str:
    traces = {trace.id: trace for trace in document.traces}
    after = traces.get(card.subject)
    before = traces.get(after.compared_with or "") if after else None
    if after is None or before is None:
        return ""
    diff = compare(before, after, {jaxpr.id: jaxpr for jaxpr in document.jaxprs}, document.frames)
    names = {function.id: function.name for function in document.functions}
    return f"\n\n{diff_text(diff, names.get(after.function, after.function))}" if diff else ""


def diff_text(diff: JaxprDiff, function: str) -> str:
    """What changed in a function's jaxpr; equations that differ in types and sizes only are counted."""
    before, after = trace_name(function, diff.before), trace_name(function, diff.after)
    lines = [f"  What changed in the jaxpr, {before} → {after}: {diff_summary(diff)}"]
    shown = _without_sizes(diff.lines) if diff.added + diff.removed + _others(diff) else []
    lines += [f"  {_DIFF_SIGNS[line.sign]} {'  ' * line.depth}{line.text}" for line in shown]
    return "\n".join([*lines, *([f"  {diff.note}"] if diff.note else [])])


def _without_sizes(lines: Sequence[DiffLine]) -> list[DiffLine]:
    """A line for each run of lines that are about types and sizes only."""
    kept: list[DiffLine] = []
    for place, line in enumerate(lines):
        if not line.sizes_only:
            kept.append(line)
        elif place == 0 or not lines[place - 1].sizes_only:
            kept.append(replace(line, sign="skipped", text="…"))
    return kept


def diff_summary(diff: JaxprDiff) -> str:
    """`1 equation added, 2 changed, 7 the same.`."""
    counts = [(diff.added, "added"), (diff.removed, "removed"), (_others(diff), "changed")]
    counts += [(diff.resized, "with other types or sizes only"), (diff.same, "the same")]
    if not any(count for count, _ in counts[:-1]) and diff.same:
        return f"nothing. {count_text(diff.same, 'equation')}, the same in both."
    words = [f"{count} {word}" for count, word in counts if count]
    return f"{', '.join(words) or 'it has no equations'}."


def _others(diff: JaxprDiff) -> int:
    return diff.changed - diff.resized
