"""The layout of a trace that goes on, on random diagrams that grow in the order of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings

from jax_trace_viz.session.graph.layout.model import Diagram, Item, Wire
from jax_trace_viz.session.graph.layout.online import Online
from tests.session.graph.layout.test_builtin import Tree, check, leaves, links, trees

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.layout.model import Rect


def growing(tree: Tree, pairs: list[tuple[int, int]], known: int) -> Diagram:
    """The first boxes of a diagram, with the frames around them and the wires between them."""
    left = [known]

    def item(part: Tree | None, key: str) -> Item | None:
        if part is None:
            left[0] -= 1
            return Item(60.0 + 7 * (len(key) % 5), 30.0, key=key) if left[0] >= 0 else None
        made = Item(80.0, frame=True, key=key)
        for place, child in enumerate(part):
            inner = item(child, f"{key}/{place}")
            if inner is not None:
                made.children += (inner,)
                inner.parent = made
        return made if made.children or not key else None

    root = item(tree, "")
    assert root is not None
    boxes = list(leaves(root))
    wires = [Wire(boxes[a], boxes[b]) for a, b in pairs if b < len(boxes)] if root.children else []
    return Diagram(root, wires, wires)


def places(diagram: Diagram, rects: dict[Item, Rect]) -> dict[str, tuple[float, float]]:
    """Where each box and frame begins, by key."""
    return {item.key: (rects[item].x, rects[item].y) for item in rects}


@settings(max_examples=60, deadline=None)
@given(tree=trees, links=links)
def test_what_is_placed_never_moves(tree: Tree, links: list[tuple[int, int]]) -> None:
    count = len(list(leaves(growing(tree, [], 1000).root)))
    pairs = sorted({(a % count, b % count) for a, b in links if a % count < b % count}) if count else []
    engine, before = Online(), dict[str, tuple[float, float]]()
    for known in range(1, count + 1):
        diagram = growing(tree, pairs, known)
        placement = engine(diagram)
        check(diagram, placement)
        now = places(diagram, placement.rects)
        assert {key: now[key] for key in before} == before
        before = now
