"""Where each equation of a trace ended up in its compiled program."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from jax_trace_viz.session.graph.scopes import parse_scope
from jax_trace_viz.session.xla.origins import Key, Origins, Site, plain_names, site
from jax_trace_viz.session.xla.use import idle

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
    from jax_trace_viz.contract.program import CompiledProgram
    from jax_trace_viz.session.graph.records import Program
    from jax_trace_viz.session.graph.scopes import Phase
    from jax_trace_viz.session.graph.tree import Level

_WHOLE = ("argm", "pallas_call", "reduce", "scatter", "select_and")
"""Primitives whose jaxprs say how two values become one, or run outside XLA: equations of one piece."""


class Around(NamedTuple):
    """What stands around the equations of one jaxpr where it is called."""

    names: tuple[str, ...] = ()
    phase: Phase = ""
    chain: tuple[Site, ...] = ()


@dataclass(slots=True)
class Tally:
    """Where some equations ended up."""

    kernels: Counter[int] = field(default_factory=Counter[int])
    """Kernel → how many of the equations stand in it, or may, and"""
    guesses: Counter[int] = field(default_factory=Counter[int])
    """how many of these may only."""
    placed: int = 0
    alike: int = 0
    dead: int = 0
    constant: int = 0
    unknown: int = 0

    @property
    def equations(self) -> int:
        """How many equations there are."""
        return self.placed + self.alike + self.dead + self.constant + self.unknown

    def add(self, other: Tally) -> None:
        """Counts others in."""
        self.kernels.update(other.kernels)
        self.guesses.update(other.guesses)
        self.placed += other.placed
        self.alike += other.alike
        self.dead += other.dead
        self.constant += other.constant
        self.unknown += other.unknown


class Placing:
    """Finds the kernels of equations. Those that hold jaxprs stand for the equations inside."""

    def __init__(self, program: Program, root: Jaxpr, compiled: CompiledProgram, *, moved: bool) -> None:
        """Looks through a program.

        Args:
            program: All that is recorded.
            root: The jaxpr that was compiled.
            compiled: What XLA made of it.
            moved: Whether the source may have changed since it was compiled: then places are compared only where all
                of them are still there.
        """
        self._program = program
        self._origins = Origins(compiled, program.frames)
        self._kernels_of: dict[int, list[int]] = {}
        for place, kernel in enumerate(compiled.kernels):
            for operation in kernel.operations:
                self._kernels_of.setdefault(operation, []).append(place)
        self.places = not moved or self._origins.sites() <= self._sites()
        self._chains: dict[int | None, tuple[Site, ...]] = {}
        self._idle: dict[str, list[str]] = {}
        self._tallies: dict[tuple[str, Around], Tally] = {}
        self._alike = Counter[Key]()
        self._count(root, Around())

    def tally(self, level: Level, start: int, stop: int) -> Tally:
        """Where a run of equations of a level ended up."""
        around, total = self._around(level), Tally()
        for place in range(start, stop):
            total.add(self._equation(level.jaxpr, place, around))
        return total

    def _sites(self) -> set[Site]:
        return {site(frame, exact=self._origins.exact) for frame in self._program.frames}

    def _around(self, level: Level) -> Around:
        if level.caller is None or level.caller.level is None:
            return Around()
        outside = level.caller.level
        equation = outside.equations[level.caller.main]
        parameter = next((sub.parameter for sub in equation.jaxprs if sub.jaxpr == level.jaxpr.id), "")
        return self._inside(equation, parameter, self._around(outside))

    def _inside(self, equation: Equation, parameter: str, around: Around) -> Around:
        """What stands around the equations of a jaxpr inside an equation."""
        key = self._key(equation, around)
        branch = (parameter.replace("branches[", "branch_").replace("]", "_fun"),) if "branches[" in parameter else ()
        return Around((*key.names, *branch), key.phase, key.chain)

    def _key(self, equation: Equation, around: Around) -> Key:
        scope = parse_scope(equation.scope)
        phases = (around.phase, scope.phase)
        phase: Phase = "backward" if "backward" in phases else "forward" if "forward" in phases else ""
        chain = self._chains.get(equation.frame)
        if chain is None:
            chain = self._chains[equation.frame] = self._origins.chain_of(equation.frame)
        names = plain_names(scope.names) if scope.names else ()
        return Key(around.names + names, phase, equation.primitive, chain or around.chain)

    def _count(self, jaxpr: Jaxpr, around: Around) -> None:
        """Counts how many equations read the same."""
        for equation in jaxpr.equations:
            if not _holds_others(equation):
                self._alike[self._key(equation, around)] += 1
                continue
            for sub in equation.jaxprs:
                if (inner := self._program.jaxprs.get(sub.jaxpr)) is not None:
                    self._count(inner, self._inside(equation, sub.parameter, around))

    def _equation(self, jaxpr: Jaxpr, place: int, around: Around) -> Tally:
        equation = jaxpr.equations[place]
        if not _holds_others(equation):
            return self._place(jaxpr, place, around)
        total = Tally()
        for sub in equation.jaxprs:
            if (inner := self._program.jaxprs.get(sub.jaxpr)) is not None:
                total.add(self._jaxpr(inner, self._inside(equation, sub.parameter, around)))
        return total

    def _jaxpr(self, jaxpr: Jaxpr, around: Around) -> Tally:
        key = jaxpr.id, around
        total = self._tallies.get(key)
        if total is None:
            total = self._tallies[key] = Tally()
            for place in range(len(jaxpr.equations)):
                total.add(self._equation(jaxpr, place, around))
        return total

    def _place(self, jaxpr: Jaxpr, place: int, around: Around) -> Tally:
        key = self._key(jaxpr.equations[place], around)
        operations, said = self._origins.find(key, places=self.places)
        kernels = Counter(dict.fromkeys((k for one in operations for k in self._kernels_of.get(one, ())), 1))
        if kernels:
            sure = said and self.places and self._alike[key] == 1
            return Tally(kernels, placed=1) if sure else Tally(kernels, kernels, alike=1)
        if jaxpr.id not in self._idle:
            self._idle[jaxpr.id] = idle(jaxpr)
        why = self._idle[jaxpr.id][place]
        return Tally(dead=int(why == "dead"), constant=int(why == "constant"), unknown=int(not why))


def _holds_others(equation: Equation) -> bool:
    return bool(equation.jaxprs) and not equation.primitive.startswith(_WHOLE)
