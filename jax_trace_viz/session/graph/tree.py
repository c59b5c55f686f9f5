"""The tree that a picture is cut from, and the levels of nested jaxprs that its nodes stand on.

Nothing below a closed group is looked at, beyond its hash.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Literal

from jax_trace_viz.session.graph.facts import Facts
from jax_trace_viz.session.graph.scopes import parse_scope
from jax_trace_viz.session.graph.sites import site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
    from jax_trace_viz.session.graph.records import Key, Program
    from jax_trace_viz.session.graph.scopes import Phase
    from jax_trace_viz.session.graph.sites import Site

Atom = int | str
"""A variable's number, or a literal's text."""

_LOOK_AHEAD = 60

NodeKind = Literal[
    "root",
    "equation",
    "opaque",  # has a jaxpr inside that cannot be drawn with its ports
    "call",
    "loop",
    "cond",
    "part",  # a loop's or cond's jaxpr, drawn inside it
    "scope",
    "source",  # equations staged by one call in somebody's source, with further calls below
    "span",  # equations of one expression
    "plate",
    "chunk",
    "pass",
    "argument",
    "result",
    "constant",
    "port",
]

LEAVES = frozenset({"equation", "opaque", "argument", "result", "constant", "port"})
CALLS = frozenset({"call", "loop", "cond"})


@dataclass(slots=True, eq=False)
class Node:
    """A box of the picture, open or closed, or one that a closed group hides.

    A picture has hundreds. They hold tuples, not lists, which would each be one more object to the garbage collector.
    """

    kind: NodeKind
    label: str
    id: str = ""
    word: str = ""
    """Its part of the ids, the label if empty. It must not depend on source text, which not every thread can read."""
    name: str = ""
    detail: str = ""
    role: str = ""
    """What it is in the whole, said before the detail: `forward pass`."""
    title: str = ""
    notes: tuple[str, ...] = ()
    phase: Phase = ""
    level: Level | None = None
    start: int = 0
    stop: int = 0
    """The level's equations from `start` to before `stop`."""
    main: int = -1
    """For one equation, with the shape-only ones around it that its box takes in: its place."""
    depth: int = 0
    """The step of the equations' paths by which the children are told apart."""
    period: int = 0
    """Plate: equations in one copy."""
    count: int = 1
    """Plate: number of copies."""
    shown: int = 0
    """Plate: which copy stands for all."""
    copies: tuple[str, ...] = ()
    """Plate: what each copy is called, where they differ in that."""
    weight: int = 1
    """Equations that the node stands for, expanded."""
    quiet: bool = False
    """Opened only when asked: one library call, one expression."""
    library: bool = False
    """A call of the user's into a library, without user code below it."""
    makeshift: bool = False
    """The label only says where the equations come from: that of a group around it is better."""
    frame: int | None = None
    parent: Node | None = None
    children: tuple[Node, ...] = ()
    expanded: bool = False
    """Whether the children are known; `open` says whether they are drawn."""
    parts: tuple[Level, ...] = ()
    """For an expanded call, the jaxprs inside."""
    exit: Node | None = None
    """For an expanded loop or cond, the port that its results come from."""
    feeds: tuple[tuple[Level, list[Atom]], ...] = ()
    """For a port or result, the values that come together in it."""
    mate: Node | None = None
    """For a forward pass, the backward pass that stands beside it."""
    open: bool = False

    @property
    def shown_start(self) -> int:
        """The first of the equations that the children stand for: of a plate, those of the copy that is shown."""
        return self.start + self.shown * self.period

    @property
    def shown_stop(self) -> int:
        """The end of the equations that the children stand for."""
        return self.shown_start + self.period if self.kind == "plate" else self.stop

    @property
    def leaf(self) -> bool:
        """Whether there is nothing inside."""
        return self.kind in LEAVES

    def on(self, level: Level | None) -> Node:
        """The same node, not yet expanded, on the level of another picture."""
        node = Node(*_FIELDS(self))
        node.level, node.children, node.parts, node.feeds = level, (), (), ()
        return node

    def ancestors(self) -> Iterator[Node]:
        """The nodes around this one, innermost first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def adopt(self, children: list[Node]) -> None:
        """Takes the children and gives them their ids, which say the way from the root in words."""
        self.children, self.expanded = tuple(children), True
        seen: dict[str, int] = {}
        for child in children:
            child.parent = self
            word = re.sub(r"\W+", "_", child.word or child.label)[:24].strip("_") or child.kind
            seen[word] = number = seen.get(word, 0) + 1
            child.id = f"{self.id}/{word}" + (f".{number}" if number > 1 else "")


_FIELDS = attrgetter(*(field.name for field in fields(Node)))


class Level:
    """The equations of one jaxpr where it is called, and what one picture shows of them."""

    def __init__(
        self,
        program: Program,
        jaxpr: Jaxpr,
        caller: Node | None = None,
        skipped: tuple[int, int] = (0, 0),
        *,
        growing: bool = False,
    ) -> None:
        """Looks at a jaxpr.

        Args:
            program: All that is recorded, the jaxpr among it.
            jaxpr: What to look at.
            caller: The node of the equation that runs it, on the level outside.
            skipped: The range of that equation's operands that this jaxpr does not get.
            growing: Whether more equations will follow.
        """
        self.program = program
        self.jaxpr = jaxpr
        self.equations = jaxpr.equations
        self.caller = caller
        self._skipped = skipped
        self.facts = program.once(("facts", jaxpr.id), lambda: Facts(program, jaxpr))
        self.growing = growing
        self.calls: list[int] = [caller.main] if caller else []
        """The equations outside that run this jaxpr, by place: several where copies of a plate are drawn as one."""
        self.positions = {variable: place for place, variable in enumerate(jaxpr.inputs)}
        self.ports: dict[int, Node] = {}
        """Inputs that are drawn as boxes: what a loop carries, a jaxpr's own constants."""
        self.idle: Node | None = None
        """The drawn box of a branch that passes its inputs on."""
        self.producer, self.results = self.facts.producer, self.facts.results
        self.hash, self.weight = self.facts.hash, self.facts.weight
        self.path: Callable[[int], tuple[Key, ...]] = self._short_path if growing else self.facts.path
        """Where an equation belongs, by place."""
        self.node_of: list[Node | None] = []
        """The drawn node of each equation, set when the scene is built."""
        self.plates: list[Node] = []
        """Open plates over this level's equations, outermost first."""

    def _short_path(self, place: int) -> tuple[Key, ...]:
        return self.program.without_wrappers(self.facts.path(place))

    @functools.cached_property
    def key(self) -> tuple[int | str, ...]:
        """The way of calls to this jaxpr, by place."""
        if self.caller is None or self.caller.level is None:
            return self.jaxpr.id, self.growing
        return *self.caller.level.key, self.caller.main, self.jaxpr.id

    @functools.cached_property
    def outer_phase(self) -> Phase:
        """Phase of the calls around this level."""
        caller = self.caller
        return (caller.phase or caller.level.outer_phase) if caller is not None and caller.level is not None else ""

    @functools.cached_property
    def plate_of(self) -> list[int]:
        """The place of the outermost open plate over each equation, or -1; to be asked for when all are known."""
        plate_of = [-1] * len(self.equations)
        for place in reversed(range(len(self.plates))):  # the outermost one is written last
            plate = self.plates[place]
            plate_of[plate.start : plate.stop] = [place] * (plate.stop - plate.start)
        return plate_of

    @functools.cached_property
    def sites_outside(self) -> frozenset[Site]:
        """The expressions behind the calls around this level."""
        if self.caller is None or self.caller.level is None:
            return frozenset()
        outside, program = self.caller.level, self.program
        chain = program.chain(outside.equations[self.caller.main].frame)
        return outside.sites_outside.union(site(program.frames[index]) for index in chain)

    def operand(self, variable: int, call: int) -> Atom:
        """What an input stands for on the level outside, in one of the calls."""
        assert self.caller is not None
        assert self.caller.level is not None
        place, (start, stop) = self.positions[variable], self._skipped
        return self.caller.level.equations[call].inputs[place if place < start else place + stop - start]

    def drawn_inputs(self) -> Iterator[tuple[int, Node]]:
        """The inputs that are drawn as boxes, with these; others are seen through."""
        for variable in self.positions:
            if variable in self.ports:
                yield variable, self.ports[variable]
            elif self.idle is not None and variable in self.results:
                yield variable, self.idle

    def phase(self, start: int, stop: int) -> Phase:
        """Phase of a run. A forward scope often starts with integer equations that no gradient touches: it looks on.

        Where there are gradients of gradients, a run with both passes of an inner one is part of a forward pass.
        """
        if self.facts.nested:
            phases = {parse_scope(e.scope).phase or self.outer_phase for e in self.equations[start:stop]}
            return "forward" if "forward" in phases else "backward" if "backward" in phases else ""
        for equation in self.equations[start : min(stop, start + _LOOK_AHEAD)]:
            if phase := parse_scope(equation.scope).phase:
                return phase
        return self.outer_phase

    def types(self, equation: Equation) -> list[str]:
        """Types of what an equation makes."""
        return [self.jaxpr.types[variable] for variable in equation.outputs]

    def type_of(self, atom: Atom) -> str:
        """Type of a variable or literal."""
        return atom.rpartition(":")[2] if isinstance(atom, str) else self.jaxpr.types[atom]
