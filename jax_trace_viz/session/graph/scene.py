"""What is drawn: the visible boxes, and the lines between them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from jax_trace_viz.cancelling import check
from jax_trace_viz.session.graph.tree import CALLS, Node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.session.graph.tree import Atom, Level

Value = int
"""A variable, told apart from those of other levels by the level's identity: in one number, since there are many."""

_VARIABLES = 32
"""Bits for a variable's number."""


class Line(msgspec.Struct, eq=False, gc=False):
    """A drawn line, for one or more values.

    There are many, and none is in a cycle: the garbage collector need not look at them.
    """

    source: Node
    target: Node
    values: dict[Value, str] = {}
    """The values with their types."""
    paths: tuple[str, ...] = ()
    """Key paths or names of the values, where they are arguments or constants."""
    inner: tuple[Line, ...] = ()
    """The lines between boxes that a bundle, or what is saved for a backward pass, stands for."""
    carried: bool = False
    """From one copy of a plate to the next: said in words."""
    saved: bool = False
    """From a forward pass to its backward pass."""
    stub: bool = False
    """Too far to draw: said in words at both ends."""

    @property
    def drawn(self) -> bool:
        """Whether there is a line to see."""
        return not (self.carried or self.stub)


class _Origin(msgspec.Struct, frozen=True, gc=False):
    """Where a value comes from."""

    node: Node
    place: int
    """The equation that makes it, on the level where it was looked for; -1 if it comes from outside."""
    value: Value
    path: str = ""
    """The argument's key path, the constant's name."""
    carried: bool = False


@dataclass(slots=True)
class Scene:
    """A picture before it is laid out."""

    root: Node
    boxes: list[Node]
    """What is drawn as a box."""
    frames: list[Node]
    """Open groups, outer ones first."""
    lines: list[Line]
    levels: dict[int, Level]
    """The levels in sight, by their identity."""

    def producer(self, value: Value) -> tuple[Level, int, int] | None:
        """The level of a value, the equation there that makes it, and its variable; None if it comes from outside."""
        level, variable = self.levels[value >> _VARIABLES], value & (1 << _VARIABLES) - 1
        place = level.producer.get(variable)
        return None if place is None else (level, place, variable)


