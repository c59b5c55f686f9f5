"""Which groups are open: as many as make a readable first picture, and those that were asked for."""

from __future__ import annotations

import heapq
import itertools
import math
from typing import TYPE_CHECKING

from jax_trace_viz.cancelling import check
from jax_trace_viz.session.graph.calls import call_children
from jax_trace_viz.session.graph.grouping import group_children
from jax_trace_viz.session.graph.passes import pair_passes
from jax_trace_viz.session.graph.tree import CALLS
from jax_trace_viz.session.graph.unused import is_unused
from jax_trace_viz.session.graph.wishes import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jax_trace_viz.session.graph.tree import Node
    from jax_trace_viz.session.graph.wishes import Wishes

MOST_BOXES = 5000
"""Nobody can read a larger picture, and few programs can show it."""
_WIDEST = 45
"""A group with more children is opened only when asked, unless it is the whole program."""
_SPARSE, _MORE = 10, 15
"""A picture that leaves so many boxes of its budget over may open one more group, with so many boxes beyond it."""
_HEAVY = 4000
_DEPTH_COST = 3
_BACKWARD_COST = 4
_LIBRARY_SHARE = 0.15


class TooManyBoxesError(ValueError):
    """So many boxes are not drawn."""

    def __init__(self) -> None:
        super().__init__(
            f"That would be a picture of more than {MOST_BOXES:,} boxes. Ask for a smaller depth, or for the default "
            "picture, and open what is of interest."
        )


def expand(node: Node, wishes: Wishes = NONE) -> tuple[Node, ...]:
    """The children of a group, found when first asked for; `wishes` say which copies their plates show."""
    if not node.expanded and not node.leaf:
        check()
        children = list(node.children)
        if not children and node.kind != "part":
            children = call_children(node) if node.kind in CALLS else group_children(node)
        node.adopt(pair_passes(node, children))
        wishes.show_copies(node.children)
        for child in node.children:
            if child.kind == "part":
                expand(child, wishes)
    return node.children


class Opener:
    """Opens groups from the outside in, the weightiest first, one example of each structure, within a budget."""

    def __init__(self, budget: int, wishes: Wishes) -> None:
        """Prepares opening.

        Args:
            budget: How many boxes may be drawn.
            wishes: What is to stay closed, and which copies are shown.
        """
        self._left = budget
        self._wishes = wishes
        self._heap: list[tuple[float, int, int, Node]] = []
        self._order = itertools.count()
        self._examples: dict[int, Node] = {}

    def open(self, root: Node) -> None:
        """Opens the root and what fits."""
        root.open = True
        expand(root, self._wishes)
        self._offer(root, 1)
        too_large: list[tuple[int, Node]] = []
        while self._heap:
            _, _, depth, node = heapq.heappop(self._heap)
            if node.id in self._wishes.closed or (depth > 1 and self._is_repetition(node)):
                continue
            size = len(list(_boxes(expand(node, self._wishes)))) - 1
            if size > _WIDEST and depth > 1:
                continue
            if size > self._left:
                too_large.append((size, node))
                continue
            node.open = True
            self._examples.setdefault(_structure(node), node)
            self._left -= size
            self._offer(node, depth + 1)
        if self._left >= _SPARSE and not self._wishes.growing:
            fitting = [node for size, node in too_large if size <= self._left + _MORE]
            for node in fitting[:1]:
                node.open = True

    def _offer(self, parent: Node, depth: int) -> None:
        boxes = list(_boxes(parent.children))
        if depth == 1:
            self._left -= len(boxes)
        for node in boxes:
            if not (node.leaf or node.quiet or node.kind == "part" or is_unused(node)):
                rank = depth * _DEPTH_COST - _interest(node)
                heapq.heappush(self._heap, (rank, next(self._order), depth, node))

    def _is_repetition(self, node: Node) -> bool:
        """Whether a group of the same structure is open already."""
        example = self._examples.get(_structure(node))
        if example is None or example in node.ancestors():
            return False
        node.title += f"\nsame equations as {example.label}"
        return True


def _structure(node: Node) -> int:
    assert node.level is not None
    return node.level.hash(node.shown_start, node.shown_stop)


def _boxes(children: Iterable[Node]) -> Iterator[Node]:
    """Children as they are drawn: a loop's or cond's parts are open from the start."""
    for child in children:
        if child.kind == "part" and child.open:
            yield from _boxes(child.children)
        else:
            yield child


def _interest(node: Node) -> float:
    """What speaks for opening a group: the equations it stands for; less so in a library or a backward pass."""
    around = list(node.ancestors())
    total = math.prod([ancestor.count for ancestor in around], start=float(node.weight))  # one copy stands for all
    interest = math.sqrt(min(total, _HEAVY)) - (_BACKWARD_COST if node.phase == "backward" else 0)
    return interest * _LIBRARY_SHARE if any(one.library for one in (node, *around)) else interest


def open_asked(root: Node, wishes: Wishes) -> None:
    """Opens the groups asked for and all around them, but for what is to stay closed.

    A group with a single group inside opens that one too.
    """
    for id_ in sorted(wishes.open, key=len):
        node = root
        while node.id != id_:
            expand(node, wishes)
            node.open = True
            step = next((c for c in node.children if id_ == c.id or id_.startswith(c.id + "/")), None)
            if step is None or step.leaf or step.id in wishes.closed:
                break
            node = step
        else:
            while not node.leaf and len(expand(node, wishes)) > 0:
                node.open = True
                if len(node.children) != 1 or node.children[0].id in wishes.closed:
                    break
                node = node.children[0]


def open_deep(root: Node, wishes: Wishes) -> None:
    """Opens all groups down to the depth that was asked for.

    Raises:
        TooManyBoxesError: That would be more than can be drawn.
    """
    assert wishes.depth is not None
    root.open = True
    left = [(child, 1) for child in expand(root, wishes)]
    boxes = len(left)
    while left:
        node, depth = left.pop()
        if node.leaf or node.id in wishes.closed or (depth > wishes.depth and node.kind != "part"):
            continue
        children = expand(node, wishes)
        node.open = bool(children)
        boxes += len(children) - node.open
        if boxes > MOST_BOXES:
            raise TooManyBoxesError
        left += [(child, depth + (node.kind != "part")) for child in children]
