"""Making the tree of open groups easier to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.nodes import Node


def merge_single(node: Node) -> None:
    """A frame around a single group says little of its own: the two become one, under both names."""
    for place, child in enumerate(node.children):
        if not child.open:
            continue
        merge_single(child)
        only = child.children[0] if len(child.children) == 1 else None
        if only is None or only.leaf or only.kind == "part" or child.parts or child.kind in ("part", "pass"):
            continue
        if child.kind == "plate":
            if only.open and not only.parts and only.kind != "plate":  # each copy is one group: show its inside at once
                child.children = only.children
                for inner in child.children:
                    inner.parent = child
            continue
        if only.makeshift or only.label in child.label:
            only.label = child.label
        elif child.label not in only.label:
            only.label = f"{child.label} › {only.label}"
        only.name = only.name or child.name
        only.title = f"{child.title}\n{only.title}"
        only.parent, only.mate = node, child.mate
        node.children[place] = only
        for sibling in node.children:
            if sibling.mate is child:
                sibling.mate = only
