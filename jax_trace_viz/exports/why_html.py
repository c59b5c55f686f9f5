"""Why cards as HTML: each opens by itself, without script."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jax_trace_viz.exports.escaping import prose, text
from jax_trace_viz.exports.why_text import SIGNS, VERDICTS, cost_text, table_of
from jax_trace_viz.session.why import costliest
from jax_trace_viz.session.wording import count_text, seconds_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jax_trace_viz.session.source.line_names import LineNames
    from jax_trace_viz.session.why import Card, Part

_HEADS = ("Part", "Before", "Now", "Same?")


def why(cards: Sequence[Card], most: int, names: LineNames) -> str:
    """The costliest cards in order of time, and how many more there are; nothing where there are none."""
    if not cards:
        return ""
    more = len(cards) - most
    rest = f"<p>and {count_text(more, 'more retrace')}</p>" if more > 0 else ""
    return f"{''.join(_card(card, names) for card in costliest(cards, most))}{rest}"


def _card(card: Card, names: LineNames) -> str:
    head = f"<summary>{text(card.question)} {prose(card.answer)} ({seconds_text(card.cost.total)})</summary>"
    called = f"Called at {names.in_cell(card.call_site)}." if card.call_site else ""
    lines = [card.compared, f"Cost: {cost_text(card)}", card.caches, called]
    facts = "<br>".join(text(line) for line in lines if line)
    advice = f"<p>What usually helps: {prose(card.advice)}</p>" if card.advice else ""
    return f"<details>{head}{_table(card)}<p>{facts}</p>{advice}</details>"


def _table(card: Card) -> str:
    shown, more = table_of(card)
    if not shown:
        return ""
    heads = "".join(f"<th>{head}</th>" for head in _HEADS)
    rows = "".join(_row(part) for part in shown)
    rest = f"<p>{text(more)}</p>" if more else ""
    label = text(f"Parts of {card.name}")
    return f'<table aria-label="{label}"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{rest}'


def _row(part: Part) -> str:
    verdict = f"{SIGNS[part.verdict]} {VERDICTS[part.verdict]}".strip()
    cells = [f"<td>{text(cell)}</td>" for cell in (part.name, part.before, part.now)]
    shown = f"<b>{verdict}</b>" if part.verdict == "cause" else verdict
    return f"<tr>{''.join(cells)}<td>{shown}</td></tr>"