class Weaver:
    """Finds the lines between the visible boxes."""

    def __init__(self, root: Node, paths: dict[int, str]) -> None:
        """Prepares weaving.

        Args:
            root: The tree, with what is open marked.
            paths: The key paths of the program's arguments and the names of its constants, by variable.
        """
        self._root = root
        self._paths = paths
        self._origins: dict[int, dict[Atom, list[_Origin]]] = {}
        self._lines: dict[tuple[Node, Node, bool], Line] = {}
        self._line_paths: defaultdict[Line, list[str]] = defaultdict(list)
        self._levels: list[Level] = []

    def weave(self) -> Scene:
        """All visible boxes and the lines between them."""
        self._place(self._root)
        boxes, frames = list[Node](), list[Node]()
        for node in _visible(self._root):
            (frames if node.open else boxes).append(node)
        for level in self._levels:
            self._connect(level)
        for node in boxes:
            for level, atoms in node.feeds:
                for atom in atoms:
                    self._join(level, atom, node, -1)
        for line, paths in self._line_paths.items():
            line.paths = tuple(paths)
        levels = {id(level): level for level in self._levels}
        return Scene(self._root, boxes, frames, list(self._lines.values()), levels)

    def _place(self, node: Node) -> None:
        """Notes for every equation of the levels in sight which drawn node it belongs to."""
        level = node.level
        if level is None or (node.leaf and node.main < 0):
            return
        if not level.node_of:
            level.node_of = [None] * len(level.equations)
            self._levels.append(level)
        if node.kind != "part" and (not node.open or node.kind in CALLS):
            level.node_of[node.start : node.stop] = [node] * (node.stop - node.start)
        if not node.open:
            return
        if node.kind == "plate":
            level.plates.append(node)
        if node.kind in CALLS:
            self._note_copies(node)
        for child in node.children:
            self._place(child)
        if node.kind == "plate":
            copy = level.node_of[node.shown_start : node.shown_stop]
            level.node_of[node.start : node.stop] = copy * node.count

    def _note_copies(self, node: Node) -> None:
        """An open call inside open plates stands for the same call in all copies."""
        level = node.level
        assert level is not None
        calls = [node.main]
        around = {id(ancestor) for ancestor in node.ancestors()}
        for plate in reversed(level.plates):
            if id(plate) in around:
                copies = range(-plate.shown, plate.count - plate.shown)
                calls = [call + copy * plate.period for copy in copies for call in calls]
        for part in node.parts:
            part.calls = calls
            if not part.node_of:
                part.node_of = [None] * len(part.equations)
                self._levels.append(part)

    def _connect(self, level: Level) -> None:
        """Lines into the boxes of one level."""
        place = 0
        while place < len(level.node_of):
            check()
            node = level.node_of[place]
            if node is None:
                place += 1
                continue
            stop = place + node.stop - node.start  # the node's own equations, or a copy of them that is not drawn
            if not node.open:
                self._enter(level, place, stop, node)
            elif self._is_main(node, main := place + node.main - node.start):
                self._feed_ports(level, main, node)  # a call: of open groups, only these stand for equations
            place = stop

    def _enter(self, level: Level, start: int, stop: int, node: Node) -> None:
        """Lines into a box, for one copy of it. Whatever of that copy uses a value, no other one does."""
        node_of, types, base = level.node_of, level.jaxpr.types, _value(level, 0)
        for variable, made in level.facts.needs(start, stop):
            source = node_of[made] if made >= 0 else None
            if source is None or source.open:
                self._join(level, variable, node, start)
                continue
            # Most values come from a box on the same level.
            carried = _crosses_copies(level, made, start)
            if source is not node or carried:
                line = self._lines.get((source, node, carried)) or self._line(source, node, carried=carried)
                line.values.setdefault(base | variable, types[variable])

    def _feed_ports(self, level: Level, place: int, node: Node) -> None:
        """Operands of an open call that it draws as boxes; the others are seen through."""
        if node.kind == "cond" and node.exit is not None:
            self._join(level, level.equations[place].inputs[0], node.exit, place)
        for part in node.parts:
            for variable, box in part.drawn_inputs():
                self._join(level, part.operand(variable, place), box, place)

    @staticmethod
    def _is_main(node: Node, place: int) -> bool:
        return place in node.parts[0].calls

    def _join(self, level: Level, atom: Atom, target: Node, place: int) -> None:
        """Adds a value to the lines from where it is made."""
        for origin in self._find(level, atom):
            self._add(level, atom, origin, target, place)

    def _add(self, level: Level, atom: Atom, origin: _Origin, target: Node, place: int) -> None:
        carried = origin.carried or (place >= 0 and origin.place >= 0 and _crosses_copies(level, origin.place, place))
        if origin.node is target and not carried:
            return
        line = self._line(origin.node, target, carried=carried)
        if origin.value not in line.values:
            line.values[origin.value] = level.type_of(atom)
            if origin.path:
                self._line_paths[line].append(origin.path)

    def _line(self, source: Node, target: Node, *, carried: bool) -> Line:
        key = source, target, carried
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = Line(source, target, carried=carried)
        return line

    def _find(self, level: Level, atom: Atom) -> list[_Origin]:
        """Where a value comes from, seen from one level."""
        if isinstance(atom, str):
            return []
        origins = self._origins.setdefault(id(level), {})
        known = origins.get(atom)
        if known is None:
            origins[atom] = []  # what depends on itself only is nobody's
            known = origins[atom] = self._look(level, atom)
        return known

    def _look(self, level: Level, atom: int) -> list[_Origin]:
        place = level.producer.get(atom)
        if place is not None:
            return self._made(level, atom, place)
        port = level.ports.get(atom)
        if port is not None:
            return [_Origin(port, -1, _value(level, atom), self._paths.get(atom, "") if level.caller is None else "")]
        if level.caller is None or level.caller.level is None or atom not in level.positions:
            return []
        if level.idle is not None:
            return [_Origin(level.idle, -1, _value(level, atom))]
        outside = level.caller.level
        found: dict[tuple[Node, bool, Value], _Origin] = {}
        for call in level.calls:
            for origin in self._find(outside, level.operand(atom, call)):
                carried = origin.carried or (origin.place >= 0 and _crosses_copies(outside, origin.place, call))
                found.setdefault((origin.node, carried, origin.value), replace(origin, place=-1, carried=carried))
        return list(found.values())

    def _made(self, level: Level, atom: int, place: int) -> list[_Origin]:
        node = level.node_of[place]
        if node is None:
            return []
        if not (node.open and node.kind in CALLS):
            return [_Origin(node, place, _value(level, atom))]
        if not self._is_main(node, place):  # a shape-only equation beside the call
            inputs = level.equations[place].inputs
            return self._find(level, inputs[0]) if inputs else []
        if node.exit is not None:
            return [_Origin(node.exit, place, _value(level, atom))]
        inner = node.parts[0]
        result = inner.jaxpr.outputs[level.equations[place].outputs.index(atom)]
        return [replace(origin, place=place) for origin in self._find(inner, result)]


def _value(level: Level, variable: int) -> Value:
    return id(level) << _VARIABLES | variable


def _crosses_copies(level: Level, made: int, used: int) -> bool:
    """Whether a value goes from one copy of an open plate to another, of which only one is drawn."""
    plates = level.plates
    if not plates:
        return False
    outermost = level.plate_of[made]
    if outermost < 0 or level.plate_of[used] != outermost:
        return False
    stop = plates[outermost].stop
    for plate in itertools.islice(plates, outermost, None):
        if plate.start >= stop:
            break
        if plate.start <= made < plate.stop and plate.start <= used < plate.stop:
            copy, made = divmod(made - plate.start, plate.period)
            other, used = divmod(used - plate.start, plate.period)
            if copy != other:
                return True
            shown = plate.shown_start
            made, used = shown + made, shown + used
    return False


def _visible(node: Node) -> Iterator[Node]:
    """The drawn nodes below an open one, frames before what is inside them."""
    for child in node.children:
        yield child
        if child.open:
            yield from _visible(child)
