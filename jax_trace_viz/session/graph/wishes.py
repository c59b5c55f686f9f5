"""What a reader asked to see otherwise than it is drawn by default."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jax_trace_viz.session.graph.tree import Node

EVERYTHING = 1_000_000
"""A depth at which no group stays closed."""


class Wishes(NamedTuple):
    """Groups to open and to close, by id, and which copy of a plate to show."""

    open: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    shown: Mapping[str, int] = {}
    depth: int | None = None
    """Down to which depth all groups are open, in place of a choice that makes a readable picture."""
    growing: bool = False
    """Whether the trace goes on: no group is left out for being alone in its frame, since others will follow it."""

    def show_copies(self, nodes: Iterable[Node]) -> None:
        """Notes at each plate which of its copies stands for all."""
        for node in nodes:
            if node.kind == "plate" and node.id in self.shown:
                node.shown = min(self.shown[node.id], node.count - 1)


NONE = Wishes()


def parse_wishes(texts: Iterable[str], depth: int | None = None, *, growing: bool = False) -> Wishes:
    """Wishes as `Request.open_boxes` has them: `id` opens a group, `-id` closes it, `id#7` shows its copy 7, from 0 on.

    The last word on a group counts. What is no wish is passed over.
    """
    opened, closed, shown = set[str](), set[str](), dict[str, int]()
    for text in texts:
        id_, mark, copy = text.partition("#")
        if mark:
            if copy.isascii() and copy.isdigit() and len(copy) < 10:
                shown[id_] = int(copy)
        elif text.startswith("-"):
            closed.add(text[1:])
        else:
            opened.add(text)
    return Wishes(frozenset(opened - closed), frozenset(closed), shown, depth, growing)
