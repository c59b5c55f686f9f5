"""What nothing depends on: values that a gradient throws away, checks whose answer nobody reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax_trace_viz.session.graph.scene import Scene
    from jax_trace_viz.session.graph.tree import Node


def is_unused(node: Node) -> bool:
    """Whether nothing depends on what a box stands for, in any of the copies of the plates around it."""
    level = node.level
    if level is None or level.growing or node.kind == "port" or not level.facts.unused:
        return False
    places = [*range(node.start, node.stop)] if node.main < 0 else [node.main]
    for plate in node.ancestors():
        if plate.kind == "plate" and plate.level is level:
            copies = range(-plate.shown, plate.count - plate.shown)
            places = [place + copy * plate.period for copy in copies for place in places]
    return bool(places) and level.facts.unused.issuperset(places)


def mark_unused(scene: Scene) -> None:
    """Has the boxes say it."""
    for node in scene.boxes:
        if is_unused(node):
            node.notes += ("not used",)
