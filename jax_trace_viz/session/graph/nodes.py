"""The tree that a picture is cut from. Nothing below a closed group is looked at, beyond its hash."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.session.graph.level import Atom, Level
    from jax_trace_viz.session.graph.scopes import Phase

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
    """A box of the picture, open or closed, or one that a closed group hides."""

    kind: NodeKind
    label: str
    id: str = ""
    name: str = ""
    detail: str = ""
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
    weight: int = 1
    """Equations that the node stands for, expanded."""
    quiet: bool = False
    """Opened only when asked: one library call, one expression."""
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
    def leaf(self) -> bool:
        """Whether there is nothing inside."""
        return self.kind in LEAVES

    def ancestors(self) -> Iterator[Node]:
        """The nodes around this one, innermost first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def chain(self) -> list[Node]:
        """The nodes from the root to this one."""
        return [*reversed(list(self.ancestors())), self]

    def adopt(self, children: list[Node]) -> None:
        """Takes the children and gives them their ids, which say the way from the root in words."""
        self.children, self.expanded = children, True
        seen: dict[str, int] = {}
        for child in children:
            child.parent = self
            word = re.sub(r"\W+", "_", child.label)[:24].strip("_") or child.kind
            seen[word] = number = seen.get(word, 0) + 1
            child.id = f"{self.id}/{word}" + (f".{number}" if number > 1 else "")


def common_frame(one: Node, other: Node) -> tuple[Node, Node, Node]:
    """The innermost node around both, and its children on the way to each."""
    a, b = one.chain(), other.chain()
    depth = 0
    while depth < min(len(a), len(b)) - 1 and a[depth] is b[depth]:
        depth += 1
    return a[max(depth - 1, 0)], a[depth], b[depth]
