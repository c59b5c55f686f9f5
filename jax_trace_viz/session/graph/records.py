"""What the graph is drawn from: recorded jaxprs, frames and functions, wherever they are kept."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from jax_trace_viz.contract.document import Document
from jax_trace_viz.session.graph.census import Census
from jax_trace_viz.session.graph.scopes import is_formula, parse_scope
from jax_trace_viz.session.graph.sites import site
from jax_trace_viz.session.graph.sources import Sources
from jax_trace_viz.session.source.line_names import LineNames
from jax_trace_viz.session.source.parsing import can_parse

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from jax_trace_viz.contract.cell import Cell
    from jax_trace_viz.contract.document import Function, Trace
    from jax_trace_viz.contract.jaxpr import Equation, Frame, Jaxpr
    from jax_trace_viz.session.graph.sites import Site


class Recorded(Protocol):
    """A live session or a saved document."""

    @property
    def functions(self) -> Sequence[Function]:
        """The functions, with their source where it is known."""
        ...

    @property
    def traces(self) -> Sequence[Trace]:
        """The traces."""
        ...

    @property
    def jaxprs(self) -> Mapping[str, Jaxpr] | Sequence[Jaxpr]:
        """The jaxprs, by id or in a list."""
        ...

    @property
    def frames(self) -> Sequence[Frame]:
        """The call frames that equations name by index."""
        ...

    @property
    def cells(self) -> Sequence[Cell]:
        """The cells of a notebook that lines may be of."""
        ...


T = TypeVar("T")

Key = tuple[str, str, str | int]
"""One step of an equation's path: `scope` and a name, or `at` and a frame. The middle keeps backward passes apart."""


class Program:
    """The jaxprs of a recording with what can be asked about them. Answers are memoised."""

    def __init__(self, recorded: Recorded) -> None:
        jaxprs = recorded.jaxprs
        self.jaxprs = jaxprs if isinstance(jaxprs, Mapping) else {jaxpr.id: jaxpr for jaxpr in jaxprs}
        self.frames = recorded.frames
        self.sources = Sources(recorded.functions)
        self.lines = LineNames.of_graph(recorded.functions, recorded.cells)
        self.census = Census(self.jaxprs)
        self._sites: dict[str, frozenset[Site]] = {}
        self._code: dict[str, bool] = {}
        self._chains: dict[int, tuple[int, ...]] = {}
        self._paths: dict[tuple[str, int | None, int], tuple[Key, ...]] = {}
        self._short_paths: dict[tuple[Key, ...], tuple[Key, ...]] = {}
        self._found: dict[Hashable, Any] = {}

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """What `find` gives, the same object each time; the key begins with what kind of thing it is."""
        if key not in self._found:
            self._found[key] = find()
        return self._found[key]

    def frame(self, equation: Equation) -> Frame | None:
        """The innermost frame outside JAX that staged an equation."""
        return self.frames[equation.frame] if equation.frame is not None else None

    def chain(self, frame: int | None) -> tuple[int, ...]:
        """The frames from the traced function to this one, by index."""
        if frame is None:
            return ()
        known = self._chains.get(frame)
        if known is None:
            known = self._chains[frame] = (*self.chain(self.frames[frame].parent), frame)
        return known

    def user_frame(self, frame: int | None) -> Frame | None:
        """The innermost frame of the user's code from this one outwards."""
        for index in reversed(self.chain(frame)):
            if self.frames[index].origin == "user":
                return self.frames[index]
        return None

    def sites_inside(self, jaxpr: str) -> frozenset[Site]:
        """The expressions that equations of a jaxpr, or of those inside it, came from or were called by."""
        known = self._sites.get(jaxpr)
        if known is None:
            record = self.jaxprs.get(jaxpr)
            equations = record.equations if record is not None else []
            chains = {index for equation in equations for index in self.chain(equation.frame)}
            inside = {one for e in equations for sub in e.jaxprs for one in self.sites_inside(sub.jaxpr)}
            known = self._sites[jaxpr] = frozenset(inside).union(site(self.frames[index]) for index in chains)
        return known

    def holds_code(self, jaxpr: str) -> bool:
        """Whether a jaxpr was traced from code outside JAX: then some equation in it has a frame."""
        known = self._code.get(jaxpr)
        if known is None:
            record = self.jaxprs.get(jaxpr)
            known = self._code[jaxpr] = record is not None and any(
                e.frame is not None or any(self.holds_code(sub.jaxpr) for sub in e.jaxprs) for e in record.equations
            )
        return known

    def path(self, equation: Equation, entry: int) -> tuple[Key, ...]:
        """Where an equation belongs: its call chain, with the named scopes in place of the frames from `entry` on.

        The innermost frame comes last in either case.
        """
        key = equation.scope, equation.frame, entry
        path = self._paths.get(key)
        if path is None:
            path = self._paths[key] = self._path(*key)
        return path

    def without_wrappers(self, path: tuple[Key, ...]) -> tuple[Key, ...]:
        """A path without the library frames that only lead on to the user's code or to a named scope.

        A settled picture merges the groups of such frames, since there is nothing else in them. While a trace goes on,
        nobody knows that yet: this tells by the path alone, so that nothing is grouped anew later.
        """
        known = self._short_paths.get(path)
        if known is None:
            own = [place for place, (kind, _, what) in enumerate(path) if kind == "scope" or self._is_users(what)]
            last = own[-1] if own else 0
            kept = (step for place, step in enumerate(path) if place >= last or place in own)
            known = self._short_paths[path] = tuple(kept)
        return known

    def _is_users(self, frame: str | int) -> bool:
        return isinstance(frame, int) and self.frames[frame].origin == "user"

    def _path(self, text: str, frame: int | None, entry: int) -> tuple[Key, ...]:
        scope, chain = parse_scope(text), self.chain(frame)
        back = "backward" if scope.passes[:1] == ("backward",) else ""
        steps: list[tuple[str, str | int]] = [("at", index) for index in chain]
        names = scope.names
        if chain and self.frames[chain[-1]].origin == "user":
            names = tuple(name for name in names if not is_formula(name))  # the user's own call tells more
        if names:
            steps[entry:-1] = [("scope", name) for name in names]
        elif not chain and back:
            steps = [("scope", back)]
        return tuple((kind, "" if place else back, what) for place, (kind, what) in enumerate(steps))


class _Newest:
    """The document that was looked at last, with all that was found out about it."""

    def __init__(self) -> None:
        self._held: tuple[Document, bool, Program] | None = None
        self._lock = threading.RLock()  # a handler of a signal may draw too

    def program(self, document: Document) -> Program:
        named = can_parse()  # a thread that cannot may have found plainer names than another one asks for
        with self._lock:
            if self._held is None or self._held[0] is not document or named > self._held[1]:
                self._held = document, named, Program(document)
            return self._held[2]


_newest = _Newest()


def program_of(recorded: Recorded) -> Program:
    """The program of a recording; what was found out about a document is kept as long as no other one is drawn."""
    return _newest.program(recorded) if isinstance(recorded, Document) else Program(recorded)
