"""The built-in layout, on random nested diagrams."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from jax_trace_viz.session.graph.layout.builtin import builtin
from jax_trace_viz.session.graph.layout.model import Curve, Diagram, Item, Placement, Point, Wire
from jax_trace_viz.session.graph.layout.ranks import ranks

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOLERANCE = 0.01

Tree = list["Tree | None"]

trees: st.SearchStrategy[Tree] = st.recursive(
    st.lists(st.none(), min_size=1, max_size=6),
    lambda inner: st.lists(st.one_of(st.none(), inner), min_size=1, max_size=6),
)


def item(tree: Tree | None) -> Item:
    """A box, or a frame with items in it."""
    made = Item(width=60.0, height=30.0, frame=tree is not None)
    made.children = tuple(map(item, tree or ()))
    for child in made.children:
        child.parent = made
    return made


def leaves(one: Item) -> Iterator[Item]:
    """The boxes in an item, in order."""
    if not one.frame:
        yield one
    for child in one.children:
        yield from leaves(child)


def diagram(tree: Tree, links: list[tuple[int, int]]) -> Diagram:
    """Boxes in frames, joined downwards in the order of the program."""
    root = item(tree)
    boxes = list(leaves(root))
    pairs = {tuple(sorted((a % len(boxes), b % len(boxes)))) for a, b in links}
    wires = [Wire(boxes[a], boxes[b]) for a, b in sorted(pairs) if a != b]
    return Diagram(root, wires, wires)


links = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=25)


def points(curve: Curve) -> list[Point]:
    """The places that a curve goes through or is drawn to."""
    return [Point(x, y) for x, y in zip(curve[::2], curve[1::2], strict=True)]


def check(laid_out: Diagram, placement: Placement) -> None:
    """Nothing overlaps, everything is inside its frame, wires run down from their source to their target."""
    rects = placement.rects
    for frame in [laid_out.root, *laid_out.root.frames()]:
        for place, one in enumerate(frame.children):
            a = rects[one]
            if frame is not laid_out.root:
                around = rects[frame]
                assert around.x <= a.x + _TOLERANCE
                assert a.x + a.width <= around.x + around.width + _TOLERANCE
                assert around.y <= a.y
                assert a.y + a.height <= around.y + around.height + _TOLERANCE
            for other in frame.children[place + 1 :]:
                b = rects[other]
                beside = a.x + a.width <= b.x + _TOLERANCE or b.x + b.width <= a.x + _TOLERANCE
                assert beside or a.y + a.height <= b.y + _TOLERANCE or b.y + b.height <= a.y + _TOLERANCE
    for wire in laid_out.wires:
        curve = points(placement.curves[wire])
        source, target = rects[wire.source], rects[wire.target]
        assert abs(curve[0].y - source.y - source.height) < _TOLERANCE
        assert abs(curve[-1].y - target.y) < _TOLERANCE
        assert source.x <= curve[0].x <= source.x + source.width
        assert target.x <= curve[-1].x <= target.x + target.width
        assert all(b.y >= a.y - _TOLERANCE for a, b in pairwise(curve)), "never upwards"


@settings(max_examples=150, deadline=None)
@given(tree=trees, links=links)
def test_nothing_overlaps_and_nothing_runs_upwards(tree: Tree, links: list[tuple[int, int]]) -> None:
    laid_out = diagram(tree, links)
    check(laid_out, builtin(laid_out))


@settings(max_examples=50, deadline=None)
@given(tree=trees, links=links)
def test_the_same_diagram_gives_the_same_picture(tree: Tree, links: list[tuple[int, int]]) -> None:
    one, other = builtin(diagram(tree, links)), builtin(diagram(tree, links))
    assert list(one.rects.values()) == list(other.rects.values())
    assert list(one.curves.values()) == list(other.curves.values())


def test_frames_side_by_side() -> None:
    laid_out = diagram([[None, None], [None], None], [(0, 1), (1, 3)])
    forward, backward, _ = laid_out.root.children
    forward.beside = backward
    saved = Wire(forward, backward, beside=True)
    laid_out.wires.append(saved)
    placement = builtin(laid_out)
    one, other = placement.rects[forward], placement.rects[backward]
    assert one.y == other.y
    assert other.x - one.x - one.width >= 100, "room for what is said about the line"
    start, *_, stop = points(placement.curves[saved])
    assert (start.x, stop.x) == (one.x + one.width, other.x)
    assert start.y == stop.y
    check(Diagram(laid_out.root, laid_out.wires[:-1], laid_out.ordering), placement)


def test_sources_stand_just_above_their_first_user() -> None:
    laid_out = diagram([None, None, None, None], [(0, 1), (1, 3), (2, 3)])
    first, second, source, _ = laid_out.root.children
    rows = ranks(laid_out)
    assert rows[source] == rows[second] == rows[first] + 1


def test_inlets_come_first_and_outlets_last() -> None:
    laid_out = diagram([[None, None, None, None]], [(0, 1), (1, 2), (0, 3)])
    frame = laid_out.root.children[0]
    frame.children[0].inlet = frame.children[3].outlet = True
    rows = ranks(laid_out)
    assert [rows[one] for one in frame.children] == [0, 1, 2, 2]


def test_few_lines_cross() -> None:
    laid_out = diagram([None] * 8, [(0, 7), (1, 6), (2, 5), (3, 4)])
    placement = builtin(laid_out)
    places = sorted((curve[0], curve[-2]) for curve in placement.curves.values())
    assert places == sorted(places, key=lambda place: place[1]), "a permutation can always be drawn without crossings"


def test_an_empty_diagram() -> None:
    placement = builtin(Diagram(Item(frame=True), [], []))
    assert placement.rects == {}
