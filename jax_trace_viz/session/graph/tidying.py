"""Making the tree of open groups easier to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.tree import Node


def merge_single(node: Node) -> None:
    """A frame around a single group says little of its own: the two become one, under both names."""
    for child in node.children:
        if not child.open:
            continue
        merge_single(child)
        only = child.children[0] if len(child.children) == 1 else None
        if only is None or only.leaf or only.kind == "part" or child.parts or child.kind in ("part", "pass"):
            continue
        if child.kind != "plate":
            _take_place(only, child)
        elif only.open and not only.parts and only.kind != "plate":
            child.children = only.children  # each copy is one group: show its inside at once
            for inner in child.children:
                inner.parent = child


def _take_place(only: Node, around: Node) -> None:
    """Puts a group in the place of the one around it, whose name it takes on too."""
    if only.makeshift or only.label in around.label:
        only.label = around.label
    elif around.label not in only.label:
        only.label = f"{around.label}: {only.label}"
    only.name = only.name or around.name
    only.role = only.role or around.role
    only.title = f"{around.title}\n{only.title}"
    parent = around.parent
    assert parent is not None
    only.parent, only.mate = parent, around.mate
    parent.children = tuple(only if child is around else child for child in parent.children)
    for sibling in parent.children:
        if sibling.mate is around:
            sibling.mate = only
