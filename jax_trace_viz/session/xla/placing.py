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


_Spots = Counter[tuple[int, str]]
"""Equations by the number of their key, and why they may leave nothing to compute."""


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
        self._arounds: dict[Around, int] = {}
        self._keys: dict[Key, int] = {}
        self._key_of: dict[tuple[int, str, str, int | None], Key] = {}
        self._found: dict[int, tuple[list[int], bool]] = {}
        self._inner: dict[tuple[str, Around], _Spots] = {}
        self._alike = Counter[int]()
        for (number, _), count in self._jaxpr(root, Around()).items():
            self._alike[number] += count

    def tally(self, level: Level, start: int, stop: int) -> Tally:
        """Where a run of equations of a level ended up."""
        total, keys = Tally(), list(self._keys)
        for (number, why), count in self._run(level.jaxpr, start, stop, self._around(level)).items():
            kernels, said = self._kernels(number, keys)
            for kernel in kernels:
                total.kernels[kernel] += count
            if not kernels:
                total.dead += count * (why == "dead")
                total.constant += count * (why == "constant")
                total.unknown += count * (not why)
            elif said and self.places and self._alike[number] == 1:
                total.placed += count
            else:
                total.alike += count
                for kernel in kernels:
                    total.guesses[kernel] += count
        return total

    def _kernels(self, number: int, keys: list[Key]) -> tuple[list[int], bool]:
        found = self._found.get(number)
        if found is None:
            operations, said = self._origins.find(keys[number], places=self.places)
            kernels = dict.fromkeys(kernel for one in operations for kernel in self._kernels_of.get(one, ()))
            found = self._found[number] = (list(kernels), said)
        return found

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
        number = self._arounds.setdefault(around, len(self._arounds))
        asked = number, equation.scope, equation.primitive, equation.frame
        key = self._key_of.get(asked)
        if key is None:
            key = self._key_of[asked] = self._make_key(equation, around)
        return key

    def _make_key(self, equation: Equation, around: Around) -> Key:
        scope = parse_scope(equation.scope)
        phases = (around.phase, scope.phase)
        phase: Phase = "backward" if "backward" in phases else "forward" if "forward" in phases else ""
        chain = self._chains.get(equation.frame)
        if chain is None:
            chain = self._chains[equation.frame] = self._origins.chain_of(equation.frame)
        names = plain_names(scope.names) if scope.names else ()
        return Key(around.names + names, phase, equation.primitive, chain or around.chain)

    def _run(self, jaxpr: Jaxpr, start: int, stop: int, around: Around) -> _Spots:
        """The equations of a run, those inside its calls in place of these."""
        if jaxpr.id not in self._idle:
            self._idle[jaxpr.id] = idle(jaxpr)
        spots, why = _Spots(), self._idle[jaxpr.id]
        for place in range(start, stop):
            equation = jaxpr.equations[place]
            if not _holds_others(equation):
                number = self._keys.setdefault(self._key(equation, around), len(self._keys))
                spots[number, why[place]] += 1
                continue
            for sub in equation.jaxprs:
                if (inner := self._program.jaxprs.get(sub.jaxpr)) is not None:
                    spots.update(self._jaxpr(inner, self._inside(equation, sub.parameter, around)))
        return spots

    def _jaxpr(self, jaxpr: Jaxpr, around: Around) -> _Spots:
        asked = jaxpr.id, around
        spots = self._inner.get(asked)
        if spots is None:
            spots = self._inner[asked] = self._run(jaxpr, 0, len(jaxpr.equations), around)
        return spots


def _holds_others(equation: Equation) -> bool:
    return bool(equation.jaxprs) and not equation.primitive.startswith(_WHOLE)
