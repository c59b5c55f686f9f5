"""What can be said of a jaxpr's equations by themselves, wherever they are called and whatever is open."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.census import LARGEST
from jax_trace_viz.session.graph.scopes import parse_scope
from jax_trace_viz.session.graph.sites import site

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Jaxpr
    from jax_trace_viz.session.graph.records import Key, Program
    from jax_trace_viz.session.graph.sites import Site

_MODULUS, _BASE = (1 << 61) - 1, 1_000_003

LOOPS = frozenset({"cond", "scan", "while"})
"""Primitives whose jaxprs may run other than once."""


class Facts:
    """Hashes and sizes of any run of a jaxpr's equations in constant time, and who makes and uses what."""

    def __init__(self, program: Program, jaxpr: Jaxpr) -> None:
        self._program = program
        self._equations = jaxpr.equations
        self._dropped = jaxpr.dropped_equations
        self.producer = {v: place for place, e in enumerate(self._equations) for v in e.outputs}
        """The equation that makes a variable, by place."""
        self.results = frozenset(jaxpr.outputs)
        self._needs: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}
        self._prefix = [0]
        self._weights = [0]
        prefix = weight = 0
        for equation in self._equations:
            token, count = program.census.equation(equation)
            prefix, weight = (prefix * _BASE + token) % _MODULUS, weight + count
            self._prefix.append(prefix)
            self._weights.append(weight)

    def hash(self, start: int, stop: int) -> int:
        """Hash of the structure of a run of equations."""
        return (self._prefix[stop] - self._prefix[start] * pow(_BASE, stop - start, _MODULUS)) % _MODULUS

    def weight(self, start: int, stop: int) -> int:
        """How many equations a run stands for, expanded."""
        return min(self._weights[stop] - self._weights[start], LARGEST)

    def path(self, place: int) -> tuple[Key, ...]:
        """Where an equation belongs."""
        return self._program.path(self._equations[place], self._entries[place])

    @functools.cached_property
    def users(self) -> dict[int, list[int]]:
        """The equations that use a variable, by place."""
        users: dict[int, list[int]] = {}
        for place, equation in enumerate(self._equations):
            for atom in equation.inputs:
                if isinstance(atom, int):
                    users.setdefault(atom, []).append(place)
        return users

    def needs(self, start: int, stop: int) -> tuple[tuple[int, int], ...]:
        """What a run of equations uses and does not make, in order of use, and who makes it; -1 if it is an input."""
        known = self._needs.get((start, stop))
        if known is None:
            made = {
                atom: self.producer.get(atom, -1)
                for equation in self._equations[start:stop]
                for atom in equation.inputs
                if isinstance(atom, int)
            }
            known = self._needs[start, stop] = tuple(item for item in made.items() if item[1] < start)
        return known

    @functools.cached_property
    def unused(self) -> frozenset[int]:
        """The equations, by place, that neither a result nor an effect depends on.

        None where that is not known: of a trace that failed or goes on, or of which equations were dropped.
        """
        if not self.results or self._dropped:
            return frozenset()
        needed, unused = set(self.results), set[int]()
        for place in reversed(range(len(self._equations))):
            equation = self._equations[place]
            if equation.effects or not needed.isdisjoint(equation.outputs):
                needed.update(equation.inputs)
            else:
                unused.add(place)
        return frozenset(unused)

    @functools.cached_property
    def nested(self) -> bool:
        """Whether there are gradients of gradients."""
        return any(len(parse_scope(text).passes) > 1 for text in {equation.scope for equation in self._equations})

    @functools.cached_property
    def sites_inside(self) -> frozenset[Site]:
        """The expressions behind the equations inside the calls, those of backward passes not counted."""
        calls = (e for e in self._equations if e.jaxprs and parse_scope(e.scope).phase != "backward")
        found: set[Site] = set()
        found.update(*(self._program.sites_inside(sub.jaxpr) for e in calls for sub in e.jaxprs))
        return frozenset(found)

    @functools.cached_property
    def loop_sites(self) -> frozenset[Site]:
        """The expressions behind the loops and branches."""
        return frozenset(site(self._program.frames[index]) for index in self._loop_frames())

    @functools.cached_property
    def loop_roots(self) -> frozenset[tuple[str, str]]:
        """File and name of the traced functions that staged the loops and branches."""
        program = self._program
        roots = (program.frames[program.chain(index)[0]] for index in self._loop_frames())
        return frozenset((root.file, root.function) for root in roots)

    def _loop_frames(self) -> set[int]:
        return {e.frame for e in self._equations if e.primitive in LOOPS and e.frame is not None}

    @functools.cached_property
    def _entries(self) -> list[int]:
        """For each equation, how many frames of its call chain lie outside its named scopes.

        That is not recorded. Neighbours in the same scope share the frames from which it was entered.
        """
        entries: list[int] = []
        names = [parse_scope(equation.scope).names[:1] for equation in self._equations]
        for name, run in itertools.groupby(range(len(names)), key=names.__getitem__):
            places = list(run)
            entries += [self._shared_frames(places) if name else 0] * len(places)
        return entries

    def _shared_frames(self, places: list[int]) -> int:
        """How many frames around all of these equations' expressions are the same."""
        frames = {self._equations[place].frame for place in places} - {None}
        chains = [self._program.chain(frame)[:-1] for frame in frames]
        return sum(1 for _ in itertools.takewhile(lambda step: len(set(step)) == 1, zip(*chains, strict=False)))
