"""Which row of its frame each item stands in."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.nesting import meeting

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.layout.model import Diagram, Item


def ranks(diagram: Diagram) -> dict[Item, int]:
    """Rows from 0 on, such that every wire runs downwards.

    Children stand in the order of the program, which is a topological one: an item's row is one below the lowest of
    what it needs. Two frames side by side count as one item. The diagram keeps them.
    """
    if diagram.rows is None:
        diagram.rows = _ranks(diagram)
    return diagram.rows


def _ranks(diagram: Diagram) -> dict[Item, int]:
    frames = [diagram.root, *diagram.root.frames()]
    partner = {item.beside: item for frame in frames for item in frame.children if item.beside is not None}
    needs: defaultdict[Item, list[Item]] = defaultdict(list)
    users: defaultdict[Item, list[Item]] = defaultdict(list)
    for wire in diagram.ordering:
        _, source, target = meeting(wire.source, wire.target)
        source, target = partner.get(source, source), partner.get(target, target)
        if source is not target:
            needs[target].append(source)
            users[source].append(target)
    rows: dict[Item, int] = {}
    for frame in frames:
        _rank_frame(frame, [item for item in frame.children if item not in partner], needs, users, rows)
        rows |= {item: rows[one] for item, one in partner.items() if item.parent is frame}
    return rows


def _rank_frame(
    frame: Item,
    items: list[Item],
    needs: dict[Item, list[Item]],
    users: dict[Item, list[Item]],
    rows: dict[Item, int],
) -> None:
    place = {item: number for number, item in enumerate(items)}
    for item in items:
        above = (rows[need] for need in needs[item] if place.get(need, len(items)) < place[item])
        rows[item] = max(above, default=-1) + 1
    for item in reversed(items):  # what needs nothing stands just above its first user
        below = [rows[user] for user in users[item] if place.get(user, -1) > place[item]]
        if below and not item.inlet and not needs[item]:
            rows[item] = min(below) - 1
    if not items:
        return
    first, last = min(rows[item] for item in items), max(rows[item] for item in items)
    for item in items:
        rows[item] = last - first if item.outlet else rows[item] - first
