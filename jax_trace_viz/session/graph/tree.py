"""The tree that a picture is cut from, and the levels of nested jaxprs that its nodes stand on.

Nothing below a closed group is looked at, beyond its hash.
"""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from jax_trace_viz.session.graph.census import LARGEST
from jax_trace_viz.session.graph.scopes import parse_scope
from jax_trace_viz.session.graph.sites import site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
    from jax_trace_viz.session.graph.records import Key, Program
    from jax_trace_viz.session.graph.scopes import Phase
    from jax_trace_viz.session.graph.sites import Site

Atom = int | str
"""A variable's number, or a literal's text."""

_MODULUS, _BASE = (1 << 61) - 1, 1_000_003
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

LOOPS = frozenset({"cond", "scan", "while"})
"""Primitives whose jaxprs may run other than once."""

LEAVES = frozenset({"equation", "opaque", "argument", "result", "constant", "port"})
CALLS = frozenset({"call", "loop", "cond"})


@dataclass(slots=True, eq=False)
class Node:
    """A box of the picture, open or closed, or one that a closed group hides."""

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
    notes: list[str] = field(default_factory=list[str])
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
    copies: list[str] = field(default_factory=list[str])
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
    children: list[Node] = field(default_factory=list["Node"])
    expanded: bool = False
    """Whether the children are known; `open` says whether they are drawn."""
    parts: list[Level] = field(default_factory=list["Level"])
    """For an expanded call, the jaxprs inside."""
    exit: Node | None = None
    """For an expanded loop or cond, the port that its results come from."""
    feeds: list[tuple[Level, list[Atom]]] = field(default_factory=list[tuple["Level", list["Atom"]]])
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

    def ancestors(self) -> Iterator[Node]:
        """The nodes around this one, innermost first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def adopt(self, children: list[Node]) -> None:
        """Takes the children and gives them their ids, which say the way from the root in words."""
        self.children, self.expanded = children, True
        seen: dict[str, int] = {}
        for child in children:
            child.parent = self
            word = re.sub(r"\W+", "_", child.word or child.label)[:24].strip("_") or child.kind
            seen[word] = number = seen.get(word, 0) + 1
            child.id = f"{self.id}/{word}" + (f".{number}" if number > 1 else "")


class Level:
    """The equations of one jaxpr, with hashes and sizes of any run of them in constant time."""

    def __init__(
        self, program: Program, jaxpr: Jaxpr, caller: Node | None = None, skipped: tuple[int, int] = (0, 0)
    ) -> None:
        """Looks at a jaxpr.

        Args:
            program: All that is recorded.
            jaxpr: The jaxpr.
            caller: The node of the equation that runs it, on the level outside.
            skipped: The range of that equation's operands that this jaxpr does not get.
        """
        self.program = program
        self.jaxpr = jaxpr
        self.equations = jaxpr.equations
        self.caller = caller
        self._skipped = skipped
        self.outer_phase: Phase = (caller.phase or caller.level.outer_phase) if caller and caller.level else ""
        self.calls: list[int] = [caller.main] if caller else []
        """The equations outside that run this jaxpr, by place: several where copies of a plate are drawn as one."""
        self.positions = {variable: place for place, variable in enumerate(jaxpr.inputs)}
        self.ports: dict[int, Node] = {}
        """Inputs that are drawn as boxes: what a loop carries, a jaxpr's own constants."""
        self.idle: Node | None = None
        """The drawn box of a branch that passes its inputs on."""
        self.producer = {v: place for place, e in enumerate(self.equations) for v in e.outputs}
        self.results = frozenset(jaxpr.outputs)
        self.tokens: list[int] = []
        self._prefix = [0]
        self._weights = [0]
        self.node_of: list[Node | None] = []
        """The drawn node of each equation, set when the scene is built."""
        self.plates: list[Node] = []
        """Open plates over this level's equations, outermost first."""
        prefix = weight = 0
        for equation in self.equations:
            token, count = program.census.equation(equation)
            prefix, weight = (prefix * _BASE + token) % _MODULUS, weight + count
            self.tokens.append(token)
            self._prefix.append(prefix)
            self._weights.append(weight)

    @functools.cached_property
    def plate_of(self) -> list[Node | None]:
        """The outermost open plate over each equation; to be asked for when all are known."""
        plate_of: list[Node | None] = [None] * len(self.equations)
        for plate in reversed(self.plates):  # the outermost one is written last
            plate_of[plate.start : plate.stop] = [plate] * (plate.stop - plate.start)
        return plate_of

    @functools.cached_property
    def sites_inside(self) -> frozenset[Site]:
        """The expressions behind the equations inside this level's calls, those of backward passes not counted."""
        calls = (e for e in self.equations if e.jaxprs and parse_scope(e.scope).phase != "backward")
        found: set[Site] = set()
        found.update(*(self.program.sites_inside(sub.jaxpr) for e in calls for sub in e.jaxprs))
        return frozenset(found)

    @functools.cached_property
    def sites_outside(self) -> frozenset[Site]:
        """The expressions behind the calls around this level."""
        if self.caller is None or self.caller.level is None:
            return frozenset()
        outside, program = self.caller.level, self.program
        chain = program.chain(outside.equations[self.caller.main].frame)
        return outside.sites_outside.union(site(program.frames[index]) for index in chain)

    @functools.cached_property
    def loop_sites(self) -> frozenset[Site]:
        """The expressions behind this level's loops and branches."""
        return frozenset(site(self.program.frames[index]) for index in self._loop_frames())

    @functools.cached_property
    def loop_roots(self) -> frozenset[tuple[str, str]]:
        """File and name of the traced functions that staged this level's loops and branches."""
        roots = (self.program.frames[self.program.chain(index)[0]] for index in self._loop_frames())
        return frozenset((root.file, root.function) for root in roots)

    def _loop_frames(self) -> set[int]:
        return {e.frame for e in self.equations if e.primitive in LOOPS and e.frame is not None}

    @functools.cached_property
    def users(self) -> dict[int, list[int]]:
        """The equations that use a variable, by place."""
        users: dict[int, list[int]] = {}
        for place, equation in enumerate(self.equations):
            for atom in equation.inputs:
                if isinstance(atom, int):
                    users.setdefault(atom, []).append(place)
        return users

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

    def hash(self, start: int, stop: int) -> int:
        """Hash of the structure of a run of equations."""
        return (self._prefix[stop] - self._prefix[start] * pow(_BASE, stop - start, _MODULUS)) % _MODULUS

    def weight(self, start: int, stop: int) -> int:
        """How many equations a run stands for, expanded."""
        return min(self._weights[stop] - self._weights[start], LARGEST)

    def path(self, place: int) -> tuple[Key, ...]:
        """Where an equation belongs."""
        return self.program.path(self.equations[place], self._entries[place])

    @functools.cached_property
    def _entries(self) -> list[int]:
        """For each equation, how many frames of its call chain lie outside its named scopes.

        That is not recorded. Neighbours in the same scope share the frames from which it was entered.
        """
        entries: list[int] = []
        names = [parse_scope(equation.scope).names[:1] for equation in self.equations]
        for name, run in itertools.groupby(range(len(names)), key=names.__getitem__):
            places = list(run)
            entries += [self._shared_frames(places) if name else 0] * len(places)
        return entries

    def _shared_frames(self, places: list[int]) -> int:
        """How many frames around all of these equations' expressions are the same."""
        frames = {self.equations[place].frame for place in places} - {None}
        chains = [self.program.chain(frame)[:-1] for frame in frames]
        return sum(1 for _ in itertools.takewhile(lambda step: len(set(step)) == 1, zip(*chains, strict=False)))

    def phase(self, start: int, stop: int) -> Phase:
        """Phase of a run. A forward scope often starts with integer equations that no gradient touches: it looks on."""
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
