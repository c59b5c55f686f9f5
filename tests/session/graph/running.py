"""Running a jaxpr to know what each of its equations really makes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    from jax_trace_viz.contract.jaxpr import Equation, Jaxpr
    from jax_trace_viz.session.graph.tree import Level, Node


@dataclass
class Values:
    """Runs a jaxpr, one primitive after the other, and remembers what each equation made."""

    jaxprs: dict[str, Jaxpr]
    made: dict[tuple[str, int], list[np.ndarray]] = field(default_factory=dict)

    def run(self, closed: Any, record: Jaxpr, inputs: list[Any]) -> list[Any]:
        jaxpr = getattr(closed, "jaxpr", closed)
        values = dict(zip(jaxpr.constvars, getattr(closed, "consts", []), strict=True))
        values |= dict(zip(jaxpr.invars, inputs, strict=True))

        def read(atom: Any) -> Any:
            return atom.val if hasattr(atom, "val") else values[atom]

        for equation, written in zip(jaxpr.eqns, record.equations, strict=True):
            results = self._equation(equation, written, [read(atom) for atom in equation.invars])
            values |= dict(zip(equation.outvars, results, strict=True))
            for number, result in zip(written.outputs, results, strict=True):
                self.made.setdefault((record.id, number), []).append(np.asarray(result))
        return [read(atom) for atom in jaxpr.outvars]

    def _equation(self, equation: Any, written: Equation, inputs: list[Any]) -> list[Any]:
        subs = [self.jaxprs[sub.jaxpr] for sub in written.jaxprs]
        params = equation.params
        if equation.primitive.name == "scan":
            return self._scan(params["jaxpr"], written, subs[0], inputs)
        if equation.primitive.name == "cond":
            branch = int(inputs[0])
            return self.run(params["branches"][branch], subs[branch], inputs[1:])
        if subs:
            inside = next(v for v in params.values() if hasattr(getattr(v, "jaxpr", v), "eqns"))
            return self.run(inside, subs[0], inputs)
        results = equation.primitive.bind(*inputs, **params)
        return results if equation.primitive.multiple_results else [results]

    def _scan(self, closed: Any, written: Equation, sub: Jaxpr, inputs: list[Any]) -> list[Any]:
        number = {name: int(text) for name, text in written.parameters.items() if text.isdigit()}
        first, carried = number["num_consts"], number["num_carry"]
        constants, carry, steps = inputs[:first], inputs[first : first + carried], inputs[first + carried :]
        collected: list[list[Any]] = []
        order = range(number["length"])
        for step in order[::-1] if written.parameters["reverse"] == "True" else order:
            out = self.run(closed, sub, [*constants, *carry, *(x[step] for x in steps)])
            carry = out[:carried]
            collected.append(out[carried:])
        if written.parameters["reverse"] == "True":
            collected.reverse()
        return [*carry, *(jnp.stack(column) for column in zip(*collected, strict=True))]

    def were_bound(self, node: Node, bound: list[np.ndarray]) -> bool:
        """Whether something that a node makes only ever had values that a name was bound to."""
        level = node.level
        assert level is not None
        stop = node.start + node.period if node.kind == "plate" else node.stop
        for equation in level.equations[node.start : stop]:
            if any(self.was_bound(level, variable, bound) for variable in equation.outputs):
                return True
        return False

    def was_bound(self, level: Level, variable: int, bound: list[np.ndarray]) -> bool:
        """Whether a variable only ever had values that a name was bound to."""
        values = self.made.get((level.jaxpr.id, variable), [])
        return all(any(same(value, other) for other in bound) for value in values)


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two values are the same, up to rounding and to the order of axes, which `vmap` changes."""
    numbers = np.sort(one, axis=None), np.sort(other, axis=None)
    return one.size == other.size and np.allclose(*numbers, rtol=1e-4, atol=1e-5, equal_nan=True)
