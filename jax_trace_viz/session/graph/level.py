"""One jaxpr as reached through one chain of open calls."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from jax_trace_viz.session.graph.census import LARGEST
from jax_trace_viz.session.graph.scopes import parse_scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jax_trace_viz.contract.document import Equation, Jaxpr
    from jax_trace_viz.session.graph.nodes import Node
    from jax_trace_viz.session.graph.records import Key, Program
    from jax_trace_viz.session.graph.scopes import Phase

Atom = int | str
"""A variable's number, or a literal's text."""

_MODULUS, _BASE = (1 << 61) - 1, 1_000_003
_LOOK_AHEAD = 60


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
        for equation in self.equations:
            token, count = program.census.equation(equation)
            self.tokens.append(token)
            self._prefix.append((self._prefix[-1] * _BASE + token) % _MODULUS)
            self._weights.append(self._weights[-1] + count)

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
        return self.program.path(self.equations[place])

    def phase(self, start: int, stop: int) -> Phase:
        """Phase of a run. A forward scope often starts with integer equations that no gradient touches: look further."""
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

    def crosses_copies(self, made: int, used: int) -> bool:
        """Whether a value goes from one copy of an open plate to another, of which only the first is drawn."""
        for plate in self.plates:
            if plate.start <= made < plate.stop and plate.start <= used < plate.stop:
                if (made - plate.start) // plate.period != (used - plate.start) // plate.period:
                    return True
                made = plate.start + (made - plate.start) % plate.period
                used = plate.start + (used - plate.start) % plate.period
        return False
